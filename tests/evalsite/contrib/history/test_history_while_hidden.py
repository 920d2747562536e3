"""The history tells no more of hidden gold than the comparison of two runs does."""

import pytest

from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import withdraw
from tests.evalsite.board_pages.pages import text


@pytest.mark.thorough
def test_a_step_that_withdrawing_has_made_is_not_tested(client, runs, upload, alice):
    upload("Higher", range(39))
    upload("Highest", range(40))
    steps = text(client.get("/tasks/health/test/board/1/history/").content.decode())
    assert "+0.013 [" in steps
    withdraw(Submission.objects.filter(method__in=["Higher", "Leader"]), by=None)
    steps = text(client.get("/tasks/health/test/board/1/history/").content.decode())
    assert "+0.14 –" in steps, "from the best to the highest, which are no pair"
