"""How large a test has to be: for organisers, from the runs so far, or from two of their own before there are any."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import OuterRef, Subquery

import scoring as engine
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.storage.files import named
from evalsite.jobs import limited
from evalsite.leaderboard.models import NEWEST_FIRST, Edition
from evalsite.submissions import limits, work
from evalsite.submissions.uploads import as_upload
from scoring.comparing.power import DIFFERENCES, rounded_up

USUAL_SYSTEMS = 10  # of a board that there is not yet
N_RESAMPLES = 2_000  # enough for a standard error, which they tell to 2 %


@dataclass(frozen=True)
class Need:
    """How many units find a true difference of this size four times out of five, rounded up."""

    difference: float
    n_units: int
    is_met: bool


@dataclass(frozen=True)
class Plan:
    """What the gold of a phase and scenario tells, and what it would take to tell more."""

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
    """By (phase, scenario), in two queries, from the newest edition of the board.

    Where its own runs say nothing yet, those of another phase on the same scenario stand in, as a development phase
    does before the test.
    """
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    editions = (
        Edition.objects.filter(board__phase__task=task, pk=Subquery(latest))
        .select_related("board__phase", "board__scenario")
        .defer("entries", "further")
        .order_by(*NEWEST_FIRST)
    )
    known = [edition for edition in editions if _told_by(edition)]
    golds = golds_of(task.phases.values("pk"))
    wanted = {key: golds[key].newest for key in golds}
    plans = {}
    for phase, scenario in wanted | {(edition.board.phase_id, edition.board.scenario_id): None for edition in known}:
        of_scenario = [edition for edition in known if edition.board.scenario_id == scenario]
        of_scenario.sort(key=lambda edition: edition.board.phase_id != phase)
        if of_scenario:
            plans[phase, scenario] = _plan(of_scenario[0], phase, wanted.get((phase, scenario)))
    return plans


def plan_of_pair(
    gold: Gold, scenario: Scenario, runs: list[list[UploadedFile]], n_systems: int
) -> tuple[Plan | None, list[list[str]]]:
    """From two runs, the files of each, for a board of so many systems; and what is wrong with each of them.

    They are scored in the limited child and stored nowhere. Without a plan and without problems they do not differ, or
    the gold is too small for any difference. Raises LimitBroken, Crashed, or GoldError.
    """
    with as_upload(runs[0]) as one, as_upload(runs[1]) as other, named(gold.file) as gold_file:
        systems = [one.named, other.named]
        arguments: dict[str, Any] = {
            "family": scenario.family,
            "options": scenario.options,
            "n_resamples": min(N_RESAMPLES, settings.N_RESAMPLES),
            "gold": gold_file,
            "systems": systems,
        }
        reads = [file.path for file in (*systems, gold_file)]
        found = limited.run(work.power_of_pair, arguments, limits.of_pair(), reads=reads)
    if "error" in found:
        raise engine.GoldError(found["error"])
    if "problems" in found:
        return None, found["problems"]
    if not found["power"]:
        return None, [[], []]
    return Plan(engine.Power(**found["power"]).among(n_systems), scenario.unit), [[], []]


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
