"""While the gold is hidden, only the scores that a scenario shows are told: each further one is read from the gold.

Runs of the demo are scored where their scenario shows nothing but the score that ranks, and the values of all others
are looked for behind every door.
"""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.timezone import now

from demo.plan import read_task
from evalsite.base.contrib import board_pages
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Scenario
from evalsite.leaderboard.models import Board, Combined
from evalsite.leaderboard.tasks import refresh_board, refresh_combined
from evalsite.submissions.models import Result
from evalsite.submissions.receiving import admission
from evalsite.submissions.uploads import as_upload
from tests.factories import make_phase, make_task, scored

pytestmark = pytest.mark.django_db
SUFFIXES = ("csv", "json", "tex", "md", "svg")


@pytest.fixture
def runs(request, olga, alice, team, tmp_path):
    """Two runs of a team in a scenario of the demo, with a board, and a combined score made of a hidden one too."""
    plan = read_task(request.param)
    [planned, *_] = plan.scenarios
    task = make_task("hidden", olga)
    scenario = Scenario.objects.create(
        task=task, number=1, name="One", family=planned.family, options=planned.options, shown_scores=[]
    )
    scenario.shown_scores = [scenario.headline]
    scenario.save()
    phase, gold = make_phase(task), plan.gold("test", 1)
    path = tmp_path / gold.name
    path.write_bytes(gold.content)
    add_gold(phase, scenario, path, gold.name, by=None)
    systems = [run for run in plan.runs("test") if 1 in run.scenarios and not run.reference][1:3]
    made = [_uploaded(phase, team, alice, scenario, plan.file_of(run, "test")) for run in systems]
    board = Board.objects.get()
    refresh_board(str(board.phase_id), str(board.scenario_id))
    scores = Result.objects.first().scores.items()
    other = next(name for name, value in scores if value is not None and name != scenario.headline)
    Combined.objects.create(phase=phase, formula=f"(One.{scenario.headline} + One.{other}) / 2")
    refresh_combined(str(phase.pk))
    return made


def _uploaded(phase, team, user, scenario, file):
    with as_upload([SimpleUploadedFile(file.name, file.content)]) as upload:
        return scored(
            admission.submit(
                phase, team, user, upload, [scenario], admission.RunDetails(file.name, "", ""), arrived=now()
            )
        )


def doors(runs, names):
    """Every address at which something of the runs is told, asked for all scores where one can ask."""
    first, second = runs
    board, phase = ["hidden", "test", 1], ["hidden", "test"]
    columns = "?columns=" + ",".join(names)
    exports = first.scorings.get().scenario.engine_family.table_notes.exports
    yield first.get_absolute_url()
    yield f"/api/v1/submissions/{first.pk}"
    yield f"/api/v1/submissions/{first.pk}/scores/1"
    yield "/api/v1/tasks/hidden/submissions"
    yield "/api/v1/tasks/hidden/test/boards/1"
    yield "/api/v1/tasks/hidden/test/boards/combined"
    yield reverse("submission_scores", args=[first.pk, 1])
    yield from (reverse("submission_export", args=[first.pk, 1, each.name]) for each in exports)
    yield reverse("submissions", args=["hidden"])
    yield reverse("run_place", args=[first.pk, 1])
    yield reverse("board", args=board) + columns
    yield from (reverse("board_export", args=[*board, suffix]) + columns for suffix in SUFFIXES)
    together = [*phase, "combined"]
    yield from (reverse("board_export", args=[*together, suffix]) + columns for suffix in SUFFIXES)
    yield from (reverse(name, args=together) for name in ("board", "board_pairs"))
    yield reverse("board_overview", args=phase)
    yield reverse("board_pairs", args=board)
    yield from (reverse(name, args=board) for name in board_pages())
    yield f"{reverse('board_compare', args=board)}?a={first.pk}&b={second.pk}"
    yield reverse("task", args=["hidden"])
    yield reverse("home")


def texts_of(value):
    """A score as it is told while the gold is hidden; short ones could be anything."""
    text = f"{value:.4f}"
    return set() if text.endswith("0") else {text}


@pytest.mark.thorough
@pytest.mark.parametrize("runs", ["ranking", "coreference", "mat", "spacy"], indirect=True)
def test_no_door_tells_a_score_that_is_not_shown(as_alice, calling, alice, runs):
    results = Result.objects.select_related("scoring__scenario")
    headline = results[0].scoring.scenario.headline
    told = {text for each in results for end in (each.headline, *each.interval) for text in texts_of(end)}
    hidden = {
        text: name
        for each in results
        for name, value in each.scores.items()
        if name != headline and value is not None
        for text in texts_of(value) - told
    }
    assert len(hidden) > 5
    said = re.compile(r"(?<![\d.])(" + "|".join(map(re.escape, hidden)) + r")(?!\d)")
    names = results[0].scores

    program = calling(alice)
    for address in doors(runs, names):
        answer = (program if address.startswith("/api/") else as_alice).get(address)
        assert answer.status_code in (200, 404), address
        assert not {hidden[each] for each in said.findall(answer.content.decode())}, address
    scenario = Scenario.objects.get()
    scenario.shown_scores = list(names)
    scenario.save()
    for address in (
        runs[0].get_absolute_url(),
        f"/api/v1/submissions/{runs[0].pk}",
        reverse("board_export", args=["hidden", "test", 1, "json"]),
    ):
        answer = (program if address.startswith("/api/") else as_alice).get(address)
        assert len({hidden[each] for each in said.findall(answer.content.decode())}) > 5, address
