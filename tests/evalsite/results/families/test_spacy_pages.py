"""The pages of a run of annotated documents: a section for each kind of annotation, and documents beside the gold."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from scoring.scale import decimals_of_ends
from tests.evalsite.families import make_parsed, make_treebank
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team, alice):
    return make_parsed(olga, team, alice)


def cells(content: str, title: str) -> list[list[str]]:
    """The texts of a table, row by row."""
    table = content[content.index(f'aria-label="{title}"') :].split("</table>")[0]
    return [
        [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[dh][ >].*?</t[dh]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    ]


def test_a_treebank_has_all_metrics_and_the_pages_of_its_documents(as_alice, olga, team, alice):
    run = make_treebank(olga, team, alice, gold_released=True)
    page = unescape(as_alice.get(run.get_absolute_url()).content.decode())
    rows = cells(page, "Universal Dependencies")
    assert [row[0] for row in rows] == [
        *["Metric", "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"],
        *["UAS", "LAS", "CLAS", "MLAS", "BLEX"],
    ]
    # Right, gold and system: "du" is a token of both sides, and no word of the gold.
    assert [rows[k][-3:] for k in (1, 3, 10)] == [["5", "5", "5"], ["4", "6", "5"], ["4", "6", "5"]]
    document = as_alice.get(reverse("submission_unit", args=[run.pk, 1, "d1"])).content.decode()
    assert [row[:2] for row in cells(document, "Sentence 1")][1:4:2] == [["1", "Léa"], ["3", "de"]]


@pytest.mark.thorough
def test_f_beta_stands_beside_f1_where_there_are_precision_and_recall(as_alice, olga, team, alice):
    run = make_parsed(olga, team, alice, beta=0.5, gold_released=True)
    page = unescape(as_alice.get(run.get_absolute_url()).content.decode())
    for title in ("Entities", "Entities by type", "Categories by label", "Spans by label"):
        assert any("Fβ" in cell for cell in cells(page, title)[0]), title
    assert not any("Fβ" in cell for cell in cells(page, "Dependencies by label")[0])


HEADINGS = {
    "Tokens and sentences",
    "Tags, lemmas and morphology",
    "Dependencies",
    "Entities",
    "Links",
    "Spans: sc",
    "Spans: parts & more",
    "Categories",
}


@pytest.mark.thorough
def test_each_kind_of_annotation_has_a_section(page, release):
    release()
    content = page()
    assert set(re.findall(r"<h3[^>]*>(.*?)</h3>", content)) >= HEADINGS
    for title in ("Averages over types", "Nearly right", "Which types were taken for which"):
        assert f"<h4>{title}</h4>" in content


@pytest.mark.thorough
def test_kinds_that_are_not_scored_have_no_section(as_alice, olga, team):
    task = make_task("tags", olga)
    scenario = make_scenario(task, family="spacy", options={"scores": [{"name": "tagger"}], "headline": "tag_acc"})
    phase = make_phase(task, gold_released=True)
    files = {"a.jsonl": json.dumps({"id": "d1", "words": ["a", "b"], "tags": ["X", "Y"]})}
    make_gold(phase, scenario, files)
    made = make_run(phase, team, files)
    content = as_alice.get(made.get_absolute_url()).content.decode()
    assert HEADINGS & set(re.findall(r"<h3[^>]*>(.*?)</h3>", content)) == {"Tags, lemmas and morphology"}
    content = as_alice.get(reverse("submission_unit", args=[made.pk, 1, "d1"])).content.decode()
    assert "Token by token" in content
    assert '<svg class="tree"' not in content


def test_scores_stand_with_their_intervals_and_counts(page, run, release):
    release()
    result = run.scorings.get().result
    _, row = cells(page(), "Entities")
    assert row[0] == "Entities"
    for cell, name in zip(row[1:4], ("ents_p", "ents_r", "ents_f"), strict=True):
        low, high = result.intervals[name]
        digits = decimals_of_ends((low, high))
        assert cell == f"{result.scores[name]:.3f} [{low:.{digits}f}, {high:.{digits}f}]"
    assert row[-3:] == [str(result.counts[f"ents_{kind}"]) for kind in ("tp", "fp", "fn")]


@pytest.mark.thorough
def test_types_have_tables_and_the_area_of_a_label_stands_beside_its_f1(page, release):
    release()
    content = page()
    assert [row[0] for row in cells(content, "Entities by type")] == ["Label", "MISC", "ORG", "PER"]
    header, *rows = cells(content, "Categories by label")
    assert {"F1", "Area", "Positives"} <= set(header)
    assert [row[header.index("Area")] for row in rows] == ["1.000 (few items)"] * 3


@pytest.mark.thorough
def test_tables_by_label_are_folded(page, release):
    release()
    content = " ".join(page().split())
    for title in ("Nearly right, by type: 12 rows", "Entities by type: 3 rows"):
        assert f"<summary> {title} </summary>" in content


def test_cells_of_a_few_items_are_one_while_the_gold_is_hidden(page):
    rows = cells(page(), "Confusion of labels")
    assert rows == [["Gold ↓ System →", "(fewer than 10)", "all"], ["(fewer than 10)", "6", "6"]]


@pytest.mark.thorough
def test_types_taken_for_others_are_counted_and_nothing_has_no_name(page, release):
    release()
    content = page()
    rows = cells(content, "Confusion of labels")
    assert rows[0] == ["Gold ↓ System →", "ORG", "PER", "missing", "all"]
    assert rows[-1] == ["spurious", "1", "1", "", "2"]
    assert rows[-2] == ["PER", "1", "", "", "1"]


def test_a_result_whose_file_is_gone_is_shown_without_its_documents(page, release, run):
    release()
    run.scorings.get().result.evaluation.delete(save=False)
    assert "Document by document" not in page()


def test_a_document_shows_spans_trees_tokens_links_and_categories(document):
    content = document("d1")
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", content) == [
        "Entities",
        "Spans: sc",
        "Spans: parts &amp; more",
        "Sentence by sentence",
        "Links",
        "Categories",
    ]
    assert content.count('<svg class="tree"') == 4
    assert cells(content, "Links")[1:] == [
        ["PER Ann Lee", "Q1", "–", "× wrong"],
        ["ORG the Bern zoo", "Q2", "no entity here", "–"],
    ]
    assert [row[:3] for row in cells(content, "Categories")[1:]] == [
        ["TRAVEL", "1.000", "0.800"],
        ["WEATHER", "1.000", "0.300"],
        ["SPORT", "0.000", "0.100"],
    ]


@pytest.mark.thorough
def test_every_tree_has_a_title_a_description_and_a_list_beside_it(document):
    content = document("d1")
    for names in re.findall(r'<svg class="tree"[^>]*aria-labelledby="([^"]+)"', content):
        for name in names.split():
            assert content.count(f' id="{name}"') == 1
    assert content.count(", token by token") == 2


def test_wrong_arcs_are_told_by_class_and_sign(document):
    content = document("d1")
    assert len(re.findall(r'<g class="arc is-heads">.*?<text[^>]*>× ', content)) == 6
    assert len(re.findall(r'<g class="arc is-labels">.*?<text[^>]*>≠ ', content)) == 2


@pytest.mark.thorough
def test_anchors_on_the_page_of_a_document_are_its_own(document):
    found = re.findall(r' id="([^"]+)"', document("d1"))
    assert len(set(found)) == len(found)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("show", "n_trees", "n_layers"),
    [("", 4, 3), ("errors", 4, 3), ("heads", 2, 0), ("labels", 2, 0), ("spurious", 0, 3), ("<script>", 4, 3)],
)
def test_a_document_is_filtered_by_kind_without_any_script(document, show, n_trees, n_layers):
    content = document("d1", f"?show={show}")
    assert content.count('<svg class="tree"') == n_trees
    assert content.count('<section class="layer"') == n_layers


@pytest.mark.thorough
def test_an_entirely_right_document_folds_its_tree(document):
    content = document("d 2/3")
    assert "The tree of both sides</summary>" in content
    assert "Errors" not in content
