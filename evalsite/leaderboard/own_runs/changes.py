"""What changed since a team's last run: labels won and lost, and where the gold may be seen the units."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import structlog
from django.core.cache import cache

import scoring as engine
from evalsite.challenges.access import Role, sees_against_gold
from evalsite.challenges.precision import Precision, precision_for
from evalsite.leaderboard.compare_two.labels import label_tables
from evalsite.leaderboard.own_runs.earlier import gap, last_before
from evalsite.results.stored import Gone, evaluation_of
from evalsite.submissions.models import Result
from scoring.columns import Floats
from scoring.comparing.units import is_full, scores_of_units
from scoring.scale import Scale
from scoring.significance.limits import TIE

log = structlog.get_logger()
KEPT_FOR = 3600  # seconds; the numbers of two results never change
MOST_UNITS = 5
MOST_LABELS = 4
F_SCORES = ("f1", "f", "fmeasure")  # columns of tables by label that hold recall and precision together
TOTAL = "<all>"  # no label: the row of a table that sums the others up
SHOWN = 0.0005  # smaller differences are 0.000 on the page


@dataclass(frozen=True)
class UnitChange:
    name: str
    before: float
    now: float


@dataclass(frozen=True)
class UnitChanges:
    """How many units are better and worse than before, and those that changed most."""

    better: list[UnitChange]
    worse: list[UnitChange]
    n_better: int
    n_worse: int
    n_alike: int
    n_fixed: int  # entirely right now, and not before
    n_broken: int  # entirely right before, and not now


@dataclass(frozen=True)
class LabelChange:
    label: str
    before: float | None
    now: float | None
    difference: float


@dataclass(frozen=True)
class LabelChanges:
    """Of one table, the labels that changed most."""

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


def changes_of(exact: Result, role: Role) -> Changes | None:
    """Since the latest run of the team before this one on the same gold; None where there is none.

    Of a result as it is stored: what is told of the changes is rounded here.
    """
    phase, scenario = exact.scoring.submission.phase, exact.scoring.scenario
    if exact.headline is None or exact.scoring.submission.withdrawn:
        return None
    last = last_before(exact)
    if last is None:
        return None
    precision = precision_for(role, phase, scenario)
    return Changes(
        last,
        gap(exact, last, precision),
        units_changed(exact, last) if sees_against_gold(role, phase) else None,
        labels_changed(exact, last, precision),
    )


def labels_changed(result: Result, last: Result, precision: Precision) -> list[LabelChanges]:
    """From the tables as the visitor may read them: sums over the gold's own labels."""
    found = []
    for table in label_tables(result, last, precision):
        column = next((table.scores.index(name) for name in F_SCORES if name in table.scores), None)
        if column is None:
            continue
        scale = table.rows[0].values[column][-1]
        rows = [LabelChange(row.label, row.values[column][1], *_ends(row.values[column][:2])) for row in table.rows]
        moved = [row for row in rows if abs(row.difference) >= SHOWN and row.label != TOTAL]
        won = sorted((row for row in moved if row.difference > 0), key=lambda row: -row.difference)
        lost = sorted((row for row in moved if row.difference < 0), key=lambda row: row.difference)
        if moved:
            found.append(LabelChanges(table.name, scale, won[:MOST_LABELS], lost[:MOST_LABELS]))
    return found


def _ends(values: Sequence[float | None]) -> tuple[float | None, float]:
    """The score now and its difference; one that a label did not have before, or has no longer, counts as 0."""
    now, before = values
    return now, (now or 0.0) - (before or 0.0)


def units_changed(result: Result, last: Result) -> UnitChanges | None:
    key = f"own_runs:units:{result.pk}:{last.pk}"
    found: UnitChanges | None = cache.get(key)
    if found is None:
        found = _units_of(result, *_scores(result), *_scores(last))
        if found is not None:
            cache.set(key, found, KEPT_FOR)
    return found


def _scores(result: Result) -> tuple[list[str], Floats | None]:
    try:
        evaluation: engine.Evaluation = evaluation_of(result)
    except Gone:
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
    is_whole, was_whole = (is_full(scores, scale, lower_is_better=lower_is_better) for scores in (now, before))

    def listed(places: np.ndarray) -> list[UnitChange]:
        order = places[np.argsort(-np.abs(gain[places]), kind="stable")][:MOST_UNITS]
        return [UnitChange(units[k], float(before[k]), float(now[k])) for k in order.tolist()]

    return UnitChanges(
        better=listed(better),
        worse=listed(worse),
        n_better=len(better),
        n_worse=len(worse),
        n_alike=len(units) - len(better) - len(worse),
        n_fixed=int((is_whole & ~was_whole).sum()),
        n_broken=int((was_whole & ~is_whole & ~np.isnan(now)).sum()),
    )
