"""Sees that no job waits for a clock that was set back."""

from typing import Any

from django.dispatch import receiver

from evalsite.background import services
from evalsite.clock.leading import clock_set_back


@receiver(clock_set_back)
def forget_the_future(sender: Any, **kwargs: Any) -> None:
    services.forget_the_future()
