"""The site's Celery application, whose makers of boards can be killed in the middle, and whose clock can jump.

A fault puts a file into the folder of `CHAOS_ORDERS`; its text is a number between 0 and 1. The next process that
begins to make a board takes the file and kills itself when that share of the time has passed which the last board of
this process took.
"""

import os
import signal
import threading
import time
from pathlib import Path

from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun, worker_process_init

from evalsite.celery import app
from tests.chaos.jumping import follow_clock
from tests.chaos.site import KILL_MAKER, KILLED_MAKER

__all__ = ("app",)

ORDERS = Path(os.environ["CHAOS_ORDERS"])
WORTH = 0.01  # seconds: a job that took less had no board to make
took: dict[str, float] = {}  # seconds of the last job of each name that made a board
_began = 0.0


@task_prerun.connect
def begins(task: object, **kwargs: object) -> None:
    global _began
    name = getattr(task, "name", "")
    if not name.startswith("evalsite.leaderboard."):
        return
    _began = time.monotonic()
    if name in took and (share := _ordered()) is not None:
        threading.Timer(share * took[name], _die, (name,)).start()


@task_postrun.connect
def ends(task: object, **kwargs: object) -> None:
    name = getattr(task, "name", "")
    if name.startswith("evalsite.leaderboard.") and (seconds := time.monotonic() - _began) > WORTH:
        took[name] = seconds


def _ordered() -> float | None:
    try:
        share = float((ORDERS / KILL_MAKER).read_text())
        (ORDERS / KILL_MAKER).unlink()  # of two makers that have read it, one gets it
    except (OSError, ValueError):
        return None
    return share


def _die(name: str) -> None:
    (ORDERS / KILLED_MAKER).write_text(name)
    os.kill(os.getpid(), signal.SIGKILL)


@beat_init.connect
@celeryd_init.connect
@worker_process_init.connect
def begin_to_follow_clock(**kwargs: object) -> None:
    follow_clock()
