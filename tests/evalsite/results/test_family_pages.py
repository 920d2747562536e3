"""Tests what the pages of several families have in common, and those of families with few pages of their own."""

import json
import re
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

import scoring
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.option_words import options_in_words
from evalsite.results.three_way import labels
from evalsite.results.three_way.comparing import three_way
from evalsite.results.three_way.families import LAYERS
from scoring import FAMILIES, GoldError
from scoring.readers.archive import Made
from tests.evalsite.families import _scored_run, make_annotated, make_chained, make_judged, make_parsed, make_ranked
from tests.factories import make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (make_annotated, ["one.json", "the second document.json"]),
        (make_chained, ["the trial", "a letter"]),
        (make_parsed, ["d1", "d 2/3"]),
    ],
)
def test_documents_are_listed_the_worst_first_where_the_gold_may_be_seen(read, olga, team, alice, make, names):
    run = make(olga, team, alice)
    assert "Document by document" not in read(run.get_absolute_url())
    run.phase.task.phases.update(gold_released=True)
    page = read(run.get_absolute_url())
    first, second = (page.index(f'href="{reverse("submission_unit", args=[run.pk, 1, name])}"') for name in names)
    assert page.index("Document by document") < first < second


UPLOADS = {
    make_annotated: [
        ({}, "the end is exclusive"),
        ({"system_format": "xml-inline", "suffix_off": ".xml", "suffix_on": ".json"}, "&lt;PER&gt;Mirelle&lt;/PER&gt;"),
        ({"system_format": "brat", "discontinuous": "outer"}, "from its first start to its last end"),
        ({"system_format": "brat", "discontinuous": "parts"}, "is right if all its parts are"),
        ({"gold_format": "brat", "system_format": "brat", "structures": "count"}, "all that it is made of are"),
        ({"gold_format": "table", "system_format": "table"}, "<code>start_span</code> and <code>end_span</code>"),
        (
            {"system_format": "table", "columns": "_id,markers[].type,markers[].startIndex,markers[].endIndex"},
            "a list under <code>markers</code>",
            "has to be the gold",
        ),
        ({"system_format": "raw", "missing_documents": "empty"}, "counts as one without annotations"),
    ],
    make_chained: [
        ({}, "CoNLL-2012 columns", "counts as one without entities"),
        ({"format": "json", "missing": "empty"}, "counts as one without entities", "#begin document"),
        ({"format": "conll"}, "#begin document", "newdoc"),
        ({"format": "corefud"}, "# global.Entity", "#begin document"),
    ],
    make_parsed: [
        ({}, "CoNLL-U, <code>.conllu</code>", "The tokens have to be the gold"),
        ({"format": "jsonl", "tokens": "gold"}, "The tokens have to be the gold", "B-PER"),
        ({"format": "conllu"}, "# sent_id = d1", "Doc.to_json()"),
        ({"format": "columns", "invalid_tags": "refuse"}, "continues no entity is refused", "sent_id"),
    ],
}


@pytest.mark.parametrize(("make", "case"), [(make, case) for make, cases in UPLOADS.items() for case in cases])
def test_what_to_upload_follows_the_options(client, olga, team, alice, make, case):
    options, present, *absent = case
    task = make(olga, team, alice).phase.task
    kept = {"content_annotations": "PER"} if make is make_annotated else {}
    task.scenarios.update(options=kept | options)
    page = client.get(task.get_absolute_url()).content.decode()
    assert present in page
    assert not [words for words in absent if words in page]
    assert client.get(reverse("example", args=[task.slug, 1])).status_code == 200


# A family that has no templates of its own


SECTION = SimpleNamespace(
    scenario=None,
    result=SimpleNamespace(
        tables={
            "by_label": [{"label": "PER", "gold": 3, "f1": 0.25}],
            "by_text": [{"text": "one", "f1": 0.125}],
            "nothing": [],
        },
        table_intervals={"by_label": [{"f1": (0.2, 0.3)}]},
    ),
)


@pytest.mark.parametrize("sees_against_gold", [False, True])
def test_sums_by_label_are_shown_and_what_may_be_a_single_unit_waits_for_the_gold(sees_against_gold):
    context = {"section": SECTION, "sees_against_gold": sees_against_gold}
    page = render_to_string("results/summary/any.html", context)
    assert "<h3>By label</h3>" in page
    assert "[0.200, 0.300]" in page
    assert ("<h3>By text</h3>" in page) == sees_against_gold
    assert ("0.125" in page) == sees_against_gold
    assert "Nothing" not in page


