"""Tests what is made of a stored result when somebody asks: files of its tables, and pages of single units."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.core import serializers
from django.urls import reverse

import scoring
from evalsite.challenges.models import Phase
from evalsite.submissions.models import Result, ResultTables
from tests.evalsite.families import make_answered

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team, alice):
    return make_answered(olga, team, alice)


def read(response) -> str:
    return unescape(response.content.decode())


def test_an_export_is_a_file_to_be_saved_and_named_after_the_run(get, run):
    response = get("submission_export", "report.txt")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/octet-stream"
    name = f"{str(run.pk)[:8]}-scenario1-report.txt"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert read(response).startswith("Task1 Results:")


def test_an_export_that_tells_single_answers_waits_for_the_gold(as_alice, get, run, release, olga):
    assert get("submission_export", "res.dat").status_code == 404
    assert "res.dat" not in read(as_alice.get(run.get_absolute_url()))
    release()
    assert "QAC1-1001-01: Nagoya ×, Tsu ○" in read(get("submission_export", "res.dat"))
    assert "res.dat" in read(as_alice.get(run.get_absolute_url()))


@pytest.mark.thorough
def test_an_organiser_has_every_export_at_any_time(as_olga, run):
    assert as_olga.get(reverse("submission_export", args=[run.pk, 1, "res.dat"])).status_code == 200


def test_there_is_no_export_where_scores_are_kept_back(get, run):
    Phase.objects.filter(pk=run.phase_id).update(shows_scores=False)
    assert get("submission_export", "report.txt").status_code == 404


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["none.txt", "..", "report.txt.zip"])
def test_an_unknown_export_is_not_found(get, name):
    assert get("submission_export", name).status_code == 404


@pytest.mark.thorough
def test_an_export_of_an_empty_table_is_not_offered(as_alice, get, run, release, monkeypatch):
    release()
    offer(monkeypatch, table="unanswerable")
    assert get("submission_export", "res.dat").status_code == 200
    ResultTables.objects.update(tables={})
    assert get("submission_export", "res.dat").status_code == 404
    assert "res.dat" not in read(as_alice.get(run.get_absolute_url()))


def offer(monkeypatch, *, table: str) -> None:
    """All exports of the family only if this table has rows."""
    family = scoring.FAMILIES["qac"]
    exports = tuple(replace(export, table=table) for export in family.table_notes.exports)
    notes = replace(family.table_notes, exports=exports)
    monkeypatch.setattr("scoring.families.qac.QAC", replace(family, table_notes=notes))


@pytest.mark.thorough
def test_an_export_of_a_listing_is_offered_although_the_page_does_not_load_it(get, release, monkeypatch):
    release()
    offer(monkeypatch, table="answers")
    assert "answers" not in Result.objects.get().tables
    assert get("submission_export", "res.dat").status_code == 200


@pytest.mark.thorough
def test_a_listing_without_rows_leaves_a_note_so_that_nothing_made_of_it_is_offered(
    team, alice, run, as_olga, monkeypatch
):
    offer(monkeypatch, table="answers")
    result = Result.objects.get()
    ResultTables.objects.update(tables=result.tables | {"answers": []})
    assert as_olga.get(reverse("submission_export", args=[run.pk, 1, "report.txt"])).status_code == 404


def test_a_unit_shows_question_gold_answers_and_outputs_with_their_marks(get, release):
    release()
    page = read(get("submission_unit", "QAC1-1001-01"))
    assert "Where is Mie University?" in page
    assert "found at 2" in page  # Tsu
    assert "not found" in page  # Mie
    assert "× wrong" in page
    assert "○ right" in page
    assert "not the gold's for this answer" in page


def test_a_unit_leads_to_the_ones_before_and_after(get, release, run):
    release()
    by_name = "?order=name"
    page = read(get("submission_unit", "QAC1-1002-01", query=by_name))
    assert "2 of 3 questions" in re.sub(r"<[^>]*>", "", page)
    for relation, name in (("prev", "QAC1-1001-01"), ("next", "QAC1-1003-01")):
        address = reverse("submission_unit", args=[run.pk, 1, name]) + by_name
        assert f'<a rel="{relation}" href="{address}"' in page
    assert 'rel="prev"' not in read(get("submission_unit", "QAC1-1001-01", query=by_name))
    assert 'rel="next"' not in read(get("submission_unit", "QAC1-1003-01", query=by_name))


@pytest.mark.thorough
def test_a_unit_that_does_not_exist_is_not_found(get, release):
    release()
    assert get("submission_unit", "QAC1-9999-01").status_code == 404


@pytest.mark.thorough
def test_a_family_without_such_pages_has_none(as_alice, scored_submission, phase):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    assert as_alice.get(reverse("submission_unit", args=[scored_submission.pk, 1, "1"])).status_code == 404


@pytest.mark.thorough
def test_a_series_is_one_unit_with_all_its_questions(as_alice, olga, team, alice):
    made = make_answered(olga, team, alice, task=2, gold_released=True)
    scenario = made.phase.task.scenarios.get()
    assert scenario.unit[0] == "question"
    page = read(as_alice.get(made.get_absolute_url()))
    assert "Question by question" in page
    assert reverse("submission_unit", args=[made.pk, 1, "QAC1-1002-01"]) in page


def test_questions_are_listed_where_the_gold_may_be_seen(as_alice, get, run, release):
    page = read(as_alice.get(run.get_absolute_url()))
    assert "marks</strong>" not in page
    assert "QAC1-1002-01" not in page
    assert "<h3>Questions without answer</h3>" not in page
    release()
    page = read(as_alice.get(run.get_absolute_url()))
    assert "1.5 marks out of 3.0" in page.replace("</strong>", "").replace('<strong class="number">', "").replace(
        '<span class="number">', ""
    )
    assert "QAC1-1002-01" in page
    assert "<h3>Questions without answer</h3>" in page


@pytest.mark.parametrize("file", ["submission.file", "gold.file", "result.evaluation"])
def test_a_page_whose_files_are_gone_says_so_and_leads_back(get, run, release, file):
    release()
    owner, field = file.split(".")
    scored = run.scorings.get()
    getattr(getattr(scored, owner), field).delete(save=False)
    response = get("submission_unit", "QAC1-1001-01")
    assert response.status_code == 410
    assert f'href="{run.get_absolute_url()}"' in read(response)


@pytest.mark.thorough
def test_an_export_whose_evaluation_is_gone_says_so(get, run):
    run.scorings.get().result.evaluation.delete(save=False)
    assert get("submission_export", "report.txt").status_code == 410


def test_the_tables_of_a_result_come_back_from_djangos_dump_of_the_database_as_they_were(run):
    kept = ResultTables.objects.get()
    dump = serializers.serialize("json", [kept])
    ResultTables.objects.update(tables={}, intervals={})
    [loaded] = serializers.deserialize("json", dump)
    loaded.save()
    again = ResultTables.objects.get()
    assert kept.tables
    assert (again.tables, again.intervals) == (kept.tables, kept.intervals)
