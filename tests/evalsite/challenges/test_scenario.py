"""A scenario is checked against its family, gold against itself, before they are stored; and what pages say of them."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.template import Context, Template
from django.utils.html import strip_tags

import scoring
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.wording import uploads_allowed
from scoring import GoldError
from tests.factories import make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("family", "unheard-of"),
        ("options", {"scenario": "4"}),
        ("options", {"flavour": "sweet"}),
        ("options", [1]),
        ("shown_scores", ["f1", "f7"]),
        ("shown_scores", 5),
        ("shown_scores", [["f1"]]),
    ],
)
def test_what_the_family_does_not_know_is_refused_at_its_field(scenario, field, value):
    setattr(scenario, field, value)
    with pytest.raises(ValidationError) as refused:
        scenario.full_clean()
    assert list(refused.value.message_dict) == [field]


def test_the_headline_comes_first_on_the_board(task):
    scenario = Scenario(task=task, number=1, family="ehealthkd", shown_scores=["recall", "f1"])
    assert scenario.scores == ["f1", "recall"]


@pytest.mark.parametrize("family", list(scoring.FAMILIES))
def test_where_no_scores_are_chosen_few_are_shown(family):
    scenario = Scenario(number=1, family=family)
    for use in scenario.engine_family.offer.uses:
        scenario.options = dict(use.options)
        assert scenario.scores[0] == scenario.headline
        assert len(set(scenario.scores)) == len(scenario.scores) <= 7


@pytest.fixture
def questions():
    return make_scenario(make_task(), family="qac", options={"task": 2})


def test_gold_whose_layout_is_not_that_of_an_upload_is_scored_as_one(tmp_path, questions):
    path = tmp_path / "gold.tsv"
    path.write_text("Q-1-01\t1\tMie\ta1\nQ-1-01\t2\tTsu\ta2\nQ-2-01\n")
    assert check_gold(path, questions).scores["average_f1"] == 1.0


def test_its_mistakes_are_the_organisers_to_fix(tmp_path, questions):
    path = tmp_path / "gold.tsv"
    path.write_text("Q-1-01\tone\tMie\ta1\n")
    with pytest.raises(GoldError, match="answer number must be a positive integer"):
        check_gold(path, questions)


def test_gold_that_would_rank_by_another_score_than_its_board_is_refused(tmp_path):
    scenario = make_scenario(make_task(), family="spacy", options={})
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "d", "words": ["Mie", "lies"], "tags": ["NNP", "VBZ"]}\n')
    with pytest.raises(GoldError, match="would rank by tag_acc, but the scenario's board ranks by ents_f"):
        check_gold(path, scenario)
    scenario.options = {"headline": "tag_acc"}
    assert check_gold(path, scenario).scores["tag_acc"] == 1.0


@pytest.mark.parametrize(
    ("window_limit", "total_limit", "words"),
    [
        (None, None, "As many uploads as you like."),
        (1, None, "1 upload a week for each team."),
        (3, None, "3 uploads a week for each team."),
        (3, 20, "3 uploads a week, 20 in total, for each team."),
        (None, 1, "1 upload in total for each team."),
        (None, 20, "20 uploads in total for each team."),
    ],
)
def test_a_phase_says_how_many_uploads_a_team_has(window_limit, total_limit, words):
    phase = Phase(window_limit=window_limit, window=timedelta(days=7), total_limit=total_limit)

    assert strip_tags(uploads_allowed(phase)) == words


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"year_limit": 1}, "1 upload a calendar year for each team."),
        ({"year_limit": 9, "total_limit": 20}, "9 uploads a calendar year, 20 in total, for each team."),
        ({"window_limit": 3, "year_limit": 9, "year": "rolling"}, "3 uploads a day, 9 in any 365 days, for each team."),
    ],
)
def test_a_phase_says_how_many_uploads_a_team_has_in_a_year(limits, words):
    assert strip_tags(uploads_allowed(Phase(**{"window_limit": None} | limits))) == words


def test_texts_of_a_task_in_several_languages_have_the_one_of_their_scenario(task):
    task.data_language = "en de es"
    task.full_clean()
    tag = Template("{% load evalsite_tags %}{% data_language %}")
    options = {"de": {"folder": "de"}, "es": {"rows": "lang=es"}, "": {}}
    for language, chosen in options.items():
        scenario = Scenario(task=task, family="labels", options={"task": "single"} | chosen)
        assert tag.render(Context({"task": task, "scenario": scenario})) == language
    assert tag.render(Context({"task": task})) == ""
    task.data_language = "ja"
    assert tag.render(Context({"task": task, "scenario": scenario})) == "ja"
    task.data_language = "en, german"
    with pytest.raises(ValidationError, match="language's tag"):
        task.full_clean()
