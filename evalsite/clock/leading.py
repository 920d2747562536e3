"""A lease in the database: whoever holds it leads, and whoever is not heard of for half a minute does not.

Leases of all kinds are by the database's clock, which no other one has to agree with. Where it is set back, they would
last that much longer, and what is to be done in a moment would wait as long. The lead is the lease that is renewed all
the time, so it tells.
"""

from datetime import timedelta
from typing import Any

import structlog
from django.db import IntegrityError
from django.db.models import DateTimeField, ExpressionWrapper, Q, QuerySet
from django.db.models.functions import Now
from django.dispatch import Signal

from evalsite.clock.models import Lead

log = structlog.get_logger()
LEASE = timedelta(seconds=30)
A_LITTLE = timedelta(seconds=2)  # by which a clock may be corrected without a word
# Sent when the database's clock shows an earlier time than it did: whoever keeps times by it forgets those to come that
# nobody can have meant. It may be sent twice.
clock_set_back = Signal()
_ONLY = 1  # the key of the row


def lead(holder: str) -> bool:
    """Take the lead, or keep it; False where somebody else has it. Raises django.db.Error."""
    _tell_if_set_back()
    ends = ExpressionWrapper(Now() + LEASE, output_field=DateTimeField())
    if Lead.objects.filter(Q(holder=holder) | Q(ends__lt=Now()), pk=_ONLY).update(holder=holder, ends=ends):
        return True
    if Lead.objects.filter(pk=_ONLY).exists():
        return False
    try:
        Lead.objects.create(pk=_ONLY, holder=holder, ends=ends)
    except IntegrityError:
        return False  # another one was faster
    return True


def forget_the_future(rows: QuerySet[Any], lease: timedelta) -> None:
    """Of rows whose lease ends, that rest, and of which the broker was told: no lease lasts longer than one does, no
    rest beyond now, and of what was told in times to come it is told again. Who holds a lease and lives renews it."""
    rows.filter(lease_ends__gt=Now() + lease).update(lease_ends=Now() + lease)
    rows.filter(not_before__gt=Now()).update(not_before=Now())
    rows.filter(enqueued__gt=Now()).update(enqueued=None)


def _tell_if_set_back() -> None:
    """The lead itself last: where something fails before, the next look tells it again."""
    to_come = Lead.objects.filter(pk=_ONLY, ends__gt=Now() + LEASE + A_LITTLE)
    if to_come.exists():
        log.warning("the database's clock was set back")
        clock_set_back.send(Lead)
        to_come.update(ends=ExpressionWrapper(Now() + LEASE, output_field=DateTimeField()))


def resign(holder: str) -> None:
    """Let the next one lead at once."""
    Lead.objects.filter(holder=holder).delete()
