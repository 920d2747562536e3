"""Compares a run with its team's last one: labels won and lost, and where the gold may be seen the units."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache as cached
from typing import Any
from uuid import UUID

import numpy as np
import structlog
from django.core.cache import cache
from django.db.models import QuerySet

import scoring as engine
from evalsite.challenges.access import Role, sees_against_gold
from evalsite.challenges.precision import Precision
from evalsite.comparisons.compare_two.differences import label_tables
from evalsite.leaderboard.making.draws import Draws, compare_pair, draws_of
from evalsite.results.stored import FileMissing, evaluation_of
from evalsite.submissions.models import Result
from scoring.columns import Floats
from scoring.comparing.two_runs import PairTest
from scoring.comparing.units import is_full, scores_of_units
from scoring.scale import Scale
from scoring.significance.limits import FEWEST_UNITS, TIE

log = structlog.get_logger()
CACHE_TIMEOUT = 3600  # seconds; the numbers of two results never change
MOST_UNITS, MOST_NAMES = 5, 12  # with their scores; where there is nothing but right and wrong, so many names
MOST_LABELS = 4
TOTAL = "<all>"  # no label: the row of a table that sums the others up
SHOWN = 0.0005  # smaller differences are 0.000 on the page


@dataclass(frozen=True)
class UnitChange:
    name: str
    before: float
    now: float


@dataclass(frozen=True)
class UnitChanges:
    """The number of units that are better and worse than before, and those that changed most."""

    better: list[UnitChange]
    worse: list[UnitChange]
    n_better: int
    n_worse: int
    n_alike: int
    n_fixed: int  # entirely right now, and not before
    n_broken: int  # entirely right before, and not now
    are_right_or_wrong: bool = False  # no unit is partly right in either run


@dataclass(frozen=True)
class LabelChange:
    label: str
    before: float | None
    now: float | None
    difference: float


@dataclass(frozen=True)
class LabelChanges:
    """The labels of one table that changed most."""

    name: str
    scale: Scale
    won: list[LabelChange]
    lost: list[LabelChange]


@dataclass(frozen=True)
class Changes:
    """`units` is None where the gold may not be seen, or the score is not made of single units."""

    run: Result  # the one before
    step: float | None
    units: UnitChanges | None = None
    labels: list[LabelChanges] = field(default_factory=list)


def changes_of(exact: Result, last_run: UUID, role: Role, precision: Precision) -> Changes | None:
    """Return the changes since the last run, as `stamp_of_last` has found it; None where it is gone meanwhile.

    Of a result as it is stored: what is told of the changes is rounded here.
    """
    phase, scenario = exact.scoring.submission.phase, exact.scoring.scenario
    last = _with_tables().filter(pk=last_run).first()
    if last is None:
        return None
    last.scoring.scenario = scenario
    return Changes(
        last,
        gap(exact.headline, last.headline, precision),
        units_changed(exact, last) if sees_against_gold(role, phase) else None,
        labels_changed(exact, last, precision),
    )


def labels_changed(result: Result, last: Result, precision: Precision) -> list[LabelChanges]:
    """Compare the tables as the visitor may read them: sums over the gold's own labels."""
    changes = []
    for table in label_tables(result, last, precision):
        place = next((place for place, column in enumerate(table.columns) if column.is_main), None)
        if place is None:
            continue
        scale = table.rows[0].values[place][-1]
        rows = [LabelChange(row.label, row.values[place][1], *_ends(row.values[place][:2])) for row in table.rows]
        moved = [row for row in rows if abs(row.difference) >= SHOWN and row.label != TOTAL]
        won = sorted((row for row in moved if row.difference > 0), key=lambda row: -row.difference)
        lost = sorted((row for row in moved if row.difference < 0), key=lambda row: row.difference)
        if moved:
            changes.append(LabelChanges(table.name, scale, won[:MOST_LABELS], lost[:MOST_LABELS]))
    return changes


def _ends(values: Sequence[float | None]) -> tuple[float | None, float]:
    """Return the score now and its difference; one that a label did not have before, or has no longer, counts as 0."""
    now, before = values
    return now, (now or 0.0) - (before or 0.0)


def units_changed(result: Result, last: Result) -> UnitChanges | None:
    key = f"own_runs:units:{result.pk}:{last.pk}"
    changes: UnitChanges | None = cache.get(key)
    if changes is None:
        changes = _units_of(result, *_scores(result), *_scores(last))
        if changes is not None:
            cache.set(key, changes, CACHE_TIMEOUT)
    return changes


def _scores(result: Result) -> tuple[list[str], Floats | None]:
    try:
        evaluation: engine.Evaluation = evaluation_of(result)
    except FileMissing:
        return [], None
    return evaluation.units, scores_of_units(evaluation)


