"""How many teams and runs a phase had, for the draft of an overview."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from evalsite.challenges.models import Phase
from evalsite.submissions.models import Scoring, Submission


@dataclass(frozen=True)
class Participation:
    n_teams: int = 0  # that have uploaded a run
    n_runs: int = 0
    n_scored: int = 0  # in a scenario at least
    n_withdrawn: int = 0
    n_late: int = 0


def participation_of(phases: Iterable[Phase]) -> dict[UUID, Participation]:
    """Return the numbers by phase, in one query; runs of the organisers are left out."""
    scored = Scoring.objects.filter(submission=OuterRef("pk"), state=Scoring.State.SCORED)
    uploads = Submission.objects.filter(phase__in=list(phases), reference="").order_by()
    counted = uploads.alias(is_scored=Exists(scored)).values_list("phase")
    numbers = counted.annotate(
        n_teams=Count("team", distinct=True),
        n_runs=Count("pk"),
        n_scored=Count("pk", filter=Q(is_scored=True)),
        n_withdrawn=Count("pk", filter=Q(withdrawn__isnull=False)),
        n_late=Count("pk", filter=Q(is_late=True)),
    )
    return {phase: Participation(*counts) for phase, *counts in numbers}
