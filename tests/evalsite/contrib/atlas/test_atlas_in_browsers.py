"""The error atlas in a real browser."""

import pytest

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.browser.test_accessibility import BOARD, barriers
from tests.factories import PARTLY_RIGHT, make_run


@pytest.mark.thorough
def test_an_atlas_whose_units_may_be_opened(visit, phase, scored_submission, alice, strangers):
    make_run(phase, strangers, PARTLY_RIGHT | {"readme.txt": "ours"})
    refresh(Board.objects.get())
    Phase.objects.update(gold_released=True)
    page = visit(f"{BOARD}atlas/", alice)
    assert page.locator(".atlas-frame a").count() > 0
    assert barriers(page) == []
