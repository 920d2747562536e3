"""Tries whether the database takes writes, for health checks and the doctor."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone

LOCK_SECONDS = 1.0  # for which a probe waits for somebody else's lock
_PROBED_KEY = "a write that is tried"  # of a row that is never there


def probe_write() -> None:
    """Store a row and roll back; raises the database's error where that cannot be done soon.

    A disk may be full, a replica read-only, or somebody hold a lock for ever.
    """
    with _short_busy_timeout(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{1000 * LOCK_SECONDS:.0f}ms'")
        Session.objects.create(pk=_PROBED_KEY, session_data="", expire_date=timezone.now())
        transaction.set_rollback(True)


@contextmanager
def _short_busy_timeout() -> Iterator[None]:
    """Shorten SQLite's wait for its lock, which is the connection's and begins with the transaction."""
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
