"""The history of a board in a real browser."""

import pytest

from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.browser.test_accessibility import BOARD, barriers
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found, run
from tests.factories import make_gold

pytestmark = pytest.mark.thorough


def test_a_history_with_long_names(visit, phase, scenario, team, strangers):
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    run(phase, team, range(30), "W" * 100)
    run(phase, team, range(4, 38), "Good rules")
    run(phase, strangers, range(8), "Weak rules")
    refresh(Board.objects.get())
    assert barriers(visit(f"{BOARD}history/")) == []


def test_a_history_without_runs(visit, phase):
    assert barriers(visit(f"{BOARD}history/")) == []
