"""The organisers' import of scores made elsewhere: a preview of all runs, then submissions of the teams named there."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.background.models import Job
from evalsite.challenges.models import Participation
from evalsite.leaderboard.models import Board
from evalsite.leaderboard.tasks import refresh_board
from evalsite.submissions.models import Submission
from tests.evalsite.board_pages.pages import page, text
from tests.factories import make_gold, make_phase, make_scenario, make_task, make_team, make_user, work_off

PATH = "/tasks/judged/organise/runs/scores/test/"
N_UNITS = 30
RUNS = {"Team Ada": 0.8, "sysB": 0.6, "Dictionary": 0.3, "half": 0.5}


def table():
    """All runs of all units, but for one that lacks half of them and knows another one."""
    lines = ["run,unit,score"]
    for number in range(N_UNITS):
        shift = (number * 7 % 10 - 4.5) / 50
        lines += [
            f"{run},u{number},{quality + shift:.4f}" for run, quality in RUNS.items() if run != "half" or number < 15
        ]
    return "\n".join([*lines, "half,x1,0.5"]) + "\n"


@pytest.fixture
def judged(db, client):
    olga = make_user("Olga")
    task = make_task("judged", olga)
    phase = make_phase(task)
    scenario = make_scenario(task, family="given", options={})
    make_gold(phase, scenario, {"units.csv": "unit\n" + "".join(f"u{number}\n" for number in range(N_UNITS))})
    Participation.objects.create(task=task, team=make_team("Team Ada", make_user("Ada")), number=1)
    client.force_login(olga)
    return phase


def send(client, content):
    return client.post(PATH, {"scenario": "1", "table": SimpleUploadedFile("scores.csv", content.encode())})


def test_only_tasks_whose_scores_are_made_elsewhere_lead_to_their_table(client, judged):
    address = reverse("desk_runs_new", args=["judged"])
    assert "scores made elsewhere, as one table" in page(client, path=address)
    judged.task.scenarios.update(family="labels", options={})
    assert "scores made elsewhere, as one table" not in page(client, path=address)


def test_a_preview_says_what_is_known_missing_and_new_and_stores_nothing(client, judged):
    html = page(client, path=send(client, table()).url)
    words = text(html)
    assert "4 runs for Scenario 1" in words
    assert "15 units are missing: u15, u16, u17, u18, u19 and 10 more" in words
    assert "1 row of a unit that the gold does not have: x1" in words
    chosen = [
        re.search(r'<option value="([^"]*)" selected', each)[1]
        for each in re.findall(r"<select.*?</select>", html, re.DOTALL)
    ]
    assert chosen[1:] == ["new", "new", ""]
    assert chosen[0] == str(Participation.objects.get().team_id)
    assert not Submission.objects.exists()


def test_runs_become_scored_submissions_of_the_teams_named_there(client, judged):
    preview = send(client, table()).url
    ada = str(Participation.objects.get().team_id)
    assert client.post(preview, {"run-0": ada, "run-1": "new", "run-2": "baseline", "run-3": ""}).status_code == 302
    work_off()
    runs = {run.method: run for run in Submission.objects.all()}
    assert {name: (run.team.name, run.reference) for name, run in runs.items()} == {
        "Team Ada": ("Team Ada", ""),
        "sysB": ("sysB", ""),
        "Dictionary": ("The organisers", "baseline"),
    }
    assert runs["sysB"].scorings.get().result.headline == pytest.approx(0.6, abs=0.01)
    unit = text(page(client, path=reverse("submission_unit", args=[runs["sysB"].pk, 1, "u3"])))
    assert "u3 0.530 1.000 no 0.5300" in unit
    board = Board.objects.get()
    refresh_board(str(board.phase_id), str(board.scenario_id))
    words = text(page(client, path="/tasks/judged/test/board/1/"))
    assert words.index("Team Ada") < words.index("sysB") < words.index("Dictionary")


def test_the_job_makes_no_run_twice(client, judged):
    preview = send(client, table()).url
    client.post(preview, {"run-0": "new", "run-1": "new"})
    work_off()
    Job.objects.update(state="queued")
    work_off()
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("run,unit,score\nA,u1,0,5\n", "4 fields instead of 3"),
        ("run,unit,score\nA,u1,x\n", "'x' is not a number"),
        ("unit,scor\n", "did you mean 'scor'"),
    ],
)
def test_a_table_that_cannot_be_read_says_where(client, judged, content, told):
    assert told in text(page(client, path=send(client, content).url, status=422))


def test_without_somebody_to_have_a_run_nothing_happens(client, judged):
    preview = send(client, table()).url
    assert client.post(preview, {}).status_code == 422
    assert client.get(f"{PATH}1/nonsense/").status_code == 404
    assert not Job.objects.exists()
