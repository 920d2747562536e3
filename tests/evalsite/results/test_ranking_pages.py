"""The pages of a run of rankings: its queries, and one of them with its documents."""

import re

import pytest
from django.urls import reverse

from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.option_words import options_in_words
from scoring import GoldError
from tests.evalsite.families import make_ranked
from tests.factories import make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def ranked(olga, team, alice):
    return make_ranked(olga, team, alice)


@pytest.fixture
def read(client, alice, ranked):
    client.force_login(alice)

    def text(*unit):
        name = "submission_unit" if unit else "submission"
        answer = client.get(reverse(name, args=[ranked.pk, *((1, *unit) if unit else ())]))
        assert answer.status_code == 200
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))

    return text


def test_queries_are_listed_where_the_gold_may_be_seen(read, ranked):
    assert "1 query is not in the run." in read()
    assert "Query by query" not in read()
    assert "no relevant document" not in read()
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    assert "Query by query, the worst first" in read()


def test_a_query_shows_its_ranking_and_what_became_of_each_relevant_document(read, ranked):
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    page = read("q1")
    assert "1 of 2 relevant documents among 3 that were retrieved." in page
    assert "○ found at 2 2 d1" in page
    assert "× not retrieved 1 d2" in page
    assert "1 d3 3.5 × not relevant grade 0" in page
    assert "3 &lt;d9&gt; 1.5 not judged" in page


def test_a_query_may_be_missing_or_without_a_relevant_document(read, ranked):
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    assert "The query is not in the run." in read("q2")
    assert "The gold has no relevant document for this query." in read("q3")


def test_a_gold_need_not_reach_full_marks_but_has_to_have_something_relevant(tmp_path):
    scenario = make_scenario(make_task(), family="ranking", options={"headline": "p_10"})
    gold = tmp_path / "qrels.txt"
    gold.write_text("q1 0 a 1\nq2 0 b 0\n")
    assert check_gold(gold, scenario).scores["p_10"] == pytest.approx(0.05)
    gold.write_text("q1 0 a 0\n")
    with pytest.raises(GoldError, match="nothing to be found"):
        check_gold(gold, scenario)


def test_scores_of_other_cutoffs_can_be_shown_and_are_named():
    scenario = Scenario(family="ranking", options={"cutoffs": "7"}, shown_scores=["p_7", "map"])
    scenario.clean()
    assert scenario.score_titles["p_7"] == "P@7"
    assert options_in_words(Scenario(family="ranking", options={"relevance": 2, "depth": 50, "cutoffs": "7"})) == (
        "relevant from grade 2 on; the first 50 documents count"
    )


def test_organisers_read_the_options_of_a_scenario_with_runs_and_change_those_of_another(as_olga, ranked):
    task = ranked.phase.task
    page = as_olga.get(reverse("desk_scenarios_edit", args=[task.slug, 1])).content.decode()
    assert "1,5,10,20,100,1000" in page
    make_scenario(task, 2, family="ranking", options={"cutoffs": [3, 9], "headline": "p_9"})
    page = as_olga.get(reverse("desk_scenarios_edit", args=[task.slug, 2])).content.decode()
    assert 'value="3,9"' in page
    assert "P@9" in page
    assert "P@10" not in page.partition("Shown scores")[2]
