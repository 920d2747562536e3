"""Says how much a board can tell: the differences that its test finds, and the distance of a team to the leader.

Everything comes from the edition, as exactly as the visitor may read it; an edition made before these numbers were kept
says nothing. Of an edition that is read for this alone only the few numbers that matter are rounded: it may have a
thousand entries.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery

import scoring as engine
from evalsite.board_pages.board.visibility import own_keys
from evalsite.challenges.access import Role, Visitor, role_of, sees_board
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.precision import FULL, Precision, precision_for
from evalsite.leaderboard.making.editions import as_stored, compared_now, disclosed_test
from evalsite.leaderboard.models import NEWEST_FIRST, Edition
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE
from scoring.comparing.places import unpacked
from scoring.comparing.sizes import DIFFERENCES, rounded_up
from scoring.scale import Scale
from scoring.significance.limits import FEWEST_UNITS, TIE, USUAL_POWER
from scoring.significance.power import factor

FEWEST_SYSTEMS = 3  # ranked; the spread of a single pair says little about others
Entry = dict[str, Any]


@dataclass(frozen=True)
class Distance:
    """The distance of an entry to the leader, or of the leader to the next one, beside what this very pair needs."""

    value: float  # in the unit of the score, not negative
    threshold: float  # a true difference of this size counts as real in half of all cases
    detectable: float  # and of this size four times out of five
    is_leader: bool
    is_told_apart: bool
    difference: float  # raw: the entry's score minus that of the other one

    @property
    def is_tie(self) -> bool:
        return self.value <= TIE


@dataclass(frozen=True)
class BoardPower:
    """Everything that a board tells one visitor; `test` is None where too little is known."""

    n_units: int
    unit: tuple[str, str]
    test: engine.Power | None
    distance: Distance | None = None
    scale: Scale = SHARE  # how differences are said
    fewest_units = FEWEST_UNITS

    @property
    def unit_words(self) -> tuple[str, str]:
        return from_engine(self.unit[0]), from_engine(self.unit[1])

    @property
    def is_few(self) -> bool:
        return 0 < self.n_units < FEWEST_UNITS

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for programs; None or absent where nothing is known."""
        facts: dict[str, Any] = {"n_units": self.n_units, "unit": list(self.unit)}
        if self.test:
            facts |= {"power": self.test.power, "n_systems": self.test.n_systems}
            facts |= {"threshold": self.test.threshold, "detectable": self.test.detectable}
            facts["needed"] = [[size, rounded_up(self.test.needed(size))] for size in DIFFERENCES]
        if distance := self.distance:
            facts["own"] = {
                "difference": distance.difference,
                "threshold": distance.threshold,
                "detectable": distance.detectable,
                "is_told_apart": distance.is_told_apart,
            }
        return facts


def power_of(
    edition: Edition,
    unit: tuple[str, str],
    own_teams: Collection[str] = (),
    precision: Precision = FULL,
    scale: Scale = SHARE,
) -> BoardPower | None:
    """Return what an edition tells, disclosed to its visitor already or with `precision`; None where it says
    nothing.

    That is an edition whose entries were not compared, or one from before these numbers were kept.
    """
    ranked = [entry for entry in edition.entries if entry["rank"] is not None]
    facts = edition.comparison
    if not ranked:
        return BoardPower(0, unit, None)
    if not facts or "power" not in facts:
        return None
    facts = facts | disclosed_test(facts, precision)
    stored = facts["power"] if len(ranked) >= FEWEST_SYSTEMS else None
    test = engine.Power(**stored) if stored and stored["se"] else None
    n_units = facts["n_units"]
    n_told = facts.get("n_items", n_units) if n_units >= FEWEST_UNITS else n_units
    return BoardPower(n_told, unit, test, _distance(ranked, facts, own_teams, precision), scale)


def powers_of(
    phase: Phase,
    scenarios: Sequence[Scenario],
    user: Visitor,
    team: str = "",
    known_role: Role | None = None,
    editions: Mapping[UUID, Edition] | None = None,
) -> dict[UUID, BoardPower]:
    """Return by scenario what its board tells now; nothing for a visitor who may not see the boards of the phase.

    With `team`, only that one of the visitor's teams counts as the own one; `known_role` is the visitor's role, if it
    has been looked up, and `editions` are as they are stored, if they have been read.
    """
    role = role_of(user, phase.task) if known_role is None else known_role
    return powers_for(role, phase, scenarios, {key for key in own_keys(user) if not team or key == team}, editions)


