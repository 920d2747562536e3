"""What the pages of tasks and boards show to everybody, told by so few facts that looking them up costs little.

Two equal answers to `facts_of` mean equal pages, but for what may be a few seconds old: see `kept_pages`.
"""

from datetime import datetime
from typing import Any

from django.db.models import Aggregate, Count, Max, Q, TextField
from django.db.models.functions import MD5
from django.utils import timezone

from evalsite.challenges.models import (
    Download,
    FormerParticipation,
    Gold,
    Participation,
    Phase,
    Scenario,
    Task,
    TeamNumber,
)
from evalsite.leaderboard.models import Board

Facts = tuple[Any, ...]


class _Joined(Aggregate):
    """All texts as one, in any order: another order makes a page anew, which does no harm."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def facts_of(task: str = "") -> Facts:
    """Of the published task with this slug, or of all of them: what organisers set, names, golds, and boards."""
    of_task = Q(task__is_published=True, task__slug=task) if task else Q(task__is_published=True)
    of_phase = Q(phase__task__is_published=True, phase__task__slug=task) if task else Q(phase__task__is_published=True)
    tasks = Task.objects.filter(is_published=True)
    phases = list(Phase.objects.filter(of_task).order_by("pk").values())
    downloads = list(Download.objects.filter(of_task).order_by("pk").values_list())
    golds = Gold.objects.filter(of_phase).order_by("pk").values_list("pk", "version", "file", "n_units", "adoption")
    return (
        list((tasks.filter(slug=task) if task else tasks).order_by("pk").values_list()),
        phases,
        list(Scenario.objects.filter(of_task).order_by("pk").values_list()),
        list(golds),
        _names(of_task, of_phase),
        boards_as_they_are(of_phase),
        downloads,
        _passed([*(value for phase in phases for value in phase.values()), *(each[-1] for each in downloads)]),
    )


def boards_as_they_are(of_phase: Q) -> list[Facts]:
    """By board what changes with each result that comes, with each edition that is made, and with a final one.

    The place that knows how a board tells that it is to be made anew.
    """
    final = Count("editions", filter=Q(editions__is_final=True))
    found = Board.objects.filter(of_phase).order_by("pk").annotate(newest=Max("editions__made"), n_final=final)
    counters = ("wanted", "made", "compared")
    return list(found.values_list("pk", "phase__slug", "scenario__number", *counters, "newest", "n_final"))


def awaits_results(facts: Facts) -> bool:
    """Whether a result or a change of a run is on its way to a board, so that results say more than editions."""
    return any(made < wanted for _, _, _, wanted, made, *_ in facts[5])


def _names(of_task: Q, of_phase: Q) -> Facts:
    """What teams are called, where they are named and where they are numbers."""
    return (
        Participation.objects.filter(of_task).aggregate(n=Count("pk"), names=MD5(_Joined("team__name"))),
        FormerParticipation.objects.filter(of_task).aggregate(n=Count("pk"), names=MD5(_Joined("name"))),
        TeamNumber.objects.filter(of_phase).aggregate(n=Count("pk"), latest=Max("number")),
    )


def _passed(values: list[Any]) -> list[bool]:
    """Of each time whether it lies behind: windows open and close at exact times."""
    now = timezone.now()
    return [value <= now for value in values if isinstance(value, datetime)]
