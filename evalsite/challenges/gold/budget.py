"""Decides how much teams are told of a run while the gold is hidden: as much as leaves half of the gold unread.

What a phase tells of one upload (scoring.budget) times the uploads that a team may make in all has to stay under half
of what its gold holds. The same gold may stand in other phases, of this task or another one: it is known by its digest,
whatever the row, and what all of them tell is added up. Once none of them takes uploads, nothing is left to be read by
them. Of a gold that is split the shown part is given away: nothing is told of the ranked one, so nothing is added up.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.core.cache import caches
from django.db.models import Exists, OuterRef, Q

from evalsite.base import moment
from evalsite.base.cache_keys import cache_key
from evalsite.challenges.models import Gold, Part, Phase
from scoring.budget import Detail, GoldSize, bits_told

SHARE = 0.5  # of a gold that may be told
_KEPT = "_budget_of_golds"  # on the phase, as one page asks many times
_SECONDS_KEPT = 20  # golds of phases, by the revision


@dataclass(frozen=True)
class GoldBudget:
    """A gold of a phase, with the golds of all phases that are the same."""

    gold: Gold
    same: Sequence[Gold]  # itself among them, each with its phase, task and scenario

    @cached_property
    def holds(self) -> float:
        """Return what there is to be read, in bits; 0.0 of a gold that was not measured yet.

        Scenarios may read several things from one file: it holds as much as that of which there is most.
        """
        return max(map(_holds, self.same))

    def bits_told(self, detail: Detail) -> float:
        """Return the bits that a team may be told in all where phases that say nothing else tell so much."""
        return sum(told_by(gold, detail) for gold in self.same)

    def is_enough(self, detail: Detail) -> bool:
        """Return whether half of the file, and half of what this scenario reads from it, stay unread."""
        alike = (gold for gold in self.same if _are_alike(gold, self.gold))
        bits = sum(told_by(gold, detail) for gold in alike)
        return self.bits_told(detail) <= SHARE * self.holds and bits <= SHARE * _holds(self.gold)

    @cached_property
    def detail(self) -> Detail:
        """Return the most detailed level that leaves half of the gold unread; where none does, the last."""
        if self.gold.part == Part.SHOWN:
            return Detail.TABLES
        return next(filter(self.is_enough, Detail), Detail.HEADLINE)


@dataclass(frozen=True)
class Budget:
    """The golds of a phase."""

    phase: Phase
    golds: Sequence[GoldBudget]

    @property
    def hides(self) -> bool:
        """Return whether uploads may still read a gold of it that is to stay hidden."""
        return any(_is_hidden_by(gold.phase, self.phase) for budget in self.golds for gold in budget.same)

    @property
    def automatic(self) -> Detail:
        """Return the level that all golds of the phase allow."""
        levels = [*Detail]
        return max((budget.detail for budget in self.golds), key=levels.index, default=Detail.TABLES)

    @property
    def detail(self) -> Detail | None:
        """Return how much is told now; None where uploads read nothing any more, and everything may be told."""
        if not self.hides:
            return None
        chosen = Phase.Detail(self.phase.detail)
        return self.automatic if chosen is Phase.Detail.AUTOMATIC else Detail(chosen.value)


def detail_of(phase: Phase) -> Detail | None:
    """Return how much teams are told of a run of the phase; None where nothing is kept from them for the sake of
    uploads to come.
    """
    return budget_of(phase).detail


def budget_of(phase: Phase) -> Budget:
    """Return the budget of a phase; few queries the first time that this row is asked about."""
    kept: Budget | None = vars(phase).get(_KEPT)
    return kept or budgets_of([phase])[phase.pk]


def budgets_of(phases: Iterable[Phase]) -> Mapping[UUID, Budget]:
    """Return the budgets by phase, in two queries at most; they are kept with these rows, so that none asks again."""
    by_key = {phase.pk: phase for phase in phases}
    if not by_key:
        return {}
    golds = _golds_of(by_key)
    elsewhere = _golds_elsewhere({gold.digest for gold in golds if gold.is_elsewhere}, by_key)  # type: ignore[attr-defined]
    by_phase: dict[UUID, list[GoldBudget]] = {key: [] for key in by_key}
    for gold in golds:
        same = [
            other for other in (*golds, *elsewhere) if other is gold or (gold.digest and other.digest == gold.digest)
        ]
        by_phase[gold.phase_id].append(GoldBudget(gold, same))
    budgets = {key: Budget(phase, by_phase[key]) for key, phase in by_key.items()}
    for key, phase in by_key.items():
        vars(phase)[_KEPT] = budgets[key]
    return budgets


def _golds_of(phases: Mapping[UUID, Phase]) -> list[Gold]:
    """Return those in force, with `is_elsewhere`: whether another phase has the same.

    Every page of a run and a board asks, so a process keeps them for as long as the tasks' revisions stand; of the
    phases themselves nothing is kept, and no gold that others have too, who may change what they tell of it.
    """
    key = cache_key("golds-of-budgets", sorted((phase.pk, phase.task.revision) for phase in phases.values()))
    golds: list[Gold] | None = caches["editions"].get(key)
    if golds is None:
        golds = _read_golds(phases)
        if not any(gold.is_elsewhere for gold in golds):  # type: ignore[attr-defined]
            caches["editions"].set(key, golds, _SECONDS_KEPT)
    for gold in golds:
        gold.phase = phases[gold.phase_id]
        gold.scenario.task = gold.phase.task
    return golds


def _read_golds(phases: Collection[UUID]) -> list[Gold]:
    """Return the newest published golds: a phase has few, which are quicker chosen here than in the database."""
    same = Gold.objects.filter(digest=OuterRef("digest")).exclude(Q(phase__in=phases) | Q(digest=""))
    published = Gold.objects.published().filter(phase__in=phases, is_input=False).select_related("scenario")
    published = published.annotate(is_elsewhere=Exists(same))
    newest = {}
    for gold in published.defer("scenario__description", "keeps").order_by("version"):
        newest[gold.phase_id, gold.scenario_id] = gold
    return list(newest.values())


def _golds_elsewhere(digests: Collection[str], phases: Collection[UUID]) -> list[Gold]:
    """Return the golds of other phases that are the same, each with its phase, task and scenario: mostly none."""
    if not digests:
        return []
    same = Gold.objects.in_force().filter(digest__in=digests).exclude(phase__in=phases)
    golds = list(
        same.select_related("phase__task", "scenario").defer(
            "phase__description", "phase__task__description", "scenario__description", "keeps"
        )
    )
    for gold in golds:
        gold.scenario.task = gold.phase.task
    return golds


def told_by(gold: Gold, detail: Detail) -> float:
    """Return the bits that a team may be told of a gold by its phase, which may have its own level; inf without a limit
    of uploads.
    """
    size, n_uploads = _size_of(gold), gold.phase.most_uploads
    if size is None or n_uploads is None:
        return math.inf
    return n_uploads * told_by_upload(gold, _own_detail(gold) or detail)


def told_by_upload(gold: Gold, detail: Detail) -> float:
    """Return the bits that an upload is told of a gold that was measured."""
    size, scenario = _size_of(gold), gold.scenario
    assert size is not None
    shown = scenario.scores
    return bits_told(detail, size, shown, scenario.engine_family, set(scenario.score_titles).difference(shown))


def _own_detail(gold: Gold) -> Detail | None:
    """Return the level that the gold's phase has whatever others have."""
    if gold.phase.detail != Phase.Detail.AUTOMATIC:
        return Detail(gold.phase.detail)
    return Detail.TABLES if gold.part == Part.SHOWN else None


def _are_alike(one: Gold, other: Gold) -> bool:
    """Return whether two equal golds are read for the same; of other tasks that is taken for granted."""
    return one.scenario_id == other.scenario_id or one.phase.task_id != other.phase.task_id


def _holds(gold: Gold) -> float:
    size = _size_of(gold)
    return size.bits if size else 0.0


def _size_of(gold: Gold) -> GoldSize | None:
    if gold.size is None:
        return None
    size = GoldSize(**gold.size)
    return size.part(gold.n_units / gold.n_units_in_file) if gold.split_id else size


def _is_hidden_by(phase: Phase, asking: Phase) -> bool:
    """Return whether a phase with the same gold takes uploads, now or later, and hides it.

    A task that nobody sees takes none; a draft counts for itself, so that its organisers see what will be told.
    """
    ends = phase.late_until or phase.closes
    is_over = ends is not None and ends <= moment.now()
    is_seen = phase.task_id == asking.task_id or phase.task.is_public
    return not (phase.gold_released or is_over or phase.task.archived) and is_seen