def powers_for(
    role: Role,
    phase: Phase,
    scenarios: Sequence[Scenario],
    own_teams: Collection[str],
    editions: Mapping[UUID, Edition] | None = None,
) -> dict[UUID, BoardPower]:
    """Return the same for a visitor of this role, whose teams are `own_teams`."""
    if not sees_board(role, phase):
        return {}
    if editions is None:
        asked = {scenario.pk for scenario in scenarios}
        # As they are stored: each visitor's precision is applied to what is read.
        editions = as_stored([key for key in compared_now(phase) if key.scenario in asked])
    powers = {}
    for scenario in scenarios:
        edition = editions.get(scenario.pk, Edition(entries=[], comparison={}))
        precision = precision_for(role, phase, scenario)
        if power := power_of(edition, scenario.unit, own_teams, precision, precision.roughly(scenario.scale)):
            powers[scenario.pk] = power
    return powers


def _distance(
    ranked: Sequence[Entry], facts: dict[str, Any], own_teams: Collection[str], precision: Precision
) -> Distance | None:
    """Return the distance of the best own entry; None without one, or without another to compare it with.

    Also None where all entries have the same draws: their critical value is 0, and no distance is more than another.
    """
    place = next((place for place, entry in enumerate(ranked) if entry["team"] in own_teams), None)
    if place is None or len(ranked) < 2 or not facts.get("critical_value") or facts["n_units"] < FEWEST_UNITS:
        return None
    # The leader's own distance is that of the next one.
    other = place or 1
    difference = precision.difference(ranked[other]["difference_to_leader"])
    low, high = (precision.end_of_difference(ranked[other][name]) for name in ("difference_low", "difference_high"))
    if difference is None or low is None or high is None:
        return None
    # The interval to the leader reaches as far to either side as a difference has to; on the leader's side it may have
    # been ended at 0.
    threshold = difference - low if difference <= 0 else high - difference
    critical_value, n_units = facts["critical_value"], facts["n_units"]
    often = factor(critical_value, n_units, USUAL_POWER) / factor(critical_value, n_units)
    return Distance(
        value=abs(difference),
        threshold=threshold,
        detectable=often * threshold,
        is_leader=place == 0,
        is_told_apart=bool(unpacked(facts["separated"], len(ranked), len(ranked))[0, other]),
        difference=0 - difference if place == 0 else difference,
    )


@dataclass(frozen=True)
class Need:
    """The number of units that find a true difference of this size four times out of five, rounded up."""

    difference: float
    n_units: int
    is_met: bool


@dataclass(frozen=True)
class Plan:
    """Everything that the gold of a phase and scenario tells, and the size that it would take to tell more."""

    test: engine.Power  # on the units of the newest gold
    unit: tuple[str, str]
    source: Phase | None = None  # whose runs say so, if they are not of this phase

    @property
    def needs(self) -> list[Need]:
        return list(self._needs())

    def _needs(self) -> Iterator[Need]:
        for difference in DIFFERENCES:
            needed = self.test.needed(difference)
            yield Need(difference, rounded_up(needed), needed <= self.test.n_units)


def plans_of(task: Task) -> dict[tuple[UUID, UUID], Plan]:
    """Return plans by (phase, scenario), in two queries, from the newest edition of the board.

    While its own runs say nothing yet, those of another phase on the same scenario stand in, as a development phase
    does before the test.
    """
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    editions = (
        Edition.objects.filter(board__phase__task=task, pk=Subquery(latest))
        .select_related("board__phase", "board__scenario")
        .defer("entries", "further")
        .order_by(*NEWEST_FIRST)
    )
    telling = [edition for edition in editions if _told_by(edition)]
    golds = golds_of(task.phases.values("pk"))
    wanted = {key: golds[key].newest for key in golds}
    plans = {}
    for phase, scenario in wanted | {(edition.board.phase_id, edition.board.scenario_id): None for edition in telling}:
        of_scenario = [edition for edition in telling if edition.board.scenario_id == scenario]
        of_scenario.sort(key=lambda edition: edition.board.phase_id != phase)
        if of_scenario:
            plans[phase, scenario] = _plan(of_scenario[0], phase, wanted.get((phase, scenario)))
    return plans


def _told_by(edition: Edition) -> bool:
    power = edition.comparison.get("power")
    return bool(power and power["se"])


def _plan(edition: Edition, phase: UUID, gold: Gold | None) -> Plan:
    test = engine.Power(**edition.comparison["power"])
    return Plan(
        test=test.on(gold.n_units) if gold and gold.n_units > 1 else test,
        unit=edition.board.scenario.unit,
        source=None if edition.board.phase_id == phase else edition.board.phase,
    )
