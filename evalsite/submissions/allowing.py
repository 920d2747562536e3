"""What organisers give to one team of a phase beyond its limits, and take back where it is unused."""

from datetime import datetime

from django.db import transaction

from evalsite.accounts.models import Team, User
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase, record
from evalsite.submissions.models import Allowance


def allow(phase: Phase, team: Team, uploads: int, *, reason: str, by: User, until: datetime | None = None) -> Allowance:
    with transaction.atomic():
        given = Allowance.objects.create(phase=phase, team=team, uploads=uploads, until=until, reason=reason, by=by)
        record(
            phase.task,
            "uploads allowed",
            actor=by,
            subject=team.pk,
            team=team.name,
            phase=phase.slug,
            uploads=uploads,
            reason=reason,
            until=until.isoformat() if until else "",
        )
    return given


def end(allowance: Allowance, *, by: User) -> bool:
    """No further upload is taken of it from now on; returns whether one could be before."""
    now = database_now()
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=allowance.team_id)  # an upload may be about to use it
        kept = Allowance.objects.select_related("phase__task", "team").get(pk=allowance.pk)
        if kept.until is not None and kept.until <= now:
            return False
        before = kept.until.isoformat() if kept.until else ""
        Allowance.objects.filter(pk=kept.pk).update(until=now)
        detail = {"team": kept.team.name, "phase": kept.phase.slug, "reason": kept.reason}
        changes = {"until": (before, now.isoformat())}
        record(kept.phase.task, "allowance ended", actor=by, subject=kept.team_id, changes=changes, **detail)
    return True
