"""A clock that can jump.

Where `CHAOS_CLOCK` names a file, each process is as many seconds ahead of the machine as the file says. The time that
passes stays true: `time.monotonic` and whatever waits.
"""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import time_machine

LOOK_EVERY = 0.5  # seconds between two looks at the clock's file


def follow_clock() -> None:
    """From now on in this process."""
    if path := os.environ.get("CHAOS_CLOCK"):
        threading.Thread(target=_follow, args=(Path(path),), daemon=True).start()


def _follow(path: Path) -> None:
    ahead, travel = 0, None
    while True:
        if (now_ahead := int(path.read_text() or 0)) != ahead:
            if travel:
                travel.stop()
            ahead, travel = now_ahead, time_machine.travel(timedelta(seconds=now_ahead), tick=True)
            travel.start()
        time.sleep(LOOK_EVERY)
