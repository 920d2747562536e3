"""Checks an upload of gold before it is stored: why it is refused, and what looks odd about it.

Gold can score perfectly against itself and yet be wrong: spans may be shifted, labels misspelt, most of it may be
missing, or it may be the gold of another phase. Organisers are shown such remarks, and decide.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.core.files import File
from django.db.models import Q
from django.utils import timezone, translation

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.access import organised_tasks
from evalsite.challenges.gold.checks import check_gold, digest_of, is_same_gold
from evalsite.challenges.gold.remarks import (
    AND_MORE,
    PUBLIC,
    PUBLIC_BEFORE_OPENING,
    PUBLIC_ONCE_PUBLISHED,
    SAME_GOLD,
    SAME_GOLD_ELSEWHERE,
    SAME_GOLD_RELEASED,
    SCENARIO,
    SIZES,
    WHO_SEES_IT,
)
from evalsite.challenges.gold.services import Remarks, becomes_candidate, store_gold, unlike
from evalsite.challenges.gold.versions import golds_of_board
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.soft_drafts import is_soft
from evalsite.challenges.storage.files import sha256_of
from evalsite.wording import utc
from scoring.errors import side_of
from scoring.messages import Message
from scoring.readers.archive import Named, open_files
from scoring.readers.causes import causes_of
from scoring.significance.limits import FEWEST_UNITS

MOST_REMARKS = 60  # of one scenario; the engine itself lists few of each kind


@dataclass(frozen=True)
class Report:
    """The findings for one scenario; with problems there is no evaluation, and no remark."""

    scenario: Scenario
    problems: list[str] = field(default_factory=list)  # why it is refused
    remarks: list[str] = field(default_factory=list)  # what looks odd
    evaluation: scoring.Evaluation | None = None
    same_as: Gold | None = None  # the version that ranks, or the candidate, if the upload holds the very same


def report_on(phase: Phase, scenario: Scenario, file: Named, user: User) -> Report:
    """Check the gold of one scenario; `user` is told of the same gold in tasks of theirs, and in no others."""
    try:
        evaluation = check_gold(file, scenario)
    except scoring.GoldError as error:
        return Report(scenario, problems=[problem.placed for problem in error.problems])
    except scoring.ConfigurationError as error:
        return Report(scenario, problems=[error.message])
    golds = golds_of_board(phase, scenario)
    with open(file, "rb") as stream:
        sha256 = sha256_of(File(stream))
    for gold in golds.to_score if golds else ():
        if gold.sha256 == sha256 or is_same_gold(gold, file, evaluation):
            return Report(scenario, evaluation=evaluation, same_as=gold)
    split = golds.in_force.split if golds else None
    if split and list(evaluation.units) != split.names:
        return Report(scenario, problems=[unlike(split, evaluation.units)])
    remarks = [
        # The gold of a draft that began as an example says nothing about the size of one's own.
        *_about_size(scenario, evaluation, golds.in_force if golds and not is_soft(phase.task) else None),
        *_about_other_phases(phase, scenario, evaluation, sha256, user),
        *_cut([*_warnings(evaluation), *_of_family(scenario, file)]),
    ]
    return Report(scenario, remarks=remarks, evaluation=evaluation)


def about_phase(phase: Phase) -> list[str]:
    """Return the remarks that follow from the phase's own settings, whatever the file holds."""
    if not phase.gold_released:
        return []
    if any(map(becomes_candidate, Gold.objects.in_force().filter(phase=phase))):  # so that it is a candidate at first
        return [PUBLIC_ONCE_PUBLISHED]
    return [PUBLIC_BEFORE_OPENING % {"opens": utc(phase.opens)} if phase.opens > timezone.now() else PUBLIC]


