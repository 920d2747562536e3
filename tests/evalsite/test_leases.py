"""The one lease of scorings, background jobs and turns: one process at a time has a row, and none has it for ever."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import OperationalError, connection
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.base import leases
from evalsite.base.leases import LeasedQuerySet, renewing
from evalsite.base.moment import database_now
from evalsite.leaderboard.models import Board, BoardLease
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, zip_upload

LITTLE = timedelta(seconds=2)


@pytest.fixture(params=["scoring", "job", "turn"])
def rows(request, submission, phase, scenario) -> LeasedQuerySet:
    """A row that waits, of each kind that is held by a lease."""
    if request.param == "scoring":
        row = submission.scorings.get()
    elif request.param == "job":
        row = Job.objects.create(kind="any")
    else:
        row = BoardLease.objects.create(
            board=Board.objects.get_or_create(phase=phase, scenario=scenario)[0], work="places"
        )
    return type(row).objects.filter(pk=row.pk)


@pytest.mark.django_db
def test_of_two_processes_one_gets_the_row_until_it_is_released(rows):
    lease = rows.claim()
    assert lease
    assert not rows.claim()
    assert rows.held(lease).release()
    assert rows.claim() != lease


@pytest.mark.django_db
def test_a_row_that_rests_is_nobodys_until_it_has_rested(rows):
    rows.held(rows.claim()).release(timedelta(minutes=5))
    assert not rows.claim()
    rows.update(not_before=F("not_before") - timedelta(minutes=6))
    assert rows.claim()


@pytest.mark.django_db
def test_a_process_that_has_lost_its_lease_changes_nothing(rows):
    late = rows.claim()
    assert not rows.expired().exists()
    rows.update(lease_ends=F("lease_ends") - rows.model.lasts() - LITTLE)
    assert rows.expired().release()
    now = rows.claim()
    for change in (LeasedQuerySet.renew, LeasedQuerySet.release, LeasedQuerySet.end):
        assert not change(rows.held(late))
    assert rows.held(now).exists()


@pytest.mark.django_db
def test_without_a_lease_nothing_is_held(rows):
    assert not rows.held(None).exists()
    assert not rows.held(uuid4()).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [25, -25])
def test_a_lease_goes_by_the_clock_of_the_database_whatever_that_of_its_holder_says(rows, hours):
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert rows.claim()
        assert not rows.expired().exists()
    left = rows.get().lease_ends - timezone.now()
    assert timedelta(0) < left < rows.model.lasts() + LITTLE


@pytest.mark.django_db
def test_what_decides_is_dated_by_the_database_whose_clock_sqlite_shares_with_the_machine():
    before = timezone.now()
    with time_machine.travel(before + timedelta(days=1)):
        ahead = database_now() - before
    assert round(ahead / timedelta(days=1)) == (1 if connection.vendor == "sqlite" else 0)


@pytest.mark.django_db
@pytest.mark.parametrize("days", [1, -1])
def test_whether_an_upload_is_in_time_is_no_matter_of_the_web_server_s_clock(as_alice, phase, team, monkeypatch, days):
    files = {"files": zip_upload(PARTLY_RIGHT), "method": "m", "team": str(team.pk)}
    monkeypatch.setattr("evalsite.submissions.views.submit.database_now", lambda: phase.closes + timedelta(hours=days))
    page = as_alice.post(reverse("submit", args=[phase.task.slug, phase.slug]), files)
    assert (page.status_code == 302) == (days < 0)
    assert Submission.objects.count() == (days < 0)
    assert ("This phase closed on" in page.content.decode()) == (days > 0)


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_the_work_goes_on_also_after_the_database_was_away(rows, monkeypatch):
    monkeypatch.setattr(rows.model, "lasts", classmethod(lambda model: timedelta(seconds=0.6)))
    monkeypatch.setattr(leases, "_RETRY_SECONDS", 0.01)
    held = rows.get(lease=rows.claim())
    renewed, n_failing, renew = threading.Event(), 2, LeasedQuerySet.renew

    def sometimes(self, **fields):
        nonlocal n_failing
        if n_failing:
            n_failing -= 1
            raise OperationalError("the database system is shutting down")
        n_renewed = renew(self, **fields)
        renewed.set()
        return n_renewed

    monkeypatch.setattr(LeasedQuerySet, "renew", sometimes)
    with renewing(held):
        assert renewed.wait(30)
    connection.close()
    assert rows.get().lease_ends > held.lease_ends
