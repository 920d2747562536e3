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

from evalsite.base import queues
from evalsite.base.log_context import TaskLines
from evalsite.jobs import limited

log = structlog.get_logger()
_A_LITTLE, _BETWEEN_LOOKS = 30, 5  # seconds
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")

app = Celery("evalsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(TaskLines)


@worker_process_init.connect(dispatch_uid="pages go first")
def give_way(**kwargs: object) -> None:
    """Where processors are few, somebody who waits for a page gets them before a run that waits in the queue."""
    os.nice(settings.WORKER_NICE)


@worker_process_init.connect
def load_engine(**kwargs: object) -> None:
    """So that the first scoring of a worker's process need not wait for it; others start it when they need it."""
    if queues.SCORINGS in app.amqp.queues.consume_from:
        limited.start()


@beat_init.connect
def end_when_set_back(**kwargs: object) -> None:
    """A beat whose clock is set back would tell nothing until it is again what it was; begun anew it tells at once."""
    threading.Thread(target=_await_setting_back, daemon=True).start()


def _await_setting_back() -> None:
    ahead = time.time() - time.monotonic()
    while time.time() - time.monotonic() > ahead - _A_LITTLE:
        ahead = time.time() - time.monotonic()
        time.sleep(_BETWEEN_LOOKS)
    log.warning("the clock was set back: beat ends, to be started again")
    os.kill(os.getpid(), signal.SIGTERM)


@task_prerun.connect
def check_connections(**kwargs: object) -> None:
    """A database that has been restarted since the last job costs no job: its connection is tried, or made anew."""
    close_old_connections()
