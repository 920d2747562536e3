"""What organisers do to a phase by one button: pause it, close it, release its results or its gold, delete it."""

from datetime import datetime

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.moment import database_now
from evalsite.challenges.changing import change
from evalsite.challenges.models import Gold, Phase, WaitingGold, record


def pause(phase: Phase, reason: str, *, by: User) -> None:
    change(phase, {"is_paused": True, "pause_reason": reason}, by=by)


def resume(phase: Phase, *, by: User) -> None:
    change(phase, {"is_paused": False, "pause_reason": ""}, by=by)


def close(phase: Phase, *, by: User) -> None:
    """At once."""
    change(phase, {"closes": database_now()}, by=by)


def release_results(phase: Phase, at: datetime, *, by: User) -> None:
    change(phase, {"results_released": at}, by=by)


def release_gold(phase: Phase, *, by: User) -> None:
    change(phase, {"gold_released": True}, by=by)


def is_unused(phase: Phase) -> bool:
    """Whether nothing was uploaded to it, so that it may go."""
    return not phase.submissions.exists()


def delete_phase(phase: Phase, *, by: User) -> None:
    """With its gold, which nothing was scored with."""
    with transaction.atomic():
        golds, waiting = Gold.objects.filter(phase=phase), WaitingGold.objects.filter(phase=phase)
        files = [*(gold.file for gold in golds), *(each.file for each in waiting)]
        record(phase.task, "phase deleted", actor=by, name=str(phase), slug=phase.slug)
        golds.delete()
        phase.delete()
        delete_after_commit(files)
