"""Decides which version of gold ranks, and on which versions an upload is scored.

What ranks is published, not newest. The first gold of a phase and scenario is published at once, and so is any other as
long as no run has been scored on the one before. Then a new version is a candidate: all runs are scored on it, new ones
on both, and nobody is ranked by it until organisers publish it. The ranked part of a gold that is split is scored in
the same way beside the shown part, until it decides.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from evalsite.challenges.models import Gold, Phase, Scenario


@dataclass(frozen=True)
class Golds:
    """The versions of (phase, scenario) that matter: the one in force, the candidate, and the held ranked part."""

    in_force: Gold
    candidate: Gold | None = None
    held: Gold | None = None

    @property
    def to_publish(self) -> Gold | None:
        """Return the gold that waits for organisers: a candidate, or the one in force with another engine's results."""
        return self.candidate or (self.in_force if self.in_force.has_candidate else None)

    @property
    def newest(self) -> Gold:
        return self.candidate or self.in_force

    @property
    def to_score(self) -> list[Gold]:
        """Return the versions on which an upload is scored, the one that ranks first."""
        return [gold for gold in (self.in_force, self.candidate, self.held) if gold]


def golds_of(
    phases: Iterable[uuid.UUID] | QuerySet[Any],
    related: Sequence[str] = ("phase", "scenario"),
    deferred: Sequence[str] = (),
) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    """Return the golds by (phase, scenario), where there are any; one query, which reads what is `related` too, without
    its `deferred` columns."""
    golds = Gold.objects.filter(phase__in=phases).exclude(state=Gold.State.DISCARDED)
    published: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    candidates: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    held: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    by_state = {Gold.State.CANDIDATE: candidates, Gold.State.HELD: held, Gold.State.PUBLISHED: published}
    if related:  # without names select_related would read all rows that a gold refers to
        golds = golds.select_related(*related)
    for gold in golds.defer(*deferred).order_by("version"):
        by_state[Gold.State(gold.state)][gold.phase_id, gold.scenario_id] = gold
    return {key: Golds(gold, candidates.get(key), held.get(key)) for key, gold in published.items()}


def golds_of_board(phase: Phase, scenario: Scenario) -> Golds | None:
    """Return the golds of (phase, scenario), or None if there are none yet."""
    return golds_of([phase.pk]).get((phase.pk, scenario.pk))


def gold_in_force(phase: Phase, scenario: Scenario) -> Gold | None:
    """Return the version that ranks, with which uploads are checked."""
    return Gold.objects.in_force().filter(phase=phase, scenario=scenario).first()


def golds_in_force(phase: Phase) -> dict[Scenario, Gold]:
    """Return the version that ranks of each scenario that has gold in this phase, by number; one query."""
    of_phase = Gold.objects.in_force().filter(phase=phase).select_related("scenario").order_by("scenario__number")
    golds = {gold.scenario: gold for gold in of_phase}
    for scenario, gold in golds.items():
        scenario.task, gold.phase = phase.task, phase
    return golds
