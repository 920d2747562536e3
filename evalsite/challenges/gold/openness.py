"""Says whether the gold of a phase can be known to those whose runs it ranks."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet

from evalsite.base import moment
from evalsite.challenges.gold.budget import budget_of
from evalsite.challenges.models import Gold, Organiser, Phase, Task, published


class Openness(StrEnum):
    """Names what can be known of a phase's gold."""

    HIDDEN = "hidden"
    AFTERWARDS = "afterwards"  # it was released, and all runs had come before
    OPEN = "open"
    ELSEWHERE = "elsewhere"  # another phase has released the very same gold


def openness(phase: Phase) -> Openness:
    """Return what can be known of the phase's gold, mostly in a query."""
    if not phase.gold_released:
        # Most golds are in no other phase, as their budgets say, which pages of runs and boards ask for anyway.
        is_elsewhere = any(gold.phase_id != phase.pk for budget in budget_of(phase).golds for gold in budget.same)
        is_known = is_elsewhere and known_golds(Gold.objects.in_force().filter(phase=phase))
        return Openness.ELSEWHERE if is_known else Openness.HIDDEN
    since = phase.gold_released_since
    if since and not phase.submissions.filter(created__gte=since, withdrawn=None).exists():
        return Openness.AFTERWARDS
    return Openness.OPEN


def known_golds(golds: QuerySet[Gold]) -> list[Gold]:
    """Return those of these golds that everybody may download from another phase of the same organisers.

    The digest is compared: the same answers may lie in another file, under another name. Gold of other people counts
    for nothing, or whoever publishes guesses as gold would be told when one of them is right.
    """
    digests = golds.exclude(digest="").values("digest")
    public = Task.objects.filter(published(moment.now()))
    released = Gold.objects.in_force().filter(phase__gold_released=True, phase__members_only=False)
    released = released.filter(digest__in=digests, phase__task__in=public)
    organisers = _grouped(released.values_list("digest", "phase__task__organiser_rows__user"))
    if not organisers:
        return []
    same = list(golds.filter(digest__in=organisers).select_related("phase__task", "scenario"))
    rows = Organiser.objects.filter(task__in={gold.phase.task_id for gold in same})
    of_tasks = _grouped(rows.values_list("task", "user"))
    return [gold for gold in same if organisers[gold.digest] & of_tasks.get(gold.phase.task_id, set())]


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, set[Any]]:
    groups: dict[Any, set[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, set()).add(value)
    return groups
