"""Whether the database takes writes now: a disk may be full, a copy only read, or somebody hold a lock for ever."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone

LOCK_SECONDS = 1.0  # for which a lock of somebody else's is waited for
_TRIED = "a write that is tried"  # the key of a row that is never there


def try_a_write() -> None:
    """Store a row, and take it back; raises the database's error where that cannot be done soon."""
    with _little_patience(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{1000 * LOCK_SECONDS:.0f}ms'")
        Session.objects.create(pk=_TRIED, session_data="", expire_date=timezone.now())
        transaction.set_rollback(True)


@contextmanager
def _little_patience() -> Iterator[None]:
    """SQLite waits for its lock when the transaction begins, as long as the connection says."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        [usual] = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {1000 * LOCK_SECONDS:.0f}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
