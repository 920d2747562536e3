"""Signs of life while long work runs: a thread renews the row by which one process holds it for some seconds."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.db import DatabaseError, InterfaceError, connections

log = structlog.get_logger()
SOON = 1.0  # seconds until the next try after the database did not answer


@contextmanager
def beating(name: str, renew: Callable[[], object], *, every: float, first: float | None = None) -> Iterator[None]:
    """Calls `renew` every so many seconds while the block runs, the first time after `first`.

    A database that restarts does not end the heart. The thread's own connections end with it.
    """
    done = threading.Event()

    def beat() -> None:
        try:
            wait = every if first is None else first
            while not done.wait(wait):
                wait = every if _is_renewed(name, renew) else SOON
        finally:
            connections.close_all()

    thread = threading.Thread(target=beat, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _is_renewed(name: str, renew: Callable[[], object]) -> bool:
    try:
        renew()
    except (DatabaseError, InterfaceError) as error:
        log.warning("what a process holds could not be renewed", what=name, error=str(error))
        connections.close_all()
        return False
    return True
