"""The drawer of a task: all that is needed to write about it."""

import csv
import io
import re
import zipfile
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.challenges.models import Application, EntryRules, FactSheet, Phase
from evalsite.contrib.drawer import contents
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, make_submission, make_team, make_user, run_files, scored, work_off

pytestmark = pytest.mark.django_db
HOSTILE = r"=cmd|' /C calc'!A1 \input{/etc/passwd} & 100% $x_1^2$ #{}~ <script>"


@pytest.fixture
def hostile():
    return make_team(HOSTILE, make_user("Mallory", affiliation="+Evil & Co"))


@pytest.fixture
def runs(phase, team, hostile, olga):
    FactSheet.objects.create(task=phase.task, own=[{"key": "x", "text": "Track", "kind": "text", "choices": []}])
    found = [
        make_run(phase, team, run_files(relations="")),
        make_run(phase, team, method="Better"),
        make_run(phase, hostile, method="@SUM(1) \\end{document}"),
        scored(make_submission(phase, None, olga, run_files(), method="Dictionary", reference="baseline")),
    ]
    refresh_all()
    return found


def page_of(task, name="desk_ending"):
    return reverse(name, args=[task.slug])


def made(client, task, **ticked):
    assert client.post(page_of(task, "desk_ending_job"), ticked).status_code == 302
    work_off()
    return opened(client.get(page_of(task, "desk_ending_drawer")))


def opened(answer):
    """Return the files of an answer that is a zip, by their paths."""
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_the_drawer_holds_boards_runs_teams_citations_and_a_draft(as_olga, phase, runs, team):
    files = made(as_olga, phase.task)
    board = f"boards/{phase.slug}/scenario1"
    parts = {*(f"{board}.{suffix}" for suffix in ("csv", "json", "tex", "md", "svg"))}
    parts |= {f"{board}-{name}" for name in ("pairs.csv", "pairs.tex", "runs.csv", "runs.tex")}
    parts |= {"README.md", "results.tex", "results.md", "citations.bib", "teams.csv", "fact-sheets.csv"}
    parts |= {"uploads.csv", "uploads.svg"}
    assert set(files) == parts
    for name in parts - {"README.md"}:
        assert f"`{name}`" in files["README.md"].decode()
    assert "Still open: Test: The results are not released." in files["README.md"].decode().replace("\\", "")
    assert {row["method"] for row in rows(files[f"{board}-runs.csv"])} >= {"Rules", "Better", "Dictionary"}
    assert len(rows(files["fact-sheets.csv"])) == 3  # the organisers' own run has none
    assert files["citations.bib"].decode().count("@misc{") == 4  # the task, two teams, the baseline
    assert sum(int(row["uploads"]) for row in rows(files["uploads.csv"])) == 3
    for name in (f"{board}.svg", "uploads.svg"):
        ElementTree.fromstring(files[name])  # noqa: S314 - our own
    assert "alice@example.org" not in b"".join(files.values()).decode()


@pytest.mark.thorough
def test_the_numbers_of_the_drawer_are_those_of_the_board(client, as_olga, phase, runs):
    files = made(as_olga, phase.task)
    address = reverse("board_export", args=[phase.task.slug, phase.slug, 1, "csv"])
    assert as_olga.get(address).content == files[f"boards/{phase.slug}/scenario1.csv"]


def test_the_draft_claims_what_the_tests_allow(as_olga, phase, runs):
    said = made(as_olga, phase.task)["results.tex"].decode()
    assert "2 teams uploaded 3 runs (3 of them got a score)" in said
    assert "2 sentences are too few to tell systems apart." in said
    assert "can be told apart." not in said.replace("cannot be told apart from the first", "")
    assert "The baseline Dictionary (" in said
    assert r"\input{boards/test/scenario1.tex}" in said


def test_what_teams_answered_when_they_entered_is_there_without_addresses(as_olga, phase, team, runs):
    questions = [{"key": "q", "text": "Country", "kind": "text", "choices": []}]
    EntryRules.objects.create(task=phase.task, questions=questions)
    accepted = Application.State.ACCEPTED
    user = team.memberships.first().user
    Application.objects.create(task=phase.task, team=team, user=user, state=accepted, answers={"q": "Peru"})
    text = made(as_olga, phase.task)["entries.csv"].decode()
    assert "Country" in text
    assert "Peru" in text
    assert user.email not in text


