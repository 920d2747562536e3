"""An archive has the scores that a judge has posted, and the engine scores them again."""

import json

import pytest

from evalsite.leaderboard.models import Board
from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import make_boards, write
from tests.evalsite.contrib.judging.conftest import judge, judging, phase, post, runs, scenario  # noqa: F401
from tests.factories import scored

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_an_archive_has_the_posted_scores_and_verify_scores_them_again(
    judge,  # noqa: F811
    scenario,  # noqa: F811
    phase,  # noqa: F811
    runs,  # noqa: F811
    tmp_path,
    capsys,
):
    for run in runs:
        post(judge, run)
        scored(run)
    make_boards(phase)
    assert len(Board.objects.get().editions.latest("made").entries) == 2
    path = write(scenario.task, tmp_path / "summaries.zip")
    status = main(["verify", str(path), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["problems"], report["differences"], report["skipped"]) == ([], [], [])
    assert (status, report["n_evaluations"]) == (0, 2)
