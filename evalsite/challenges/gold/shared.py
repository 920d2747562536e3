"""Shares gold between phases: one takes over another's, as a post-evaluation phase does."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import named


@dataclass(frozen=True)
class Source:
    """Another phase of the task with gold, and what this one lacks of it."""

    phase: Phase
    golds: Sequence[Gold]  # the one in force of each scenario
    lacking: Sequence[Scenario]  # without gold in this phase
    differing: Sequence[Scenario]  # with other gold than there
    would_publish: bool  # its gold is hidden, and that of this phase is not

    @property
    def is_same(self) -> bool:
        return not self.lacking and not self.differing


def sources_of(phase: Phase) -> list[Source]:
    """Return the other phases of the task with gold, in two queries.

    A candidate of this phase is its own gold already; of other phases the gold that ranks is taken.
    """
    golds: dict[Phase, dict[Scenario, Gold]] = {}
    in_force = Gold.objects.in_force().filter(phase__task=phase.task_id).exclude(phase=phase)
    for gold in in_force.select_related("phase__task", "scenario__task").order_by("phase__opens", "scenario__number"):
        golds.setdefault(gold.phase, {})[gold.scenario] = gold
    own_golds = {gold.in_force.scenario: gold.newest for gold in golds_of([phase.pk]).values()}
    return [_source(phase, other, theirs, own_golds) for other, theirs in golds.items()]


def _source(phase: Phase, other: Phase, theirs: dict[Scenario, Gold], own_golds: dict[Scenario, Gold]) -> Source:
    differing = [
        scenario
        for scenario, gold in theirs.items()
        if scenario in own_golds and not _is_same(gold, own_golds[scenario])
    ]
    return Source(
        other,
        golds=list(theirs.values()),
        lacking=[scenario for scenario in theirs if scenario not in own_golds],
        differing=differing,
        would_publish=phase.gold_released and not other.gold_released,
    )


def _is_same(one: Gold, other: Gold) -> bool:
    """Compare two golds by their bytes, or by what the engine reads of them."""
    return one.sha256 == other.sha256 or (one.digest != "" and one.digest == other.digest)


def take_gold_over(phase: Phase, source: Phase, *, by: User) -> list[Gold]:
    """Add the other phase's gold to the phase, as new versions, where it is missing or differs; checked as any gold is.

    Nothing is taken over if that would publish hidden gold.
    """
    offer = next((offered for offered in sources_of(phase) if offered.phase == source), None)
    wanted = {*offer.lacking, *offer.differing} if offer and not offer.would_publish else set()
    with transaction.atomic():
        return [_copy(phase, gold, by) for gold in _in_scenarios(offer.golds if offer else (), wanted)]


def _in_scenarios(golds: Iterable[Gold], scenarios: set[Scenario]) -> list[Gold]:
    return [gold for gold in golds if gold.scenario in scenarios]


def _copy(phase: Phase, gold: Gold, by: User) -> Gold:
    note = f"{gold.phase.name}, version {gold.version}"
    with named(gold.file) as file:
        return add_gold(phase, gold.scenario, Path(file), file.name, by=by, note=note[:200])
