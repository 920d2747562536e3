"""What time it is for whoever looks at a page: now, or in a preview the time that an organiser has chosen.

Only what is shown asks here. What is taken, counted or stored asks the clock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.utils import timezone

_chosen: ContextVar[datetime | None] = ContextVar("chosen moment", default=None)


def now() -> datetime:
    return _chosen.get() or timezone.now()


@contextmanager
def seen_at(time: datetime) -> Iterator[None]:
    """Inside the block it is this time, for this request alone."""
    token = _chosen.set(time)
    try:
        yield
    finally:
        _chosen.reset(token)
