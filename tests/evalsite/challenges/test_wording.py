"""The sentences of the pages of a task, as one reads them."""

from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from evalsite.challenges.models import Phase
from evalsite.challenges.wording import uploads_allowed


@pytest.mark.parametrize(
    ("window_limit", "total_limit", "words"),
    [
        (None, None, "As many uploads as you like."),
        (1, None, "1 upload a week for each team."),
        (3, None, "3 uploads a week for each team."),
        (3, 20, "3 uploads a week, 20 in total, for each team."),
        (None, 1, "1 upload in total for each team."),
        (None, 20, "20 uploads in total for each team."),
    ],
)
def test_a_phase_says_how_many_uploads_a_team_has(window_limit, total_limit, words):
    phase = Phase(window_limit=window_limit, window=timedelta(days=7), total_limit=total_limit)

    assert strip_tags(uploads_allowed(phase)) == words
