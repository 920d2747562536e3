"""Checks that a worker has the gold that it is to score with, before it takes its first message."""

from typing import Any

import structlog
from celery.signals import worker_init
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext

from evalsite.base.faults import fault_of
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Gold, Phase
from evalsite.challenges.storage.files import checked_path

log = structlog.get_logger()


@worker_init.connect(dispatch_uid="gold-of-open-phases")
def before_the_first_message(**signal: Any) -> None:
    try:
        look_at_gold()
    except (DatabaseError, InterfaceError) as error:
        log.warning("the gold could not be looked at", error=str(error))
    finally:
        connection.close()  # before processes are forked


def look_at_gold() -> None:
    """Raise SystemExit where no open phase's gold can be read: such a worker has another folder than the site.

    Otherwise it would take runs from workers that can score them. Single files are only logged, as errors.
    """
    golds = gold_of_open_phases()
    lacking = {str(gold): wrong for gold in golds if (wrong := what_is_wrong_with(gold))}
    for gold, wrong in lacking.items():
        log.error("the gold of an open phase cannot be read here", gold=gold, error=wrong)
    if golds and len(lacking) == len(golds):
        words = gettext(
            "This worker cannot read the gold of any open phase, so it takes no scorings. It "
            "needs access to the site's EVALSITE_DATA_DIR or its storage. The first of the "
            "errors: %(error)s"
        )
        raise SystemExit(words % {"error": next(iter(lacking.values()))})


def gold_of_open_phases() -> list[Gold]:
    now = Now()
    is_open = Q(closes=None) | Q(closes__gt=now)
    boards = golds_of(Phase.objects.filter(is_open, opens__lte=now).values("pk"))
    return [gold for golds in boards.values() for gold in golds.to_score]


def what_is_wrong_with(gold: Gold) -> str:
    """Return the error in a line; "" for gold that is here with all its bytes."""
    try:
        with checked_path(gold.file, gold.sha256):
            return ""
    except Exception as error:
        if fault_of(error) is None:
            raise
        return str(error)
