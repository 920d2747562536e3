"""Waits for a database that restarts, so that no worker burns the messages of a queue meanwhile."""

import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from evalsite.base.faults import fault_of

log = structlog.get_logger()
Answer = TypeVar("Answer")


def patiently(ask: Callable[[], Answer]) -> Answer:
    """What `ask` answers, asked again with short waits while the database does not answer, for DATABASE_PATIENCE.

    `ask` is one transaction, and does nothing when it has been done before. Inside a transaction of the caller's
    nothing can be asked again, so the error is raised at once.
    """
    end = time.monotonic() + settings.DATABASE_PATIENCE.total_seconds()
    for wait in _waits():
        try:
            return ask()
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block or fault_of(error) is None or time.monotonic() + wait > end:
                raise
            log.warning("the database does not answer; asking again", error=str(error), wait=wait)
            connection.close()
        time.sleep(wait)
    raise AssertionError("the waits never end")


def _waits() -> Iterator[float]:
    """Seconds: short at first, as most restarts take a moment."""
    return chain((0.1, 0.2, 0.5, 1), repeat(2))
