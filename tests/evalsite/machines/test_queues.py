"""Each kind of background job has its queue and its limits, and the broker's patience follows these."""

import json
import signal
from datetime import datetime, timedelta
from unittest.mock import Mock

import pytest
import redis
import time_machine
from celery.beat import Scheduler
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from evalsite import celery as site
from evalsite.background.tasks import send, work
from evalsite.base import queues
from evalsite.base.queues import TimeLimits, visibility_timeout
from evalsite.celery import app
from evalsite.leaderboard.tasks import refresh_boards
from evalsite.submissions.tasks import reap, score


def routed(task) -> str:
    return app.amqp.router.route({}, task.name)["queue"].name


@pytest.mark.parametrize(
    ("task", "queue"),
    [(score, "scorings"), (refresh_boards, "boards"), (send, "mail"), (work, "background"), (reap, "upkeep")],
)
def test_a_job_waits_in_the_queue_of_its_kind_and_is_ended_by_its_limit(task, queue):
    assert routed(task) == queues.queue_of(task.name) == queue
    soft = settings.TIME_LIMITS.of(queue)
    assert (task.soft_time_limit, task.time_limit) == (soft, soft + 30)


def test_a_message_comes_to_its_queue_alone(broker_url):
    for task in (score, refresh_boards, send, send, work, reap):
        task.apply_async(args=[] if task in (refresh_boards, reap) else [1])
    with redis.Redis.from_url(broker_url) as client:
        lengths = {queue: client.llen(queue) for queue in queues.ALL}
    assert lengths == {"scorings": 1, "boards": 1, "mail": 2, "background": 1, "upkeep": 1}


def test_a_message_may_wait_and_the_broker_says_that_it_has_it(broker_url):
    assert queues.send_message(score, "now")
    assert queues.send_message(score, "later", wait=60)
    with redis.Redis.from_url(broker_url) as client:
        messages = [json.loads(text)["headers"] for text in client.lrange("scorings", 0, -1)]
    assert {each["argsrepr"]: each["eta"] is not None for each in messages} == {"('now',)": False, "('later',)": True}


@pytest.mark.parametrize(
    "error",
    [OperationalError("away"), AttributeError("'NoneType' object has no attribute 'client'"), ConnectionResetError()],
    ids=lambda error: type(error).__name__,
)
def test_nobody_fails_over_a_message_that_the_broker_does_not_take(error, monkeypatch):
    monkeypatch.setattr(app.amqp, "send_task_message", Mock(side_effect=error))
    assert not queues.send_message(score, "1")


def test_a_worker_that_is_told_no_queue_serves_all():
    assert set(app.amqp.queues.consume_from) == set(queues.ALL)


def test_all_that_beat_tells_is_known():
    app.loader.import_default_modules()  # as a worker does
    assert {job["task"] for job in app.conf.beat_schedule.values()} <= app.tasks.keys()


def test_what_a_beat_tells_whose_clock_is_hours_behind_is_not_too_late_for_a_worker(broker_url):
    app.loader.import_default_modules()
    jobs = [app.tasks[job["task"]] for job in app.conf.beat_schedule.values()]
    with time_machine.travel(timezone.now() - timedelta(hours=5)):
        for job in jobs:
            job.apply_async()
    with redis.Redis.from_url(broker_url) as client:
        messages = [json.loads(text) for queue in queues.ALL for text in client.lrange(queue, 0, -1)]
    ends = {each["headers"]["task"]: datetime.fromisoformat(each["headers"]["expires"]) for each in messages}
    assert ends.keys() == {job.name for job in jobs}
    assert timezone.now() < min(ends.values())


def test_a_beat_that_begins_tells_at_once_what_it_tells_in_each_interval():
    """However often it is started again, and whatever the clock said before: it has kept nothing."""
    assert settings.CELERY_BEAT_SCHEDULER == "celery.beat:Scheduler"
    told = {name: entry for name, entry in Scheduler(app=app).schedule.items() if not name.startswith("celery.")}
    assert {name for name, entry in told.items() if not entry.is_due().is_due} == {"upkeep.tasks.tidy"}


def test_a_beat_whose_clock_is_set_back_ends_to_be_started_again(monkeypatch):
    ended = Mock()
    monkeypatch.setattr(site, "os", Mock(kill=ended, getpid=lambda: 7))
    # Time by the clock and time that has passed: as they are, corrected by a little, and set back by a day.
    monkeypatch.setattr(
        site,
        "time",
        Mock(
            time=Mock(side_effect=[1e9, 1e9 + 5, 1e9 + 5, 1e9 - 10, 1e9 - 10, 9e8]),
            monotonic=Mock(side_effect=[0, 5, 5, 10, 10, 15]),
        ),
    )
    site._await_clock_set_back()
    ended.assert_called_once_with(7, signal.SIGTERM)


@pytest.mark.parametrize("scoring", [60, 1_320, 20_000])
def test_the_broker_waits_for_the_longest_job_behind_another_one(scoring):
    limits = TimeLimits(scoring)
    longest = max(limits.of(queue) for queue in queues.ALL) + 30
    assert visibility_timeout(limits) > 2 * longest
    assert visibility_timeout(limits) < 2 * longest + 120


def test_the_site_tells_the_broker_so():
    told = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert told == visibility_timeout(settings.TIME_LIMITS)
