"""Tests how the site is, in words."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from evalsite.base.faults import Fault
from evalsite.leaderboard.models import Board
from evalsite.monitoring import health, views
from evalsite.submissions.models import Scoring
from evalsite.upkeep.models import Pulse, note
from tests.factories import make_run, make_submission

pytestmark = pytest.mark.django_db


def text_of(client) -> str:
    cache.clear()
    page = client.get("/status/").content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", unescape(page)))


def age(**ages: int) -> None:
    now = timezone.now()
    Scoring.objects.update(**{name: now - timedelta(seconds=seconds) for name, seconds in ages.items()})


def test_a_quiet_site_is_well(client):
    text = text_of(client)
    assert "All is well." in text
    assert "The queue is empty." in text
    assert "Boards show all results." in text


def test_a_beat_that_is_silent_is_told_with_what_may_be_late(client):
    note(Pulse.Name.BEAT)
    assert "All is well." in text_of(client)
    Pulse.objects.update(last=F("last") - timedelta(minutes=5))
    text = text_of(client)
    assert "Clock The site's regular background work has stopped for 5 minutes" in text
    assert "All is well." not in text


def test_uploads_are_counted_and_not_promised(client, submission, settings, monkeypatch):
    assert "1 upload was accepted within the last hour." in text_of(client)
    monkeypatch.setattr(health, "_cached", None)
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": "tests.evalsite.monitoring.away.AwayStorage"}}
    text = text_of(client)
    assert "Files cannot be stored at the moment, so uploads are not accepted." in text
    assert "All is well." not in text
    monkeypatch.setattr(health, "_cached", None)


def test_the_usual_duration_is_told(client, phase, team):
    make_run(phase, team)
    age(started=4, finished=0)
    assert "The queue is empty. Recent scorings took about 4 seconds." in text_of(client)


def test_what_waits_is_counted(client, submission):
    assert "1 scoring is waiting." in text_of(client)


def test_a_queue_that_nobody_works_on_is_told_with_the_promise_that_nothing_is_lost(client, submission):
    age(created=600)
    text = text_of(client)
    assert "Something is slow, but nothing is lost." in text
    assert "Scoring has stopped: the oldest upload in the queue has been waiting for 10 minutes." in text


def test_a_wait_of_many_hours_is_told_in_hours(client, submission):
    age(created=3 * 3600 + 60)
    assert "has been waiting for 3 hours." in text_of(client)


def test_a_long_queue_that_is_worked_on_is_no_fault(client, phase, team, strangers, charlie):
    make_run(phase, team)
    waiting = make_submission(phase, strangers, charlie).scorings
    waiting.update(created=timezone.now() - timedelta(seconds=200))
    text = text_of(client)
    assert "All is well." in text
    assert "1 scoring has been waiting for 3 minutes." in text


def test_one_that_lacks_its_file_does_not_make_the_whole_site_stand_still(client, submission):
    age(created=600)
    Scoring.objects.update(fault=Fault.FILE_MISSING)
    text = text_of(client)
    assert "Scoring has stopped" not in text
    assert "The queue is empty. 1 scoring is missing a file on our side" in text


def test_boards_that_lag_are_told(client, scored_submission):
    Board.objects.update(wanted=F("wanted") + 1, stale_since=timezone.now() - timedelta(seconds=100))
    assert "1 board does not show the newest results yet." in text_of(client)


def test_many_readers_cost_one_look(client, django_assert_num_queries):
    text_of(client)
    with django_assert_num_queries(0):
        client.get("/status/")


def test_without_a_database_the_page_says_so(client, monkeypatch):
    def fail():
        raise OperationalError("away")

    monkeypatch.setattr(views, "condition", fail)
    cache.clear()
    response = client.get("/status/")
    assert response.status_code == 503
    assert "The database is not responding." in response.content.decode()


def test_search_engines_are_kept_from_private_pages_alone(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /admin/" in lines
    assert "Disallow: /tasks/" not in lines


def test_a_browser_that_asks_for_an_icon_by_its_old_name_gets_the_site_s(client):
    assert client.get("/favicon.ico")["Location"].endswith("favicon.svg")
