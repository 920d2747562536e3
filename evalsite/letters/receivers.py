"""Sees that no mail waits for a clock that was set back."""

from typing import Any

from django.dispatch import receiver

from evalsite.clock.leading import clock_set_back
from evalsite.letters import services


@receiver(clock_set_back)
def follow_clock(sender: Any, **kwargs: Any) -> None:
    services.forget_the_future()
