"""A judge that gives a run one total: asked again without each block of units, by a real program at a real site."""

import numpy as np
import pytest
from django.urls import reverse

from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Judgement, Result
from scoring.readers.given.blocks import N_BLOCKS, blocks_of
from tests.evalsite.contrib.judging.conftest import N_UNITS, upload
from tests.evalsite.contrib.judging.test_command import machine as machine
from tests.factories import scored

pytestmark = pytest.mark.django_db(transaction=True)
# The mean length of the lines, which no unit says alone to a program that knows them all.
MEAN = """#!/bin/sh
echo called >> "$HOME/calls"
cat "$EVALSITE_UNITS" >> "$HOME/units"
awk '{ n += length($0) } END { printf "%.17g\\n", n / NR }' "$1"
"""
UNITS = [f"u{k}" for k in range(N_UNITS)]


@pytest.fixture
def scenario(scenario):
    scenario.options = {"blocks": 20}
    scenario.save()
    return scenario


def lengths(shift: int) -> list[int]:
    return [1 + (k * 7 + shift) % 11 for k in range(N_UNITS)]


def lined(shift: int) -> str:
    return "".join(f"{'x' * length}\n" for length in lengths(shift))


def test_the_totals_make_a_score_with_a_jackknife_interval(machine, phase):
    run = upload(phase, "Ada", lined(0))
    done = machine.judge("--totals", script=MEAN)
    assert done.returncode == 0, done.stderr
    assert (machine.folder / "calls").read_text().count("called") == N_BLOCKS + 1
    units = (machine.folder / "units").read_text().split()
    assert sorted(units) == sorted(UNITS * N_BLOCKS)
    scored(run)
    result = Result.objects.get()
    own, block = np.array(lengths(0)), np.array(blocks_of(UNITS, "summaries/test/1"))
    without = np.array([own[block != number].mean() for number in range(N_BLOCKS)])
    error = np.sqrt((N_BLOCKS - 1) / N_BLOCKS * np.square(without - without.mean()).sum())
    assert result.scores["score"] == pytest.approx(own.mean(), abs=1e-12)
    assert result.intervals["score"] == pytest.approx(own.mean() + 2.093024 * error * np.array([-1, 1]), rel=1e-6)
    assert result.interval_methods == {"score": "jackknife"}
    assert "|blocks:20|" in result.signature
    assert "|interval:jackknife|" in result.signature


def test_pages_say_how_the_interval_was_made(machine, phase, client, olga):
    runs = [upload(phase, name, lined(shift)) for shift, name in enumerate(("Ada", "Bo"))]
    assert machine.judge("--totals", script=MEAN).returncode == 0
    for run in runs:
        scored(run)
    client.force_login(olga)
    page = client.get(f"/submissions/{runs[0].pk}/", follow=True).content.decode()
    assert "by a grouped jackknife over blocks of units" in page
    assert "bootstrap intervals" not in page
    refresh(Board.objects.get())
    board = client.get(reverse("board", args=["summaries", "test", 1])).content.decode()
    assert "intervals by a grouped jackknife" in board


def test_a_run_with_other_lines_than_units_is_left_and_told(machine, phase):
    upload(phase, "Ada", lined(0) + "one more\n")
    done = machine.judge("--totals", script=MEAN)
    assert done.returncode == 3
    assert f"One record for each of {N_UNITS} units is needed, found {N_UNITS + 1}." in done.stderr
    assert not Judgement.objects.exists()


def test_a_program_that_says_no_number_is_told(machine, phase):
    upload(phase, "Ada", lined(0))
    done = machine.judge("--totals", script="#!/bin/sh\necho about 0.5\n")
    assert done.returncode == 3
    assert "The program is to say one number, found 'about 0.5'." in done.stderr