def remarks_of(phase: Phase, reports: list[Report]) -> Remarks:
    """Return all that an organiser is asked about, by heading; empty if nothing is odd.

    The texts are in English, as they are stored: `remark_in_words` translates them.
    """
    with translation.override("en"):
        remarks: Remarks = [
            [SCENARIO % {"number": report.scenario.number}, report.remarks] for report in reports if report.remarks
        ]
    return as_of_now(phase, remarks)


def as_of_now(phase: Phase, remarks: Remarks) -> Remarks:
    """Return the remarks with what follows from the phase's settings now, which may be others than they were."""
    with translation.override("en"):
        public = about_phase(phase)
    others = [[heading, texts] for heading, texts in remarks if heading != WHO_SEES_IT]
    return [[WHO_SEES_IT, public], *others] if public else others


def store_all(phase: Phase, reports: list[Report], file: Named, *, by: User, note: str) -> list[Gold]:
    """Store a new version for each scenario whose gold is not the same as before."""
    return [
        store_gold(phase, report.scenario, file, report.evaluation, by=by, note=note)
        for report in reports
        if report.evaluation and not report.same_as
    ]


def _about_size(scenario: Scenario, evaluation: scoring.Evaluation, current: Gold | None) -> Iterator[str]:
    n_units, noun = len(evaluation.units), scenario.unit
    is_few, is_fewer = n_units < FEWEST_UNITS, current is not None and n_units < current.n_units_in_file
    values: dict[str, object] = {"n": f"{n_units:,}", "units": noun[n_units != 1], "fewest": FEWEST_UNITS}
    if current is not None:
        values |= {"version": current.version, "before": f"{current.n_units_in_file:,}"}
    if is_few or is_fewer:
        yield SIZES[is_few, is_fewer] % values


def _about_other_phases(
    phase: Phase, scenario: Scenario, evaluation: scoring.Evaluation, sha256: str, user: User
) -> Iterator[str]:
    """Yield remarks about the same gold elsewhere.

    Test gold in a development phase would be public; gold of one year in the next would be known.
    """
    organised = Gold.objects.filter(phase__task__in=organised_tasks(user)).exclude(phase=phase)
    for gold in organised.filter(digest="", phase__task=phase.task, scenario__family=scenario.family):
        digest_of(gold)
    same = organised.filter(Q(digest=evaluation.gold_digest) | Q(sha256=sha256)).select_related(
        "phase__task", "scenario"
    )
    released = next((gold for gold in same if gold.phase.gold_released and gold.phase.task.is_public), None)
    if released and not phase.gold_released:
        yield SAME_GOLD_RELEASED % {"phase": released.phase.name, "task": released.phase.task}
        return
    yield from dict.fromkeys(
        SAME_GOLD % {"phase": gold.phase.name}
        if gold.phase.task_id == phase.task_id
        else SAME_GOLD_ELSEWHERE % {"phase": gold.phase.name, "task": gold.phase.task}
        for gold in same
    )


def _warnings(evaluation: scoring.Evaluation) -> Iterator[str]:
    """Yield the engine's warnings about the gold; as its own run it is told everything twice."""
    sides = [side_of(warning) for warning in evaluation.warnings]
    yield from dict.fromkeys(warning for side, warning in sides if side != "system")


def _of_family(scenario: Scenario, file: Named) -> Iterator[str]:
    """Yield the family's remarks, each cause once: of gold shifted by one character every line would say the same."""
    if remarks := scenario.engine_family.offer.gold_remarks:
        for cause in causes_of(remarks(open_files(file), scenario.configured)):
            yield _more_of_this_kind(cause.placed, cause.n - 1) if cause.n > 1 else cause.placed


def _more_of_this_kind(problem: str, n: int) -> Message:
    return Message("more-of-this-kind", "{problem}; {n:,} more of this kind", problem=problem, n=n)


def _cut(remarks: list[str]) -> list[str]:
    rest = len(remarks) - MOST_REMARKS
    return remarks if rest <= 0 else [*remarks[:MOST_REMARKS], AND_MORE % {"n": f"{rest:,}"}]