def test_a_unit_is_shown_as_tables_and_texts():
    record = {"text": "a < b", "chains": [{"gold": "x", "system": None, "agrees": True}]}
    page = render_to_string("results/unit/any.html", {"unit": SimpleNamespace(record=record)})
    assert "<h2>Text</h2>" in page
    assert "a &lt; b" in page
    assert "<h2>Chains</h2>" in page
    assert ">yes<" in page


# The page of an item of a classification, and two runs of it beside the gold

FAMILY = scoring.FAMILIES["labels"]


def record(gold, run, unit, **options):
    configured = FAMILY.configure(options)
    return FAMILY.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": run.encode()}, unit, configured)


SETS = record(
    "id,label,said\n1,A;B,<Ah>\n2,,Oh\n", "id,label\n1,B;C\n2,\n", "1", task="multi", labels="A,B,C", text="said"
)


def page(of_unit):
    context = {"layers": labels.layers(of_unit), "task": SimpleNamespace(data_language="en")}
    return re.sub(r"(<[^>]*>|\s)+", " ", render_to_string("results/unit/layers.html", context))


def test_a_set_is_shown_label_by_label_with_its_text_escaped():
    assert page(SETS) == " said &lt;Ah&gt; Gold System A × Missing B ○ Found B – × Spurious C "


def test_a_second_label_is_shown_on_both_sides():
    shown = page(record("id,label,kind\n1,A,x\n", "id,label,kind\n1,A,y\n", "1", second="kind", labels="union"))
    assert shown == " Gold System A ○ Right A kind x × Wrong kind y "


def test_guesses_are_shown_in_their_order_and_no_later_one_counts_for_a_run():
    late, early = (
        record("id,label\n1,A\n2,B\n", f"id,label\n1,{guesses}\n2,B\n", "1", task="ranked")
        for guesses in ("B;A", "A;B")
    )
    assert "Gold System A × Found at 2 1. B, 2. A" in page(late)
    [section] = three_way(labels.layers(late), labels.layers(early))
    assert (section.n_first, section.n_second) == (0, 1)


def test_shares_of_labels_are_shown_on_both_sides():
    shown = page(
        record("id,label\n1,A;B\n", 'id,label\n1,"{""A"": 0.4, ""B"": 0.6}"\n', "1", task="soft", labels="A,B")
    )
    assert "0.500 A −0.100 0.400 A 0.500 B +0.100 0.600 B" in shown


def test_in_two_runs_each_label_of_a_set_is_told_apart():
    [layer] = labels.layers(SETS)
    assert (layer.title, layer.facts) == ("1", [("said", "<Ah>")])
    assert [(each.kind, (each.gold or each.system).content) for each in layer.outcomes] == [
        ("missing", "A"),
        ("match", "B"),
        ("spurious", "C"),
    ]


@pytest.mark.parametrize(
    ("run", "title", "words"),
    [
        ("id,label\n1,A\n", "Right", "○ Right A"),
        ("id,label\n1,B\n", "Wrong", "× Wrong B"),
        ("id,label\n2,B\n", "Not in the run", "× Not in the run"),
    ],
)
def test_one_label_is_right_wrong_or_not_there(run, title, words):
    of_unit = record("id,label\n1,A\n2,B\n", run, "1", missing="wrong")
    [[outcome]] = [layer.outcomes for layer in labels.layers(of_unit)]
    assert outcome.title == title
    assert words in page(of_unit)


def test_a_graded_choice_shows_what_each_label_is_worth():
    of_unit = record("id,label,credit\n1,A,1\n1,B,0.5\n", "id,label\n1,B\n", "1", task="graded")
    assert of_unit["items"][0]["credit"] == 0.5
    assert "A 1.000, B 0.500 × Wrong 0.500 B" in page(of_unit)
    [[outcome]] = [layer.outcomes for layer in labels.layers(of_unit)]
    assert outcome.title == "Wrong"


# Questions about passages


def test_a_result_tells_squads_scores_and_a_question_its_passage(words, olga, team, alice):
    family, options = FAMILIES["qac"], {"format": "squad"}
    specimen = family.offer.specimen(family.configure(options))
    files = [{name: content.decode() for name, content in side.items()} for side in (specimen.gold, specimen.run)]
    run = _scored_run("passages", "qac", options, *files, olga, team, alice, {"gold_released": True})
    page, question = (words(a) for a in (run.get_absolute_url(), f"/submissions/{run.pk}/scores/1/units/alder-1-2/"))
    assert "Exact match, questions with an answer" in page
    assert "marks out of" not in page
    assert "runs for 84 km to Harl" in question
    assert "for 84 km to Harl" in question


# Numbers


