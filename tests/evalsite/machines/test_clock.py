"""Any number of beats may run: one leads, and another one takes over when nothing is heard of it."""

from datetime import timedelta
from unittest.mock import Mock
from uuid import uuid4

import pytest
import time_machine
from celery import Celery
from django.conf import settings
from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.clock import leading, scheduler
from evalsite.clock.leading import lead, resign
from evalsite.clock.models import Lead
from evalsite.leaderboard.models import Board, Turn
from evalsite.submissions.models import Scoring
from tests.factories import make_submission, make_team, make_user


@pytest.mark.django_db
def test_one_leads_until_nothing_is_heard_of_it():
    assert lead("first")
    assert not lead("second")
    assert lead("first")
    Lead.objects.update(ends=timezone.now() - timedelta(seconds=1))
    assert lead("second")
    assert not lead("first")
    resign("first")
    assert not lead("first")
    resign("second")
    assert lead("first")


@pytest.mark.django_db
def test_a_lease_lasts_less_than_a_minute_and_longer_than_a_look():
    lead("first")
    left = Lead.objects.get().ends - timezone.now()
    longest = timedelta(seconds=60 - scheduler.SECONDS_BETWEEN_LOOKS)
    assert timedelta(seconds=scheduler.SECONDS_BETWEEN_LOOKS) < left < longest


@pytest.mark.django_db
def test_nothing_waits_for_a_database_whose_clock_was_set_back(phase, scenario, submission):
    """As everything looks that was written in the hour before."""
    hour, now = timedelta(hours=1), timezone.now()
    held, resting = Scoring.objects.get(), make_submission(phase, make_team("Other"), make_user("o")).scorings.get()
    board = Board.objects.create(phase=phase, scenario=scenario, wanted=1, stale_since=now + hour)
    times = {"lease_ends": now + hour + settings.LEASE, "lease": uuid4(), "state": "running"}
    Scoring.objects.filter(pk=held.pk).update(**times)
    Scoring.objects.filter(pk=resting.pk).update(not_before=now + hour, enqueued=now + hour)
    job = Job.objects.create(kind="any", **times)
    Turn.objects.create(board=board, work=Turn.Work.ENTRIES, next=now + hour)
    Turn.objects.create(board=board, work=Turn.Work.PLACES, holder=uuid4(), ends=now + hour)
    assert lead("first")
    assert not lead("second")
    Lead.objects.update(ends=now + hour + leading.LEASE)
    assert not lead("second")  # whoever leads and lives has as long as ever to say so
    soon = timezone.now() + timedelta(minutes=1)
    for each in (held, resting, board, job):
        each.refresh_from_db()
    assert max(held.lease_ends, job.lease_ends, board.stale_since, Lead.objects.get().ends) < soon
    assert resting.not_before < timezone.now()
    assert resting.enqueued is None
    assert not Turn.objects.filter(Q(next__gt=timezone.now()) | Q(ends__gt=soon)).exists()


@pytest.mark.django_db
def test_a_clock_that_is_corrected_a_little_changes_nothing():
    told = Mock()
    leading.clock_set_back.connect(told)
    try:
        lead("first")
        Lead.objects.update(ends=timezone.now() + leading.LEASE + timedelta(seconds=1))
        lead("first")
        told.assert_not_called()
        Lead.objects.update(ends=timezone.now() + leading.LEASE + timedelta(seconds=5))
        lead("first")
        lead("first")
        told.assert_called_once()
    finally:
        leading.clock_set_back.disconnect(told)


@pytest.fixture
def clocks(tmp_path):
    """Two beats, and what they have told the workers of."""
    told: list[tuple[str, str]] = []

    class Clock(scheduler.LeadingScheduler):
        def apply_async(self, entry, *args, **kwargs):
            told.append((self.holder, entry.name))

    app = Celery("clocks", set_as_current=False)
    app.conf.beat_schedule = {"job": {"task": "job", "schedule": 0.0}}
    beats = [Clock(app, schedule_filename=str(tmp_path / f"schedule-{number}")) for number in (1, 2)]
    yield *beats, told
    for beat in beats:
        beat.close()


@pytest.mark.django_db(transaction=True)
def test_a_second_beat_waits_and_takes_over(clocks):
    first, second, told = clocks
    for _ in range(3):
        first.tick()
        assert second.tick() == scheduler.SECONDS_BETWEEN_LOOKS
    assert {holder for holder, _ in told} == {first.holder}
    first.close()
    for _ in range(3):
        second.tick()
    assert second.holder in {holder for holder, _ in told}


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_was_set_back_tells_the_workers_at_once(clocks):
    first, _, told = clocks
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        for _ in range(3):
            first.tick()
    assert told
    told.clear()
    for _ in range(3):
        first.tick()
    assert told


@pytest.mark.django_db(transaction=True)
def test_without_the_database_nobody_leads_and_no_beat_ends(clocks, monkeypatch):
    first, _, told = clocks

    def away(holder):
        raise OperationalError("the database is away")

    monkeypatch.setattr(scheduler, "lead", away)
    assert first.tick() == scheduler.SECONDS_BETWEEN_LOOKS
    assert not told
    monkeypatch.setattr(scheduler, "lead", leading.lead)
    for _ in range(3):
        first.tick()
    assert told
