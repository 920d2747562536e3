"""Which of a team's runs stand on the boards of a task."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import OuterRef, QuerySet, Subquery

from evalsite.challenges.access import Role, sees_board
from evalsite.leaderboard.models import NEWEST_FIRST, Edition
from evalsite.results.history import History

KEPT_FOR = 24 * 3600  # seconds; what an edition ranks never changes until it is made anew


def on_board(histories: Sequence[History], role: Role) -> set[tuple[UUID, UUID]]:
    """(submission, scenario) of those on the newest editions of boards that the visitor sees."""
    phases = {history.phase.pk: history.phase for history in histories}
    seen = [pk for pk, phase in phases.items() if sees_board(role, phase)]
    own = {run.submission.pk for history in histories for run in history.runs}
    return {
        (run, scenario)
        for phase in seen
        for edition, made, scenario in _editions_of(phase)
        for run in own & _ranked(edition, made)
    }


def _editions_of(phase: UUID) -> QuerySet[Edition, Any]:
    """The newest one of each board."""
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    return Edition.objects.filter(board__phase=phase, pk=Subquery(latest)).values_list("pk", "made", "board__scenario")


def _ranked(edition: UUID, made: datetime) -> frozenset[UUID]:
    """The submissions with a rank; kept, as they stand in a megabyte of entries where there are a thousand."""
    key = f"own_runs:ranked:{edition}:{made.timestamp()}"
    found: frozenset[UUID] | None = cache.get(key)
    if found is None:
        entries = Edition.objects.values_list("entries", flat=True).get(pk=edition)
        found = frozenset(UUID(entry["submission"]) for entry in entries if entry["rank"] is not None)
        cache.set(key, found, KEPT_FOR)
    return found
