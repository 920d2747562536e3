"""Leases: one process at a time holds a row and renews its lease, so no work is stuck and none is done twice.

                  claim                       end
     waiting ------------> held ---------------------> ended (as its model says)
        ^                  |  ^
        |     release      |  |  renew
        +------------------+  +--------
        |     reap         |
        +------------------+  once the lease has expired: its holder is taken for dead

The row is the truth, and a message in the broker is a hint. Every change of state is an UPDATE that names the state it
starts from, so of two processes that try, one succeeds, and a late answer of one that has lost its lease changes
nothing. All times are the database's, as the clocks of processes may differ.
"""

import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, Self

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

log = structlog.get_logger()
_RETRY_SECONDS = 1.0  # seconds until the next try to renew, after the database did not answer
_FREE: dict[str, Any] = {"lease": None, "lease_ends": None}
IS_DUE = Q(not_before=None) | Q(not_before__lte=Now())


class LeasedQuerySet(models.QuerySet[Any]):
    """The transitions between the states."""

    def waiting(self) -> Self:
        """Return the rows that nobody holds and that have not ended."""
        return self.filter(**self.model.WAITING)

    def due(self) -> Self:
        """Return the waiting rows whose pause is over."""
        return self.waiting().filter(IS_DUE)

    def claim(self, lease: uuid.UUID | None = None, **fields: Any) -> uuid.UUID | None:
        """Hold the row, if it is due, by this lease or a new one; return None where another process was quicker."""
        lease = lease or uuid.uuid4()
        held = {"lease": lease, "lease_ends": Now() + self.model.lasts()}
        return lease if self.due().update(**self.model.CLAIMED | held | fields) else None

    def held(self, lease: uuid.UUID | None) -> Self:
        """Return the row if this lease holds it."""
        return self.filter(**self.model.HELD, lease=lease) if lease else self.none()

    def renew(self, **fields: Any) -> int:
        return self.update(lease_ends=Now() + self.model.lasts(), **fields)

    def release(self, rests: timedelta | None = None, /, **fields: Any) -> int:
        """Put the rows back to wait, at least for as long as they rest; return how many they are."""
        until = None if rests is None else Now() + rests
        return self.update(**self.model.RELEASED | _FREE | {"not_before": until} | fields)

    def end(self, **fields: Any) -> int:
        """End the rows in the state that the fields say."""
        return self.update(**_FREE | fields)

    def expired(self) -> Self:
        """Return the held rows whose lease has expired."""
        return self.filter(**self.model.HELD, lease_ends__lt=Now())


class Leased(models.Model):
    """A row that one process at a time may hold."""

    WAITING: ClassVar[Mapping[str, Any]] = {"lease": None}
    HELD: ClassVar[Mapping[str, Any]] = {"lease__isnull": False}
    # Fields that a claim and a release change beside the lease.
    CLAIMED: ClassVar[dict[str, Any]] = {}
    RELEASED: ClassVar[dict[str, Any]] = {}

    lease = models.UUIDField(null=True)  # known only to the process that holds the row
    lease_ends = models.DateTimeField(null=True)  # when others may take the row over, unless it is renewed
    not_before = models.DateTimeField(null=True, help_text=_("Until when it rests."))

    objects = LeasedQuerySet.as_manager()

    class Meta:
        abstract = True

    @classmethod
    def lasts(cls) -> timedelta:
        """Return the duration of a lease that is not renewed."""
        lease: timedelta = settings.LEASE
        return lease

    @property
    def leased(self) -> LeasedQuerySet:
        """Return this row as long as its own lease holds it."""
        leased: LeasedQuerySet = type(self).objects.filter(pk=self.pk).held(self.lease)
        return leased


class Queued(Leased):
    """A row that workers take from a queue and retry, which has a `state` of its own."""

    WAITING: ClassVar[Mapping[str, Any]] = {"state": "queued"}
    HELD: ClassVar[Mapping[str, Any]] = {"state": "running"}
    CLAIMED: ClassVar[dict[str, Any]] = {"state": "running", "attempts": F("attempts") + 1, "started": Now()}
    RELEASED: ClassVar[dict[str, Any]] = {"state": "queued", "enqueued": None}

    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    enqueued = models.DateTimeField(null=True, help_text=_("When the broker was last told."))
    started = models.DateTimeField(_("begun"), null=True)
    finished = models.DateTimeField(_("ended"), null=True)

    class Meta:
        abstract = True


@contextmanager
def renewing(
    row: Leased, changes: Callable[[], dict[str, Any]] = dict, *, first: float | None = None
) -> Iterator[None]:
    """Renew the row's lease in a thread while the block runs, together with `changes`; after `first` seconds for the
    first time.

    A database that restarts does not end the thread, whose own connections end with it.
    """
    done, every = threading.Event(), row.lasts().total_seconds() / 6

    def keep() -> None:
        try:
            wait = every if first is None else first
            while not done.wait(wait):
                wait = every if _is_renewed(row, changes()) else _RETRY_SECONDS
        finally:
            connections.close_all()

    thread = threading.Thread(target=keep, name=f"lease of {row._meta.label} {row.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _is_renewed(row: Leased, changes: dict[str, Any]) -> bool:
    try:
        row.leased.renew(**changes)
    except (DatabaseError, InterfaceError) as error:
        log.warning("a lease could not be renewed", row=f"{row._meta.label} {row.pk}", error=str(error))
        connections.close_all()
        return False
    return True
