"""One process at a time holds a row, and renews its lease while it lives: no work is stuck, and none is done twice.

                  claim                       end
     waiting ------------> held ---------------------> ended (as its model says)
        ^                  |  ^
        |     release      |  |  renew
        +------------------+  +--------
        |     reap         |
        +------------------+  once the lease has run out: the holder is dead, or as good as dead

The row is the truth, and a message in the broker is a hint. Every change of state is an UPDATE that names the state it
starts from, so of two processes that try, one succeeds, and a late answer of one that has lost its lease changes
nothing. What time it is says the database, as the clocks of processes may differ.
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
_SOON = 1.0  # seconds until the next try to renew, after the database did not answer
_FREE: dict[str, Any] = {"lease": None, "lease_ends": None}
RESTS_NO_LONGER = Q(not_before=None) | Q(not_before__lte=Now())


class LeasedQuerySet(models.QuerySet[Any]):
    """The ways from one state to the next."""

    def waiting(self) -> Self:
        """Rows that nobody holds, and that have not ended."""
        return self.filter(**self.model.WAITING)

    def due(self) -> Self:
        """Of the rows that wait those that do not rest."""
        return self.waiting().filter(RESTS_NO_LONGER)

    def claim(self, lease: uuid.UUID | None = None, **fields: Any) -> uuid.UUID | None:
        """Hold the row, if it is due, by this lease or a new one; None where another process has been quicker."""
        lease = lease or uuid.uuid4()
        held = {"lease": lease, "lease_ends": Now() + self.model.lasts()}
        return lease if self.due().update(**self.model.CLAIMED | held | fields) else None

    def held(self, lease: uuid.UUID | None) -> Self:
        """The row as long as this lease holds it."""
        return self.filter(**self.model.HELD, lease=lease) if lease else self.none()

    def renew(self, **fields: Any) -> int:
        return self.update(lease_ends=Now() + self.model.lasts(), **fields)

    def release(self, rests: timedelta | None = None, /, **fields: Any) -> int:
        """Let the rows wait again, for as long as they shall rest at least; returns how many they are."""
        until = None if rests is None else Now() + rests
        return self.update(**self.model.RELEASED | _FREE | {"not_before": until} | fields)

    def end(self, **fields: Any) -> int:
        """Leave the row as it is to stay."""
        return self.update(**_FREE | fields)

    def expired(self) -> Self:
        """Rows whose holders have not been heard of for as long as a lease lasts."""
        return self.filter(**self.model.HELD, lease_ends__lt=Now())


class Leased(models.Model):
    """A row that one process at a time may hold."""

    WAITING: ClassVar[Mapping[str, Any]] = {"lease": None}
    HELD: ClassVar[Mapping[str, Any]] = {"lease__isnull": False}
    # What a claim and a release change beside the lease.
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
        """How long a lease lasts of which nothing is heard."""
        lease: timedelta = settings.LEASE
        return lease

    @property
    def own(self) -> LeasedQuerySet:
        """This row, as long as the process holds it that has claimed it."""
        found: LeasedQuerySet = type(self).objects.filter(pk=self.pk).held(self.lease)
        return found


class Queued(Leased):
    """A row that workers take from a queue and try again, which has a `state` of its own."""

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
    """Renew the lease of a row by a thread while the block runs, with what else changes; first after so many seconds.

    A database that restarts does not end it. The thread's own connections end with it.
    """
    done, every = threading.Event(), row.lasts().total_seconds() / 6

    def keep() -> None:
        try:
            wait = every if first is None else first
            while not done.wait(wait):
                wait = every if _is_renewed(row, changes()) else _SOON
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
        row.own.renew(**changes)
    except (DatabaseError, InterfaceError) as error:
        log.warning("a lease could not be renewed", row=f"{row._meta.label} {row.pk}", error=str(error))
        connections.close_all()
        return False
    return True
