"""Background jobs of upkeep."""

import structlog
from celery import shared_task

from evalsite.base.queues import LATE_AFTER
from evalsite.challenges.gold.checks import measure_golds
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.tidying import ForeignFiles, tidy

log = structlog.get_logger()


@shared_task(expires=LATE_AFTER)
def pulse() -> None:
    """Record that beat, broker and a worker are alive, all three."""
    note(Pulse.Name.BEAT)


@shared_task(name="evalsite.upkeep.tasks.tidy", expires=LATE_AFTER)
def tidy_daily() -> None:
    measure_golds()
    try:
        tidy()
    except ForeignFiles as error:
        log.exception("not tidied", error=str(error))
