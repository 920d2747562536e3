"""An archive of a task whose gold was split: both parts are computed again."""

import json

import pytest

from evalsite.challenges.models import Part
from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import changed, make_boards, members_of, rewritten, write
from tests.split_gold import end, make_split_run, make_split_task, units, wrong_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def archive(olga, team, strangers, tmp_path):
    phase, scenario = make_split_task(olga)
    make_split_run(phase, team, wrong_in(units(phase, scenario, Part.RANKED), 9))
    make_split_run(phase, strangers, wrong_in(units(phase, scenario, Part.SHOWN), 12))
    make_boards(phase)
    end(phase)
    return write(phase.task, tmp_path / "parts.zip")


def differing(path, capsys):
    status = main(["verify", str(path), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["problems"], report["skipped"]) == ([], [])
    return status, report


def test_evaluations_and_boards_of_both_parts_are_computed_again(archive, capsys):
    status, report = differing(archive, capsys)
    assert (status, report["differences"]) == (0, [])
    assert report["n_evaluations"] == 4


@pytest.mark.thorough
def test_another_score_on_the_shown_part_is_found(archive, tmp_path, capsys):
    members = members_of(archive)
    contents = json.loads(members["archive.json"])
    last = contents["boards"][-1]["file"]

    def forge(board):
        board["entries"][0]["shown"] += 0.1

    status, report = differing(rewritten(archive, changed(members, last, forge), tmp_path / "forged.zip"), capsys)
    assert status != 0
    assert [each for each in report["differences"] if "shown" in str(each)]
