"""Where scores are made elsewhere, the organisers bring them; what teams report competes with nobody."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from evalsite.api import tokens
from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Scenario
from evalsite.desk.scenarios.forms import ScenarioForm
from evalsite.leaderboard.combined.parts import sides_of
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.models import BestRun, Board, BoardLease, RecordRun
from evalsite.leaderboard.tasks import refresh_board
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import admission
from evalsite.submissions.uploads import as_upload
from scoring.families import FAMILIES
from scoring.remote.answers import board_lines
from tests.evalsite.board_pages.pages import page, text
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    scored,
    zip_upload,
)

pytestmark = pytest.mark.django_db

TASK = "/tasks/judged/"
BOARD = f"{TASK}test/board/1/"
SUBMIT = f"{TASK}test/submit/"
API = "/api/v1/tasks/judged/test"
WORDS = "These scores are made elsewhere and brought by the organisers: nobody uploads them here."
N_UNITS = 30


def marks(quality: float, shift: int = 0) -> str:
    rows = (f"u{k},{quality + ((k * 7 + shift) % 10 - 4.5) / 50:.4f}\n" for k in range(N_UNITS))
    return "unit,score\n" + "".join(rows)


def file(content: str, name: str = "run.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode())


@pytest.fixture
def scenario(olga) -> Scenario:
    """A judged task of olga's, to which she has brought the runs of two teams."""
    task = make_task("judged", olga)
    phase = make_phase(task, window_limit=5)
    scenario = make_scenario(task, name="Marks", family="given", options={})
    make_gold(phase, scenario, {"units.csv": "unit\n" + "".join(f"u{k}\n" for k in range(N_UNITS))})
    for name, quality in (("Ada", 0.8), ("Bo", 0.6)):
        team = make_team(f"Team {name}", make_user(name))
        scored(make_submission(phase, team, olga, {"run.csv": marks(quality, len(name))}))
    return scenario


@pytest.fixture
def phase(scenario):
    return scenario.task.phases.get()


@pytest.fixture
def opened(scenario) -> Scenario:
    scenario.takes_reports = True
    scenario.save()
    return scenario


@pytest.fixture
def reported(opened, phase, team) -> Submission:
    """The best marks of all, by alice herself."""
    made = make_run(phase, team, {"run.csv": marks(0.99)}, method="Wishes")
    make_board(phase)
    return made


def make_board(phase) -> None:
    BoardLease.objects.all().delete()
    for board in Board.objects.filter(phase=phase):
        refresh_board(str(board.phase_id), str(board.scenario_id))


def calling(client, user) -> dict[str, str]:
    _, token = tokens.make(user, "laptop", "read upload", None)
    client.logout()
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}


def test_one_family_is_brought_by_organisers():
    assert [name for name, family in FAMILIES.items() if family.offer.is_brought_by_organisers] == ["given"]


@pytest.mark.parametrize("is_known", [False, True])
def test_the_page_of_the_task_offers_nothing_to_upload(client, phase, team, alice, is_known):
    if is_known:
        client.force_login(alice)
    html = page(client, path=TASK)
    words = text(html)
    assert words.count(WORDS) == 2  # beside the phase and the scenario
    for offer in ("Log in to upload", "Upload a run", "uploads a day", "Starter kit", "What to upload", "first upload"):
        assert offer not in words, offer
    assert "Try your files" not in words
    assert "Does not accept uploads yet" not in words


def test_each_door_is_shut_with_the_same_words(as_alice, phase, team):
    sent = {"team": str(team.pk), "method": "Wishes"}
    assert WORDS in text(page(as_alice, path=SUBMIT))
    for further in ({}, {"check": "only"}, {"anyway": "1"}):
        answer = as_alice.post(SUBMIT, {**sent, **further, "files": [file(marks(0.99))]})
        assert (answer.status_code, WORDS in text(answer.content.decode())) == (403, True)
    assert as_alice.get(f"{TASK}test/kit/").status_code == 404
    assert as_alice.get(reverse("example", args=["judged", 1])).status_code == 404
    check = reverse("open_check", args=["judged", "test"])
    assert WORDS in text(page(as_alice, path=check))
    assert as_alice.post(check, {"files": [file(marks(0.99))]}).status_code == 422
    assert not Submission.objects.filter(team=team).exists()
    assert not KeptUpload.objects.exists()


def test_each_door_of_the_api_is_shut_with_the_same_words(client, phase, team, alice):
    known = calling(client, alice)
    for door in ("submissions", "check"):
        answer = client.post(f"{API}/{door}", {"method": "Wishes", "files": [file(marks(0.99))]}, **known)
        assert (answer.status_code, answer.json()["detail"]) == (403, WORDS)
    assert client.get(f"{API}/kit", **known).status_code == 404
    told = client.get("/api/v1/tasks/judged", **known).json()
    assert told["scenarios"][0]["takes_uploads"] is False
    assert told["phases"][0]["scenarios"] == []
    assert "kit" not in [each["kind"] for each in told["phases"][0]["data"]]
    assert not Submission.objects.filter(team=team).exists()


def test_behind_the_doors_it_is_refused_too(phase, scenario, team, alice):
    with (
        as_upload([file(marks(0.99))]) as upload,
        pytest.raises(admission.Rejection, match="brought by the organisers"),
    ):
        admission.submit(phase, team, alice, upload, [scenario], admission.RunDetails("Wishes"), arrived=timezone.now())
    with pytest.raises(admission.Rejection, match="brought by the organisers"):
        admission.admit(phase, team, alice, "0" * 64, [scenario], arrived=timezone.now())


