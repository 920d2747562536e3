"""Two runs on the same gold: the difference of every score on shared resamples, by label, and unit by unit.

All is made of what was stored with the results; no file of a submission is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.submissions.models import Result
from scoring.significance import Block, percentile_interval, resampled
from scoring.significance.limits import FEWEST_UNITS
from scoring.significance.pairs import step_down

Array = NDArray[np.float64]
MOST_DRAWS = 2**24  # unit draws in one request; large golds take fewer resamples for all scores but the headline
FEWEST_RESAMPLES = 1_000
UNDEFINED_SHARE = 0.1
SAME = 1e-12


@dataclass(frozen=True)
class Difference:
    """First minus second; without an interval where it cannot be drawn, and without p where units are too few."""

    name: str
    title: str
    scores: tuple[float | None, float | None]
    intervals: tuple[tuple[float, float] | None, tuple[float, float] | None]
    value: float | None
    interval: tuple[float, float] | None = None
    p: float | None = None
    n_resamples: int = 0

    def is_separated(self, confidence_level: float) -> bool:
        return self.p is not None and self.p < 1 - confidence_level and bool(self.value)


@dataclass(frozen=True)
class Duel:
    """The headline comes first; `units` is None where the score cannot be told for single units."""

    differences: list[Difference]
    n_units: int
    n_resamples: int
    confidence_level: float
    are_paired: bool
    are_identical: bool
    units: list[str]
    unit_scores: tuple[Array, Array] | None

    @property
    def headline(self) -> Difference:
        return self.differences[0]

    @property
    def are_too_few(self) -> bool:
        return self.n_units < FEWEST_UNITS


def duel_of(first: Result, second: Result) -> Duel:
    """Raises OSError or scoring.ConfigurationError where a stored evaluation cannot be read."""
    one, other = _evaluation(first), _evaluation(second)
    are_paired = _are_paired(one, other)
    drawn = _drawn(one, other) if are_paired else {}
    family = engine.FAMILIES[one.family]
    names = dict.fromkeys([one.headline, *family.score_titles, *one.scores])
    shown = [name for name in names if name == one.headline or _is_in_both(name, one, other, family)]
    return Duel(
        differences=[
            _difference(name, family.score_titles.get(name, name), one, other, drawn.get(name)) for name in shown
        ],
        n_units=len(one.units),
        n_resamples=one.n_resamples,
        confidence_level=one.confidence_level,
        are_paired=are_paired,
        are_identical=are_paired and np.array_equal(one.rows, other.rows) and one.scores == other.scores,
        units=one.units,
        unit_scores=_unit_scores(one, other) if are_paired else None,
    )


def _evaluation(result: Result) -> engine.Evaluation:
    with local_path(result.evaluation) as path:
        return engine.Evaluation.load(path)


def _are_paired(one: engine.Evaluation, other: engine.Evaluation) -> bool:
    """Whether both were scored on the same units with the same options, and so have resamples in common."""
    facts = [(each.family, each.options, each.headline, each.gold_digest, each.units) for each in (one, other)]
    return facts[0] == facts[1] and one.rows.shape == other.rows.shape


def _is_in_both(name: str, one: engine.Evaluation, other: engine.Evaluation, family: engine.Family) -> bool:
    """Whether both have the score; how much there was to gain differs in nothing."""
    has = one.scores.get(name) is not None and other.scores.get(name) is not None
    return has and name not in family.without_interval


def _drawn(one: engine.Evaluation, other: engine.Evaluation) -> dict[str, Array]:
    """Scores of both on shared resamples: {name: (2, resamples)}."""
    n_resamples = min(one.n_resamples, other.n_resamples)
    if one.seed is None or one.seed != other.seed or not n_resamples:
        return {}
    drawn = {}
    if one.rows.size:
        number = min(n_resamples, max(FEWEST_RESAMPLES, MOST_DRAWS // len(one.units)))
        values = [resampled(Block(each.rows, _metrics(each)), one.seed, number) for each in (one, other)]
        drawn = {name: np.stack([found[name][0] for found in values]) for name in values[0] if name in values[1]}
    if one.draws is not None and other.draws is not None:
        drawn[one.headline] = np.stack([one.draws[:n_resamples], other.draws[:n_resamples]])
    return drawn


def _metrics(evaluation: engine.Evaluation) -> Any:
    family = engine.FAMILIES[evaluation.family]
    return lambda counts: family.metrics(counts, evaluation.options)


def _difference(
    name: str, title: str, one: engine.Evaluation, other: engine.Evaluation, drawn: Array | None
) -> Difference:
    scores = (one.scores.get(name), other.scores.get(name))
    intervals = (one.intervals.get(name), other.intervals.get(name))
    first, second = scores
    if first is None or second is None:
        return Difference(name, title, scores, intervals, None)
    value = 0.0 if abs(first - second) <= SAME else first - second
    if drawn is None:
        return Difference(name, title, scores, intervals, value)
    kept = drawn[:, ~np.isnan(drawn).any(axis=0)]
    n_kept = kept.shape[1]
    if n_kept < (1 - UNDEFINED_SHARE) * drawn.shape[1] or not n_kept:
        return Difference(name, title, scores, intervals, value)
    pair = np.array([[0, 1]])
    tested = step_down(np.array([first, second]), kept, pair, len(one.units), one.confidence_level)
    low, high = percentile_interval(kept[0] - kept[1], one.confidence_level)
    return Difference(
        *(name, title, scores, intervals, value),
        interval=(low, high) if high - low > SAME else None,
        p=float(tested.p_adjusted[0]) if len(one.units) >= FEWEST_UNITS else None,
        n_resamples=n_kept,
    )


def _unit_scores(one: engine.Evaluation, other: engine.Evaluation) -> tuple[Array, Array] | None:
    """The headline of each unit alone, (units,) for both; NaN where a unit has none."""
    if not one.rows.size:
        return None
    found = [_metrics(each)(each.rows).get(each.headline) for each in (one, other)]
    if any(values is None or values.shape != (len(one.units),) for values in found):
        return None
    first, second = found
    return first, second


@dataclass(frozen=True)
class LabelRow:
    """A label with, for each score, both values and their difference; None where one of them has none."""

    label: str
    values: list[tuple[float | None, float | None, float | None]]


@dataclass(frozen=True)
class LabelTable:
    name: str
    scores: list[str]
    rows: list[LabelRow]


MOST_LABELS = 100
MOST_LABEL_SCORES = 4


def label_tables(first: Result, second: Result) -> list[LabelTable]:
    """The tables of both whose rows are labels with intervals: sums over the gold, no single unit of it."""
    found = [
        _label_table(name, records, second.tables[name], _with_interval(name, first, second))
        for name, records in first.tables.items()
        if second.tables.get(name) and records and _with_interval(name, first, second)
    ]
    return [table for table in found if table.rows]


def _with_interval(name: str, *results: Result) -> list[str]:
    """Columns that have an interval somewhere, in their order."""
    with_one = {column for result in results for row in result.table_intervals.get(name, ()) for column in row}
    return [column for column in results[0].tables[name][0] if column in with_one][:MOST_LABEL_SCORES]


def _label_table(
    name: str, records: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]], scores: list[str]
) -> LabelTable:
    one, other = _by_label(records), _by_label(others)
    rows = [
        LabelRow(label, [_values(one.get(label, {}).get(score), other.get(label, {}).get(score)) for score in scores])
        for label in list(dict.fromkeys([*one, *other]))[:MOST_LABELS]
    ]
    return LabelTable(name, scores, rows)


def _by_label(records: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """By what stands in front of a record's first number; nothing where a number comes first."""
    return {label: record for record in records if (label := _label(record))}


def _label(record: dict[str, Any]) -> str:
    words = []
    for value in record.values():
        if not isinstance(value, str):
            break
        words.append(value)
    return " · ".join(words)


def _values(first: float | None, second: float | None) -> tuple[float | None, float | None, float | None]:
    return first, second, None if first is None or second is None else first - second
