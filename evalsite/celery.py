"""The Celery application: `celery -A evalsite.celery worker` and `beat`."""

import os
import signal
import threading
import time

import structlog
from celery import Celery
from celery.signals import beat_init, task_prerun, worker_process_init
from django.conf import settings
from django.db import close_old_connections

from evalsite.base import garbage, queues
from evalsite.base.log_context import TaskLines
from evalsite.jobs import sandbox

log = structlog.get_logger()
_TOLERANCE, _POLL_INTERVAL = 30, 5  # seconds
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")
garbage.collect_seldom()

app = Celery("evalsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(TaskLines)


@worker_process_init.connect(dispatch_uid="pages go first")
def lower_priority(**kwargs: object) -> None:
    """Lower the worker's priority: a visitor who waits for a page goes before a run that waits in the queue."""
    os.nice(settings.WORKER_NICE)


@worker_process_init.connect
def load_engine(**kwargs: object) -> None:
    """Start the engine's processes early, so that a worker's first scoring need not wait; others do so when needed."""
    if queues.SCORINGS in app.amqp.queues.consume_from:
        sandbox.start()


@beat_init.connect
def end_when_set_back(**kwargs: object) -> None:
    """End beat when its clock is set back: until the old time came again it would send nothing; restarted, it does."""
    threading.Thread(target=_await_clock_set_back, daemon=True).start()


def _await_clock_set_back() -> None:
    offset = time.time() - time.monotonic()
    while time.time() - time.monotonic() > offset - _TOLERANCE:
        offset = time.time() - time.monotonic()
        time.sleep(_POLL_INTERVAL)
    log.warning("the clock was set back: beat ends, to be started again")
    os.kill(os.getpid(), signal.SIGTERM)


@task_prerun.connect
def drop_dead_connections(**kwargs: object) -> None:
    """Close connections that a restarted database has dropped, so that no job fails because of them."""
    close_old_connections()
