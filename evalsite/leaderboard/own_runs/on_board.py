"""Which of a team's runs stand on the boards of a task."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import OuterRef, Subquery

from evalsite.challenges.access import Visitor, role_of, sees_board
from evalsite.leaderboard.models import Edition
from evalsite.results.history import History


def on_board(histories: Iterable[History], user: Visitor) -> set[tuple[UUID, UUID]]:
    """(submission, scenario) of those on the newest editions of boards that the visitor sees; one query."""
    phases = {history.phase.pk: history.phase for history in histories}
    if not phases:
        return set()
    role = role_of(user, next(iter(phases.values())).task)
    seen = [pk for pk, phase in phases.items() if sees_board(role, phase)]
    latest = Edition.objects.filter(board=OuterRef("board")).order_by("-made").values("pk")[:1]
    editions = Edition.objects.filter(board__phase__in=seen, pk=Subquery(latest))
    return {
        (UUID(entry["submission"]), scenario)
        for entries, scenario in editions.values_list("entries", "board__scenario")
        for entry in entries
        if entry["rank"] is not None
    }