def test_a_result_tells_its_slices_and_leads_to_items_where_the_gold_is_open(read, olga, team, alice):
    run = make_judged(olga, team, alice, gold_released=True)
    page = read(run.get_absolute_url())
    assert "Slice by slice" in page
    assert "RMSE" in page
    assert f"/submissions/{run.pk}/scores/1/units/" in page
    listed = re.findall(r"/units/(n[0-9])/", read(f"/submissions/{run.pk}/scores/1/units/"))
    assert list(dict.fromkeys(listed)) == ["n3", "n4", "n2", "n1"]


def test_an_item_shows_both_numbers_what_lies_between_and_what_people_read(read, olga, team, alice):
    run = make_judged(olga, team, alice, gold_released=True)
    page = read(f"/submissions/{run.pk}/scores/1/units/n4/")
    assert "Now" in page
    assert "× Off by +2" in page
    assert "○ Near: −0.25" in read(f"/submissions/{run.pk}/scores/1/units/n2/")
    assert "Well & good." in read(f"/submissions/{run.pk}/scores/1/units/n1/")


def test_while_the_gold_is_hidden_no_item_is_shown(read, olga, team, alice):
    run = make_judged(olga, team, alice)
    assert "/units/" not in read(run.get_absolute_url())
    read(f"/submissions/{run.pk}/scores/1/units/n4/", status=404)


def test_while_the_gold_is_hidden_a_slice_of_few_items_tells_none_of_its_numbers(read, olga, team, alice):
    run = make_judged(olga, team, alice)
    page = re.sub(r"<[^>]*>", " ", read(run.get_absolute_url()))
    table = page.partition("Slice by slice")[2]
    assert re.search(r"short\s+2\s", table)
    assert not re.search(r"short\s+2\s+[0-9.−-]*[0-9]", table)


# Rankings


@pytest.fixture
def ranked(olga, team, alice):
    return make_ranked(olga, team, alice)


def unit(run, name: str) -> str:
    return reverse("submission_unit", args=[run.pk, 1, name])


def test_queries_are_listed_where_the_gold_may_be_seen(words, ranked):
    assert "1 query is not in the run." in words(ranked.get_absolute_url())
    assert "Query by query" not in words(ranked.get_absolute_url())
    assert "no relevant document" not in words(ranked.get_absolute_url())
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    assert "Query by query, the worst first" in words(ranked.get_absolute_url())


def test_a_query_shows_its_ranking_and_what_became_of_each_relevant_document(words, ranked):
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    page = words(unit(ranked, "q1"))
    assert "1 of 2 relevant documents among 3 that were retrieved." in page
    assert "○ found at 2 2 d1" in page
    assert "× not retrieved 1 d2" in page
    assert "1 d3 3.5 × not relevant grade 0" in page
    assert "3 &lt;d9&gt; 1.5 not judged" in page


def test_a_query_may_be_missing_or_without_a_relevant_document(words, ranked):
    Phase.objects.filter(pk=ranked.phase_id).update(gold_released=True)
    assert "The query is not in the run." in words(unit(ranked, "q2"))
    assert "The gold has no relevant document for this query." in words(unit(ranked, "q3"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            ("Snippets of the gold ◐ partly found 10 of 20 characters 7 title 0–19", "10 of 20 characters of the gold"),
        ),
        ("es", ("Fragmentos del gold ◐ encontrado en parte 10 de 20 caracteres", "10 de los 20 caracteres del gold")),
    ],
)
def test_a_question_shows_snippets_and_their_characters(language, said):
    def questions(*snippets):
        both = {"beginSection": "title", "endSection": "title"}
        own = [{"document": "7", **both, "offsetInBeginSection": a, "offsetInEndSection": b} for a, b in snippets]
        return Made({"run.json": json.dumps({"questions": [{"id": "q", "snippets": own}]}).encode()})

    ranking = FAMILIES["ranking"]
    options = ranking.configure({"items": "snippets"})
    record = ranking.views.unit_record(questions((0, 19)), questions((10, 19), (30, 39)), "q", options)
    with translation.override(language):
        html = render_to_string("results/unit/ranking.html", {"unit": {"record": record}})
        page = re.sub(r"(<[^>]*>|\s)+", " ", html)
        [gold, run] = LAYERS["ranking"](record)
    assert all(words in page for words in said)
    assert "ocument" not in page
    assert [outcome.kind for outcome in (*gold.outcomes, *run.outcomes)] == ["spanclash", "match", "spurious"]


def test_a_gold_need_not_reach_full_marks_but_has_to_have_something_relevant(tmp_path):
    scenario = make_scenario(make_task(), family="ranking", options={"headline": "p_10"})
    gold = tmp_path / "qrels.txt"
    gold.write_text("q1 0 a 1\nq2 0 b 0\n")
    assert check_gold(gold, scenario).scores["p_10"] == pytest.approx(0.05)
    gold.write_text("q1 0 a 0\n")
    with pytest.raises(GoldError, match="without anything to find"):
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
