"""Any number of beats may run: one leads, and another one takes over when nothing is heard of it."""

from datetime import timedelta

import pytest
import time_machine
from celery import Celery
from django.db import OperationalError
from django.utils import timezone

from evalsite.clock import leading, scheduler
from evalsite.clock.leading import lead, resign
from evalsite.clock.models import Lead


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
