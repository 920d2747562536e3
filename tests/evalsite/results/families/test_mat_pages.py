"""The pages of a run of span annotations: tables by tag, spreadsheets, and documents beside the gold."""

import csv
import io
import re
from html import unescape

import pytest
from django.urls import reverse

from tests.evalsite.families import make_annotated

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team, alice):
    return make_annotated(olga, team, alice)


def show(run, *scores):
    run.phase.task.scenarios.update(shown_scores=scores)


def test_the_run_shows_tags_partial_matches_and_confusion_but_no_document(page, run):
    show(run, *(f"partial_{part}" for part in ("precision", "recall", "f1")), "precision", "recall")
    content = page()
    for heading in ("Spans by tag", "Partial matches", "Confusion matrix"):
        assert f"<h3>{heading}</h3>" in content
    assert '<tfoot><tr><th scope="row"><span class="name"><all></span>' in content
    assert "Document by document" not in content
    assert "/units/" not in content


@pytest.mark.thorough
def test_of_many_scores_the_further_ones_are_folded(page, release):
    release()
    main, further = page().split("20 further scores")
    assert "Macro F1" in main
    assert "Accuracy of tokens and their tags" not in main
    assert "Accuracy of tokens and their tags" in further


@pytest.mark.thorough
def test_counts_have_titles_and_keys_stand_nowhere(page, run):
    show(run, "strict_f1", "partial_f1")
    content = page()
    counts = content[content.index("Counts that the scores come from") : content.index("Downloads")]
    assert "Spans of the gold that clash" in counts
    assert "Partial: partial" in counts
    assert not re.search(r"refclash|hyponly|Strict: partial|Partial: incorrect", counts, re.IGNORECASE)


def test_spreadsheets_are_offered_and_the_one_with_single_spans_waits_for_the_gold(page, get, release):
    rows = list(csv.reader(io.StringIO(get("submission_export", "bytag.csv").content.decode("utf-8-sig"))))
    assert rows[0][0] == "tag"
    assert rows[-1][0] == "<all>"
    assert "details.csv" not in page()
    assert get("submission_export", "details.csv").status_code == 404
    release()
    assert "details.csv" in page()
    assert b"Gorloin harbour" in get("submission_export", "details.csv").content


def test_a_spreadsheet_lacks_the_columns_and_the_sum_that_tell_hidden_scores(page, get, run):
    show(run, "f1")
    head, *rows = csv.reader(io.StringIO(get("submission_export", "bytag.csv").content.decode("utf-8-sig")))
    assert not {"precision", "recall"} & set(head)
    assert "<all>" not in [row[0] for row in rows]
    assert not any(row[head.index("match")].startswith("=SUM") for row in rows)
    assert get("submission_export", "bytoken.csv").status_code == 404
    assert "Tokens by tag" not in page()


def texts(content: str) -> list[str]:
    """Return what each side of each passage reads, without the labels."""
    start = r'<p class="side" lang="[^"]*" dir="auto"><span class="side-name">\w+</span>'
    sides = re.findall(rf"{start}(.*?)</p>", content, re.DOTALL)
    without_labels = (re.sub(r'<(a|span) class="tag.*?</\1>', "", side) for side in sides)
    return [unescape(re.sub(r"<[^>]+>", "", side)) for side in without_labels]


def test_a_document_shows_its_text_on_both_sides_unchanged(get, release):
    release()
    content = get("submission_unit", "one.json").content.decode()
    first, second = "Mirelle left Gorloin harbour. Ilmen & Kestrel sang.", "Nobody <b>heard</b> Velmira."
    assert texts(content) == [first, first, second, second]
    for title in ("Match", "Other extent", "Other label", "Both differ", "Missing", "Spurious"):
        assert title in content


def test_each_error_leads_to_its_row(get, release):
    release()
    content = get("submission_unit", "one.json").content.decode()
    leads = re.findall(r'<a class="tag is-\w+" id="(?:gold|system)-\d+" href="#(pair-\d+)">', content)
    assert len(leads) == 2 * 3 + 1 + 1  # clashes on both sides, a missing and a spurious one
    assert all(f'<tr id="{row}">' in content for row in leads)


@pytest.mark.thorough
def test_a_document_is_filtered_by_kind_without_any_script(get, release):
    release()
    content = get("submission_unit", "one.json", query="?show=missing").content.decode()
    assert texts(content) == ["Nobody <b>heard</b> Velmira."] * 2
    assert len(re.findall(r'<tr id="pair-', content)) == 1
    assert re.search(r'<a href="\?show=missing" aria-current="true">', content)
    assert (
        "No span of this kind"
        in get("submission_unit", "the second document.json", query="?show=missing").content.decode()
    )


@pytest.mark.thorough
@pytest.mark.parametrize("show", ["<script>", "matches", ""])
def test_an_odd_wish_shows_the_whole_document(get, release, show):
    release()
    response = get("submission_unit", "one.json", query=f"?show={show}")
    assert len(re.findall(r'<tr id="pair-', response.content.decode())) == 7


def test_a_document_that_is_not_there_is_not_found(get, release):
    release()
    assert get("submission_unit", "../one.json").status_code == 404
    assert get("submission_unit", "two.json").status_code == 404


@pytest.mark.thorough
def test_options_stand_on_the_upload_page_as_the_command_line_takes_them(as_alice, run):
    run.phase.task.scenarios.update(options={"content_annotations": ["PER", "LOC"], "details": False})
    run.phase.task.phases.update(gold_released=True)
    content = as_alice.get(reverse("submit", args=["spans", "test"])).content.decode()
    assert "-o content_annotations=PER,LOC" in content
    assert "-o details=false" in content
