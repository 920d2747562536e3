"""Decides which version of gold ranks, and on which versions an upload is scored.

What ranks is published, not newest. The first gold of a phase and scenario is published at once, and so is any other as
long as no run has been scored on the one before. Then a new version is a candidate: all runs are scored on it, new ones
on both, and nobody is ranked by it until organisers publish it. The ranked part of a gold that is split is scored in
the same way beside the shown part, until it decides.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.cache import caches
from django.db.models import QuerySet

from evalsite.base.cache_keys import cache_key
from evalsite.challenges.models import Gold, Phase, Scenario

_SECONDS_KEPT = 20


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
    columns: Sequence[str] = (),
) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    """Return the golds by (phase, scenario), where there are any; one query, which reads what is `related` too, without
    its `deferred` columns, or with these `columns` alone."""
    published: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    candidates: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    held: dict[tuple[uuid.UUID, uuid.UUID], Gold] = {}
    by_state = {Gold.State.CANDIDATE: candidates, Gold.State.HELD: held, Gold.State.PUBLISHED: published}
    golds = _golds(tuple(related), tuple(deferred), tuple(columns)).filter(phase__in=phases)
    for gold in sorted(golds, key=_version):  # here, where it costs least: there are few
        by_state[Gold.State(gold.state)][gold.phase_id, gold.scenario_id] = gold
    return {key: Golds(gold, candidates.get(key), held.get(key)) for key, gold in published.items()}


@cache  # built once, as most pages ask it of another phase
def _golds(related: tuple[str, ...], deferred: tuple[str, ...], columns: tuple[str, ...]) -> QuerySet[Gold]:
    golds = Gold.objects.exclude(state=Gold.State.DISCARDED).order_by()
    if related:  # without names select_related would read all rows that a gold refers to
        golds = golds.select_related(*related)
    return golds.only(*columns) if columns else golds.defer(*deferred)


def golds_of_board(phase: Phase, scenario: Scenario) -> Golds | None:
    """Return the golds of (phase, scenario), or None if there are none yet."""
    return golds_of([phase.pk]).get((phase.pk, scenario.pk))


def gold_in_force(phase: Phase, scenario: Scenario) -> Gold | None:
    """Return the version that ranks, with which uploads are checked."""
    return Gold.objects.in_force().filter(phase=phase, scenario=scenario).first()


def golds_in_force(phase: Phase) -> dict[Scenario, Gold]:
    """Return the version that ranks of each scenario that has gold in this phase, by number; one query."""
    # The newest is picked here, where it costs least: there are few.
    newest = {gold.scenario_id: gold for gold in sorted(_published().filter(phase=phase), key=_version)}
    return _by_scenario(sorted(newest.values(), key=lambda gold: gold.scenario.number), phase)


@cache  # built once, for each upload asks it of its phase
def _published() -> QuerySet[Gold]:
    return Gold.objects.published().select_related("scenario").order_by()


def _version(gold: Gold) -> int:
    return gold.version


def golds_to_show(phase: Phase) -> dict[Scenario, Gold]:
    """Return the same as this process has read it since the task's revision was raised: for pages, not for scoring."""
    key = cache_key("golds-in-force", phase.pk, phase.task.revision)
    golds: list[Gold] | None = caches["editions"].get(key)
    if golds is None:
        golds = list(golds_in_force(phase).values())
        caches["editions"].set(key, golds, _SECONDS_KEPT)
    return _by_scenario(golds, phase)


def _by_scenario(golds: Iterable[Gold], phase: Phase) -> dict[Scenario, Gold]:
    by_scenario = {gold.scenario: gold for gold in golds}
    for scenario, gold in by_scenario.items():
        scenario.task, gold.phase = phase.task, phase
    return by_scenario