def _units_of(
    result: Result, units: list[str], now: Floats | None, units_before: list[str], before: Floats | None
) -> UnitChanges | None:
    if now is None or before is None or units != units_before:
        log.info("units cannot be compared", result=str(result.pk))
        return None
    scenario = result.scoring.scenario
    lower_is_better, scale = scenario.lower_is_better, scenario.scale
    gain = np.nan_to_num(before - now if lower_is_better else now - before)
    better, worse = np.flatnonzero(gain > TIE), np.flatnonzero(gain < -TIE)
    all_scores = np.concatenate([now, before])
    are_right_or_wrong = not lower_is_better and bool(np.isin(all_scores[~np.isnan(all_scores)], (0, 1)).all())
    most = MOST_NAMES if are_right_or_wrong else MOST_UNITS
    is_whole, was_whole = (is_full(scores, scale, lower_is_better=lower_is_better) for scores in (now, before))

    def listed(places: np.ndarray) -> list[UnitChange]:
        order = places[np.argsort(-np.abs(gain[places]), kind="stable")][:most]
        return [UnitChange(units[k], float(before[k]), float(now[k])) for k in order.tolist()]

    return UnitChanges(
        better=listed(better),
        worse=listed(worse),
        n_better=len(better),
        n_worse=len(worse),
        n_alike=len(units) - len(better) - len(worse),
        n_fixed=int((is_whole & ~was_whole).sum()),
        n_broken=int((was_whole & ~is_whole & ~np.isnan(now)).sum()),
        are_right_or_wrong=are_right_or_wrong,
    )


class Verdict(StrEnum):
    """The outcome of the test of two runs."""

    BETTER = "better"
    WORSE = "worse"
    CHANCE = "chance"
    SAME = "same"
    UNTESTED = "untested"


@dataclass(frozen=True)
class Difference:
    """The difference of a run to another one, as exactly as the visitor may read it."""

    value: float
    interval: tuple[float, float] | None
    verdict: Verdict


def stamp_of_last(result: Result) -> tuple[Any, ...] | None:
    """Return key and method, which organisers may change, of the latest run of the same team and kind on the same gold
    that was uploaded before and stands; None where there is none.
    """
    run = result.scoring.submission
    if result.headline is None or run.withdrawn:
        return None
    same = {"scoring__submission__team": run.team_id, "scoring__submission__reference": run.reference}
    return (
        _standing()
        .filter(scoring__gold=result.scoring.gold_id, scoring__submission__created__lt=run.created, **same)
        .first()
    )


@cached  # built once, as are the next: each page of a run asks them of others
def _standing() -> QuerySet[Result, Any]:
    standing = Result.objects.counting().filter(scoring__submission__withdrawn=None, headline__isnull=False)
    latest = standing.order_by("-scoring__submission__created", "-scoring__created")
    return latest.values_list("pk", "scoring__submission__method")


# What a test of two results reads of the second, and what pages say of its run.
_TESTED = ("headline", "seed", "evaluation")
_NAMED = tuple(f"scoring__submission__{name}" for name in ("method", "created", "withdrawn"))


@cached
def to_test() -> QuerySet[Result]:
    """Return results to test another one against, the newest first."""
    return Result.objects.counting().only(*_TESTED).order_by("-created")


@cached
def to_test_and_name() -> QuerySet[Result]:
    """Return the same with their runs."""
    return to_test().select_related("scoring__submission").only(*_TESTED, *_NAMED)


@cached
def _with_tables() -> QuerySet[Result]:
    """Return results with what two runs are compared by, label by label and unit by unit."""
    results = Result.objects.select_related("scoring__submission", "stored_tables")
    return results.only(*_TESTED, *_NAMED, "is_folded", "stored_tables__tables", "stored_tables__intervals")


def gap(one: float | None, other: float | None, precision: Precision) -> float | None:
    """Return the difference of the rounded scores; None where one is not there."""
    if one is None or other is None:
        return None
    value = precision.of(one, precision.headline) - precision.of(other, precision.headline)
    return 0.0 if abs(value) <= TIE else precision.difference(value)


def difference(one: Result, other: Result, precision: Precision, draws: Draws = None) -> Difference | None:
    """Test two stored results; None where one has no score. `draws` are the first one's, if they have been read."""
    value = gap(one.headline, other.headline, precision)
    if value is None:
        return None
    test = compare_pair(one, other, (draws if draws is not None else draws_of(one), draws_of(other)))
    interval = test.interval if test and test.interval[1] - test.interval[0] > TIE else None
    return Difference(
        value=value,
        interval=precision.difference(interval),
        verdict=_verdict(-value if one.scoring.scenario.lower_is_better else value, test, one),
    )


def _verdict(gain: float, test: PairTest | None, one: Result) -> Verdict:
    """Return the verdict that the page of two runs gives."""
    if not gain:
        return Verdict.SAME
    if test is None or one.n_units < FEWEST_UNITS:
        return Verdict.UNTESTED
    if test.p >= 1 - one.confidence_level:
        return Verdict.CHANCE
    return Verdict.BETTER if gain > 0 else Verdict.WORSE
