"""Background jobs for what organisers bring in."""

from celery import shared_task

from evalsite.base.queues import LATE_AFTER
from evalsite.challenges.gold import sealing


@shared_task(expires=LATE_AFTER)
def seal_gold() -> None:
    """Seal all that is not; told when gold comes in, and by beat."""
    sealing.seal_all()
