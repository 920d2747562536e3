"""Background jobs for what organisers bring in."""

from celery import shared_task

from evalsite.base.queues import LATE_AFTER
from evalsite.challenges import services
from evalsite.challenges.gold import sealing


@shared_task(expires=LATE_AFTER)
def seal_gold() -> None:
    """Seal all that is not; told when gold comes in, and by beat."""
    sealing.seal_all()


@shared_task(expires=LATE_AFTER)
def release_gold() -> None:
    """Release the gold whose time has come; told by beat."""
    services.release_due_gold()