def commands(tex):
    """Return the commands of a text in LaTeX, without its comments; braces have to match."""
    code = re.sub(r"(?<!\\)%.*", "", tex)
    tokens = re.findall(r"\\[A-Za-z]+|\\.|[{}&$#_^~]|[^\\{}&$#_^~]+", code)
    depth = 0
    for token in tokens:
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    assert not depth
    assert not {"#", "_", "^"} & set(tokens)  # which would end a run of LaTeX
    return {token for token in tokens if re.fullmatch(r"\\[A-Za-z]+", token)}


OURS = {
    *(r"\section", r"\subsection", r"\begin", r"\end", r"\centering", r"\input", r"\caption", r"\label"),
    *(r"\resizebox", r"\ifdim", r"\width", r"\linewidth", r"\else", r"\fi"),
    *(r"\toprule", r"\midrule", r"\bottomrule", r"\textbackslash", r"\textasciitilde", r"\textasciicircum"),
}


def test_names_are_no_code_in_latex_no_formulas_in_tables_and_no_markup_in_markdown(as_olga, phase, runs):
    files = made(as_olga, phase.task)
    for name, content in files.items():
        if name.endswith(".tex"):
            assert commands(content.decode()) <= OURS, name
            assert "/etc/passwd}" not in content.decode().replace(r"\}", "")
            assert r"\end{document}" not in content.decode()
        if name.endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]
            assert not [cell for cell in cells if cell[:1] in "=+@" and cell]
        if name.endswith(".md"):
            assert "<script>" not in content.decode().replace(r"\<", "")


@pytest.mark.thorough
def test_files_of_runs_come_if_they_are_ticked_and_are_not_too_large(as_olga, phase, runs, monkeypatch):
    files = made(as_olga, phase.task, uploads="on")
    assert sum(name.startswith("runs/") for name in files) == 5  # with their table
    monkeypatch.setattr(contents, "MOST_BYTES", 1)
    monkeypatch.setattr("evalsite.contrib.drawer.views.MOST_BYTES", 1)
    Job.objects.all().delete()
    as_olga.post(page_of(phase.task, "desk_ending_job"), {"uploads": "on"})
    assert not Job.objects.exists()
    assert "too much for one zip" in as_olga.get(page_of(phase.task)).content.decode()


@pytest.mark.thorough
def test_the_newest_archive_replaces_the_one_before_and_one_is_made_at_a_time(
    as_olga, phase, runs, django_capture_on_commit_callbacks
):
    made(as_olga, phase.task)
    before = Job.objects.get(kind="paper drawer")
    with django_capture_on_commit_callbacks(execute=True):
        made(as_olga, phase.task)
    after = Job.objects.get(kind="paper drawer")
    assert after.pk != before.pk
    assert not before.file.storage.exists(before.file.name)
    as_olga.post(page_of(phase.task, "desk_ending_job"))
    as_olga.post(page_of(phase.task, "desk_ending_job"))
    assert Job.objects.filter(kind="paper drawer").count() == 2
    assert "The zip is being made." in as_olga.get(page_of(phase.task)).content.decode()
    waiting = as_olga.get(page_of(phase.task, "desk_ending_job"), headers={"HX-Request": "true"})
    assert "The zip is being made." in waiting.content.decode()
    work_off()
    assert as_olga.get(page_of(phase.task, "desk_ending_job"), headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_a_task_without_anything_has_a_page_and_a_drawer(as_olga, task):
    assert as_olga.get(page_of(task)).status_code == 200
    assert as_olga.get(page_of(task, "desk_ending_drawer")).status_code == 404
    assert "0 teams entered" in made(as_olga, task)["results.md"].decode()


@pytest.mark.thorough
def test_records_for_others_are_in_it_once_the_results_are_released(as_olga, phase, runs):
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    files = made(as_olga, phase.task)
    assert "boards/test/scenario1.jsonl" in files
