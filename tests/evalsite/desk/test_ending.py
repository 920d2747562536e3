"""The desk's page of a task's end: what is still open."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import finish_boards
from tests.evalsite.board_pages.pages import text
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run

pytestmark = pytest.mark.django_db


def page_of(task):
    return reverse("desk_ending", args=[task.slug])


def test_the_page_says_what_is_still_open_until_nothing_is(as_olga, phase, team):
    make_run(phase, team)
    refresh_all()
    said = text(as_olga.get(page_of(phase.task)).content.decode())
    for words in ("The phase is open until", "The results are not released.", "The gold is not released."):
        assert words in said
    past = timezone.now() - timedelta(hours=1)
    Phase.objects.update(closes=past, results_released=past, gold_released=True)
    assert "0 of 1 boards are final." in text(as_olga.get(page_of(phase.task)).content.decode())
    finish_boards()
    assert "Nothing: all phases are closed" in text(as_olga.get(page_of(phase.task)).content.decode())


def test_a_task_without_a_phase_says_so(as_olga, task):
    assert "No phase yet." in as_olga.get(page_of(task)).content.decode()
