"""Which gold ranks, and on which golds an upload is scored: everything else asks here.

What ranks is published, not newest. The first gold of a phase and scenario is published at once, and so is any other as
long as no run has been scored on the one before. Then a new version is a candidate: all runs are scored on it, new ones
on both, and nobody is ranked by it until organisers publish it.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from evalsite.challenges.models import Gold, Phase, Scenario


@dataclass(frozen=True)
class Golds:
    """The versions of (phase, scenario) that matter: the one in force, and the candidate where there is one."""

    in_force: Gold
    candidate: Gold | None = None

    @property
    def to_publish(self) -> Gold | None:
        """What waits for organisers: a candidate, or the gold in force by another engine."""
        return self.candidate or (self.in_force if self.in_force.has_candidate else None)

    @property
    def newest(self) -> Gold:
        return self.candidate or self.in_force

    @property
    def to_score(self) -> list[Gold]:
        """What an upload is scored on, the one that ranks first."""
        return [self.in_force, self.candidate] if self.candidate else [self.in_force]


def golds_of(phases: Iterable[uuid.UUID] | QuerySet[Any]) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    """By (phase, scenario), for those that have gold; one query."""
    return _by_board(_in_order(Gold.objects.filter(phase__in=phases)))


def golds_of_phase(phase: uuid.UUID) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    """The same of a single one."""
    return _by_board(_in_order(Gold.objects.filter(phase=phase)))


def _by_board(golds: Iterable[Gold]) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    published: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    candidates: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    for gold in golds:
        (candidates if gold.is_candidate else published)[gold.phase_id, gold.scenario_id] = gold
    return {key: Golds(gold, candidates.get(key)) for key, gold in published.items()}


def _in_order(golds: QuerySet[Gold]) -> QuerySet[Gold]:
    return golds.exclude(state=Gold.State.DISCARDED).select_related("phase", "scenario").order_by("version")


def golds_of_board(phase: Phase, scenario: Scenario) -> Golds | None:
    """None where there is no gold yet."""
    return golds_of_phase(phase.pk).get((phase.pk, scenario.pk))


def gold_in_force(phase: Phase, scenario: Scenario) -> Gold | None:
    """The version that ranks, which uploads are checked with."""
    return Gold.objects.in_force().filter(phase=phase, scenario=scenario).first()


def golds_in_force(phase: Phase) -> dict[Scenario, Gold]:
    """The same of all scenarios that have gold in this phase, by their numbers; one query."""
    of_phase = Gold.objects.in_force().filter(phase=phase).select_related("scenario").order_by("scenario__number")
    golds = {gold.scenario: gold for gold in of_phase}
    for scenario, gold in golds.items():
        scenario.task, gold.phase = phase.task, phase
    return golds
