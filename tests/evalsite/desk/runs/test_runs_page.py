"""All runs of a task on one page: found, changed many at a time, downloaded, and the organisers' own uploaded."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.challenges.models import Event, Organiser, Task
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Scoring, Submission
from tests.factories import PARTLY_RIGHT, make_run, make_submission, make_task, make_user, run_files, scored, zip_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(as_olga, task):
    def address(rest: str = "") -> str:
        return f"/tasks/{task.slug}/organise/runs/{rest}"

    as_olga.at = address
    return as_olga


@pytest.fixture
def runs(phase, scenario, team, strangers):
    """Two of Alice's, the second better, and one of Charlie's."""
    files = {"Rules": PARTLY_RIGHT, "CRF": run_files(relations=""), "Neural": run_files()}
    teams = (team, team, strangers)
    return [
        make_run(phase, each, content, method=method)
        for each, (method, content) in zip(teams, files.items(), strict=True)
    ]


def methods(page) -> list[str]:
    return [run.submission.method for run in page.context["runs"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Neural", "CRF", "Rules"]),
        ("q=crf", ["CRF"]),
        ("counts=yes", ["Neural", "CRF"]),
        ("counts=no&scenario=1", ["Rules"]),
        ("state=failed", []),
        ("stands=withdrawn", []),
        ("stands=late", []),
        ("phase=test&state=scored&stands=ranked", ["Neural", "CRF", "Rules"]),
        ("phase=none&state=strange", ["Neural", "CRF", "Rules"]),
    ],
)
def test_runs_are_found_by_what_they_are(desk, runs, query, found):
    assert methods(desk.get(f"{desk.at()}?{query}")) == found


def test_scores_stand_in_a_column_of_each_scenario_and_versions_only_where_they_differ(desk, runs, phase):
    page = desk.get(desk.at())
    assert {scenario.number for run in page.context["runs"] for scenario in run.scenarios} == {1}
    assert not any(run.tells_versions for run in page.context["runs"])
    assert "gold 1, engine" in " ".join(page.content.decode().split())
    Scoring.objects.filter(submission=runs[0]).update(engine_version="0.9")
    [told] = [run for run in desk.get(desk.at()).context["runs"] if run.tells_versions]
    assert told.submission == runs[0]


@pytest.mark.thorough
def test_the_page_says_what_became_of_each_run(desk, runs, phase, team, alice, olga):
    scored(make_submission(phase, None, olga, run_files(), method="Dictionary", reference="baseline"))
    failed = make_submission(phase, team, alice, run_files(relations="") | {"README.md": "2"}, method="Failed")
    Scoring.objects.filter(submission=failed).update(state="failed", error="the disk is full")
    page = desk.get(desk.at())
    text = " ".join(page.content.decode().split())
    assert "the disk is full" in text
    [failed_run, baseline, neural, crf, rules] = page.context["runs"]
    assert baseline.tags == ["baseline"]
    assert [[line.is_on_board for line in run.lines] for run in (neural, crf, rules)] == [[True], [True], [False]]
    assert "gold 1 · engine" in text
    assert failed_run.lines[0].score is None


def test_the_number_of_queries_does_not_grow_with_the_runs(desk, runs, phase, team):
    with CaptureQueriesContext(connection) as few:
        desk.get(desk.at())
    for number in range(8):
        make_run(phase, team, PARTLY_RIGHT | {"README.md": str(number)})
    with CaptureQueriesContext(connection) as many:
        desk.get(desk.at())
    assert len(many) == len(few)


def test_an_action_is_shown_first_and_withdraws_with_a_reason_that_stays(desk, runs):
    chosen = {"action": "withdraw", "which": "ticked", "run": [str(run.pk) for run in runs[:2]]}
    shown = desk.get(desk.at("act/"), chosen)
    assert "2 runs of 1 team, of which 1 is on a board." in " ".join(shown.content.decode().split())
    assert not Submission.objects.exclude(withdrawn=None).exists()
    assert desk.post(desk.at("act/"), chosen).status_code == 422  # without a reason
    assert desk.post(desk.at("act/"), chosen | {"reason": "Used the gold."}).status_code == 302
    withdrawn = Submission.objects.exclude(withdrawn=None)
    assert {(each.method, each.withdrawn_as, each.withdrawn_reason) for each in withdrawn} == {
        ("Rules", "organisers", "Used the gold."),
        ("CRF", "organisers", "Used the gold."),
    }
    desk.post(desk.at("act/"), chosen | {"action": "restore"})
    assert not Submission.objects.exclude(withdrawn=None).exists()
    assert Event.objects.filter(kind="restored").count() == 2


@pytest.mark.thorough
def test_from_ten_runs_on_their_number_is_typed_and_has_to_be_the_one_of_now(desk, phase, scenario, team, alice):
    for number in range(10):
        make_submission(phase, team, alice, PARTLY_RIGHT | {"README.md": str(number)})
    everything = {"action": "late", "which": "all", "filter": "phase=test"}
    assert "To confirm, type the number of runs: 10" in desk.get(desk.at("act/"), everything).content.decode()
    make_submission(phase, team, alice, PARTLY_RIGHT | {"README.md": "one more"})
    assert desk.post(desk.at("act/"), everything | {"number": "10"}).status_code == 422
    assert not Submission.objects.filter(is_late=True).exists()
    assert desk.post(desk.at("act/"), everything | {"number": "11"}).status_code == 302
    assert Submission.objects.filter(is_late=True).count() == 11


def test_runs_of_other_tasks_are_out_of_reach_and_viewers_change_nothing(desk, runs, phase, task):
    elsewhere = make_task("other", organiser=make_user("Otto"))
    desk.force_login(elsewhere.organisers.get())
    chosen = {"action": "late", "which": "ticked", "run": [str(run.pk) for run in runs]}
    foreign = f"/tasks/{elsewhere.slug}/organise/runs/"
    assert desk.post(f"{foreign}act/", chosen).status_code == 302
    assert desk.get(f"{foreign}files.zip", chosen).status_code == 302
    assert desk.get(f"{foreign}{runs[0].pk}/").status_code == 404
    viewer = make_user("Vera")
    Organiser.objects.create(task=task, user=viewer, role=Organiser.Role.VIEWER)
    desk.force_login(viewer)
    assert desk.get(desk.at()).status_code == 200
    for address in ("act/", f"{runs[0].pk}/", "new/test/"):
        assert desk.post(desk.at(address), chosen).status_code == 403
    assert not Submission.objects.filter(is_late=True).exists()


def test_several_files_come_as_one_archive_with_a_table(desk, runs):
    answer = desk.get(desk.at("files.zip"), {"run": [str(run.pk) for run in runs[1:]]})
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        table = archive.read("runs.csv").decode().splitlines()
        with runs[1].file.open("rb") as stream:
            assert stream.read() in [archive.read(name) for name in names]
    assert len(names) == 3
    assert [line.split(",")[3] for line in table] == ["method", "CRF", "Neural"]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["baseline", "human", "trial"])
def test_the_organisers_upload_before_the_opening_with_the_checks_of_all(desk, phase, scenario, kind):
    phase.opens, phase.closes = timezone.now() + timedelta(days=1), None
    phase.save()
    address = desk.at(f"new/{phase.slug}/")
    assert "A run of the organisers" in desk.get(f"{address}?kind={kind}").content.decode()

    def send(files):
        packed = SimpleUploadedFile("run.zip", zip_of(files), "application/zip")
        return desk.post(address, {"files": packed, "method": "Dictionary", "reference": kind})

    refused = send(run_files(phrases="nonsense"))
    assert (refused.status_code, "cannot be scored as they are" in refused.content.decode()) == (422, True)
    assert send(run_files()).status_code == 302
    made = scored(Submission.objects.get())
    assert (made.reference, made.team) == (kind, Task.objects.get().house)
    board = Board.objects.get()
    refresh(board)
    assert [each["reference"] for each in board.editions.get().entries] == [kind] * (kind != "trial")


@pytest.mark.thorough
def test_a_run_of_the_organisers_changes_its_kind_and_a_teams_run_its_name_alone(desk, runs, phase, olga):
    own = make_submission(phase, None, olga, run_files(), method="Dictionary", reference="trial")
    desk.post(desk.at(f"{own.pk}/"), {"method": "Dictionary look-up", "reference": "baseline"})
    desk.post(desk.at(f"{runs[0].pk}/"), {"method": "Renamed", "reference": "baseline"})
    found = Submission.objects.filter(pk__in=[own.pk, runs[0].pk]).values_list("method", "reference")
    assert set(found) == {("Dictionary look-up", "baseline"), ("Renamed", "")}
