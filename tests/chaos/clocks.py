"""The site's applications, for WSGI and for Celery, in processes whose clock can be set.

Each process is as many seconds ahead of the machine as the file says that `CHAOS_CLOCK` names. The time that passes
stays true: `time.monotonic` and whatever waits.
"""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import time_machine

from evalsite.celery import app
from evalsite.wsgi import application

__all__ = ("app", "application")

LOOK_EVERY = 0.5  # seconds between two looks at the clock's file
_travels: list[time_machine.travel] = []  # the one that goes on; a fork goes on with it


def _follow(path: Path) -> None:
    seen = ""
    while True:
        if (ahead := path.read_text() if path.exists() else "0") != seen:
            seen = ahead
            while _travels:
                _travels.pop().stop()
            _travels.append(time_machine.travel(timedelta(seconds=int(ahead or 0)), tick=True))
            _travels[0].start()
        time.sleep(LOOK_EVERY)


def _begin() -> None:
    threading.Thread(target=_follow, args=(Path(os.environ["CHAOS_CLOCK"]),), daemon=True).start()


_begin()
os.register_at_fork(after_in_child=_begin)
