"""A lease in the database: whoever holds it leads, and whoever is not heard of for half a minute does not."""

from datetime import timedelta

from django.db import IntegrityError
from django.db.models import DateTimeField, ExpressionWrapper, Q
from django.db.models.functions import Now

from evalsite.clock.models import Lead

LEASE = timedelta(seconds=30)
_ONLY = 1  # the key of the row


def lead(holder: str) -> bool:
    """Take the lead, or keep it; False where somebody else has it. One query; raises django.db.Error."""
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


def resign(holder: str) -> None:
    """Let the next one lead at once."""
    Lead.objects.filter(holder=holder).delete()
