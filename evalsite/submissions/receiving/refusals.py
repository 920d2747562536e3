"""Counts the uploads of a team that were refused, and keeps the last reason: what organisers see of them."""

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase, Task
from evalsite.submissions.models import RefusedUploads

_LONGEST = 2_000  # characters of a reason that are kept


def count_refusal(phase: Phase, team: Team, file_name: str, reason: str) -> None:
    """Count one more; the reason is a message of the engine, or what the team was told."""
    RefusedUploads.objects.bulk_create([RefusedUploads(phase=phase, team=team)], ignore_conflicts=True)
    kept = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}…"
    rows = RefusedUploads.objects.filter(phase=phase, team=team)
    rows.update(n=F("n") + 1, last=Now(), file_name=file_name, reason=kept)


def refused_in(task: Task) -> QuerySet[RefusedUploads]:
    """Return the refusals in the task, the latest first."""
    return RefusedUploads.objects.filter(phase__task=task).select_related("team", "phase").order_by("-last", "pk")
