"""The current time: as a page or a preview shows it, and by the database's clock.

What is only shown uses `now`: the current time, or in a preview the time that an organiser has chosen. What decides
something, such as whether an upload is in time, uses `database_now`, or compares with `Now()` in its query, since the
clocks of machines may differ.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.db import connection
from django.utils import timezone

_chosen: ContextVar[datetime | None] = ContextVar("chosen moment", default=None)


def now() -> datetime:
    return _chosen.get() or timezone.now()


def database_now() -> datetime:
    """Return the time by the database's clock, for one small query."""
    if connection.vendor == "sqlite":
        return timezone.now()  # it has the clock of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@contextmanager
def seen_at(time: datetime) -> Iterator[None]:
    """Let `now` be this time inside the block, for this request alone."""
    token = _chosen.set(time)
    try:
        yield
    finally:
        _chosen.reset(token)
