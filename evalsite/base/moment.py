"""What time it is: for whoever looks at a page, and by the clock that all processes of the site have in common.

What is only shown asks `now`: it is now, or in a preview the time that an organiser has chosen. What decides something,
such as whether an upload has come in time, asks `database_now`, or compares with `Now()` in its query, since the clocks
of machines may differ.
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
    """The time by the database's clock, for one small query."""
    if connection.vendor == "sqlite":
        return timezone.now()  # it has the clock of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@contextmanager
def seen_at(time: datetime) -> Iterator[None]:
    """Inside the block it is this time, for this request alone."""
    token = _chosen.set(time)
    try:
        yield
    finally:
        _chosen.reset(token)
