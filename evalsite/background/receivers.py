"""Sees that no job waits for a clock that was set back."""

from typing import Any

from django.conf import settings
from django.dispatch import receiver

from evalsite.background.models import Job
from evalsite.clock.leading import clock_set_back, forget_the_future


@receiver(clock_set_back)
def follow_clock(sender: Any, **kwargs: Any) -> None:
    forget_the_future(Job.objects.filter(state__in=Job.ACTIVE), settings.LEASE)
