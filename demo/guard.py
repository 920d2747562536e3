"""Runs one command and ends it, with all that it started, when the process that holds the lifeline is gone.

A killed parent can't stop its children, so each child gets a parent of its own: this small script, run by
its path with the standard library only. The lifeline is a pipe that nobody writes to: it reads as ended once
the process that holds its other end has ended, however that happened.
"""

import os
import signal
import subprocess
import sys
import threading
import time

GRACE_SECONDS = 5


def main(lifeline: int, command: list[str]) -> int:
    """Pass SIGTERM on and return the exit status of the command, 128 + N after signal N."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    # Only to the command: a worker that gets SIGTERM lets its pool finish, unless the pool gets it too.
    signal.signal(signal.SIGTERM, lambda number, frame: child.terminate())
    orphaned = threading.Event()
    threading.Thread(target=end_with_parent, args=(lifeline, child, orphaned), daemon=True).start()
    status = child.wait()
    if orphaned.is_set():
        os.killpg(0, signal.SIGKILL)
    return status if status >= 0 else 128 - status


def end_with_parent(lifeline: int, child: subprocess.Popen[bytes], orphaned: threading.Event) -> None:
    os.read(lifeline, 1)
    orphaned.set()
    child.terminate()
    time.sleep(GRACE_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