def test_where_it_is_opened_a_report_is_taken_and_ranked_with_nobody(client, reported, phase, alice):
    assert reported.is_reported
    board = Board.objects.get().editions.latest("made")
    entries = {entry["method"]: entry for entry in board.entries}
    own = entries["Wishes"]
    assert own["headline"] > max(entry["headline"] for entry in board.entries if entry is not own)
    assert (own["reference"], own["rank"], own["rank_low"], own["group"]) == ("reported", None, None, None)
    assert own["submission"] not in board.comparison["references"]
    assert sorted(entry["rank"] for entry in board.entries if entry is not own) == [1, 2]
    assert not RecordRun.objects.filter(result__scoring__submission=reported).exists()
    assert str(reported.team_id) not in {side.team for side in sides_of(phase)}
    recount_all(Board.objects.get())
    assert BestRun.objects.get(result__scoring__submission=reported).reference == "reported"


def test_pages_and_files_say_that_it_is_as_the_team_says(client, as_alice, reported, phase, team, alice):
    words = text(page(client, path=BOARD))
    assert "as the team says , outside the ranks" in words
    assert "Scores that teams report themselves are marked" in words
    rows = list(csv.DictReader(io.StringIO(page(client, path=f"{BOARD}board.csv"))))
    [own] = [row for row in rows if row["team"] == team.name]
    assert (own["reference"], own["rank"], own["group"]) == ("reported", "", "")
    run = text(page(as_alice, path=reported.get_absolute_url()))
    assert "As the team says: it has uploaded scores that were made elsewhere." in run
    assert "It is marked “as the team says”, outside the ranks." in run
    assert "as the team says" in text(page(as_alice, path=f"{TASK}submissions/"))
    known = calling(as_alice, alice)
    told = as_alice.get(f"/api/v1/submissions/{reported.pk}", **known).json()
    assert told["is_reported"] is True
    board = as_alice.get(f"{API}/boards/1", **known).json()
    assert [entry["reference"] for entry in board["entries"] if entry["team"] == team.name] == ["reported"]
    assert any(line.startswith(f"–      {team.name} (reported)") for line in board_lines(board))


def test_nobody_is_led_by_it_or_compared_with_it(client, as_alice, reported, phase, team):
    for path in ("/", TASK):
        words = text(page(client, path=path))
        assert (team.name in words, "Team Ada" in words) == (False, True), path
    for name in ("board_pairs", *names_with(Trait.KEPT)):
        assert team.name not in text(page(client, path=reverse(name, args=["judged", "test", 1])))
    assert str(reported.pk) not in page(as_alice, path=f"{BOARD}compare/")


def test_what_the_organisers_bring_for_the_same_team_is_ranked(reported, phase, team, olga):
    with as_upload([zip_upload({"run.csv": marks(0.7)})]) as upload:
        said, entered = admission.RunDetails("Judged"), list(phase.task.scenarios.all())
        brought = admission.submit_for_house(phase, "", olga, upload, entered, said, arrived=timezone.now(), team=team)
    scored(brought)
    make_board(phase)
    entries = Board.objects.get().editions.latest("made").entries
    assert {entry["method"]: entry["rank"] for entry in entries if entry["team"] == str(team.pk)} == {
        "Judged": 2,
        "Wishes": None,
    }


def test_a_task_with_other_scenarios_takes_uploads_to_these_alone(as_alice, phase, scenario, team, alice):
    phrases = make_scenario(phase.task, 2, options={"scenario": "1"})
    make_gold(phase, phrases)
    words = text(page(as_alice, path=TASK))
    assert "Upload a run" in words
    assert "Starter kit" in words
    sent = {"team": str(team.pk), "method": "Rules", "files": [zip_upload(PARTLY_RIGHT)]}
    assert as_alice.post(SUBMIT, sent).status_code == 302
    made = Submission.objects.get(team=team)
    assert [scoring.scenario for scoring in made.scorings.all()] == [phrases]
    assert not made.is_reported
    known = calling(as_alice, alice)
    assert as_alice.get(API, **known).json()["scenarios"] == [2]
    sent = {"method": "Wishes", "scenarios": [1], "files": [file(marks(0.99))]}
    refused = as_alice.post(f"{API}/submissions", sent, **known)
    assert refused.status_code == 422
    assert refused.json()["errors"]["scenarios"] == ["Scenario 1 takes no submissions in this phase."]


def test_of_an_upload_to_several_scenarios_the_others_are_ranked(opened, phase, team, alice):
    columns = {"id": "unit", "gold_id": "unit", "columns": "score", "gold_columns": "score"}
    numbers = make_scenario(phase.task, 2, family="numbers", options=columns)
    make_gold(phase, numbers, {"gold.csv": marks(0.8)})
    made = make_submission(phase, team, alice, {"run.csv": marks(0.9)}, scenarios=[numbers, opened])
    scored(made)
    kinds = dict(BestRun.objects.filter(team=team).values_list("gold__scenario__name", "reference"))
    assert kinds == {"Scenario 2": "", "Marks": "reported"}


def test_the_desk_offers_it_where_organisers_bring_the_scores_and_nowhere_else(as_olga, scenario):
    html = page(as_olga, path=f"{TASK}organise/scenarios/1/")
    assert "Participants report scores of their own" in text(html)
    assert "checked" not in html.partition('name="takes_reports"')[2].partition(">")[0]
    other = make_scenario(scenario.task, 2)
    assert "takes_reports" not in ScenarioForm(instance=other).fields
    assert "takes_reports" in ScenarioForm(instance=scenario).fields
