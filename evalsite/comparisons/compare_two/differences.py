"""Two stored results compared: scores, tables by label, and units; no file of a submission is read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

import scoring as engine
from evalsite.board_pages.board.access import BoardAccess
from evalsite.challenges.models import Scenario
from evalsite.challenges.precision import Precision
from evalsite.challenges.storage.files import local_path
from evalsite.comparisons.compare_two.pairs import ComparableRun, Disclosure
from evalsite.comparisons.compare_two.scatter import address_of, top_of
from evalsite.results.disclosure import disclosed_tables
from evalsite.submissions.models import Result
from evalsite.wording import SHARE
from scoring.scale import Scale
from scoring.significance.limits import TIE
from scoring.table_columns import Column

Stamp = tuple[UUID, datetime]
# Units drawn in one request: on a large gold all scores but the headline rest on fewer resamples.
MOST_DRAWS = 2**24


def compare_results(first: Result, second: Result) -> engine.ScoreComparison:
    """Compare all scores; raises OSError or scoring.ConfigurationError where a stored evaluation cannot be read."""
    return engine.compare_scores(_evaluation(first), _evaluation(second), most_draws=MOST_DRAWS)


def disclosed(compared: engine.ScoreComparison, precision: Precision, disclosure: Disclosure) -> engine.ScoreComparison:
    """Reduce the comparison to what the visitor may read; what the test finds rests on the exact p-value."""
    if disclosure is Disclosure.ALL:
        return compared
    headline = compared.headline
    differences = [
        _disclosed(difference, precision, disclosure is Disclosure.TEST and difference is headline)
        for difference in compared.differences
        if precision.shows(difference.name)
    ]
    return replace(compared, differences=differences, are_identical=False, units=[], unit_scores=None)


def _disclosed(difference: engine.ScoreDifference, precision: Precision, is_tested: bool) -> engine.ScoreDifference:
    """Subtract the rounded scores, and keep the test only where it may be read."""
    first, second = precision.of(difference.scores, difference.name)
    return replace(
        difference,
        scores=(first, second),
        intervals=tuple(precision.interval(ends, difference.name) for ends in difference.intervals),
        value=None if first is None or second is None else precision.difference(first - second),
        interval=precision.difference(difference.interval) if is_tested else None,
        p=difference.p if is_tested else None,
        n_resamples=0,
    )


def _evaluation(result: Result) -> engine.Evaluation:
    with local_path(result.evaluation) as path:
        return engine.Evaluation.load(path)


def results_of(first: ComparableRun, second: ComparableRun, access: BoardAccess) -> tuple[Result, Result] | None:
    """Return both results by the board's gold and engine; None unless both stand."""
    stamps = stamps_of(first, second, access)
    return read_results(stamps, access) if stamps else None


def stamps_of(first: ComparableRun, second: ComparableRun, access: BoardAccess) -> tuple[Stamp, Stamp] | None:
    """Return key and time of the same two, without reading them: what is made of them never changes."""
    runs = (UUID(first.submission), UUID(second.submission))
    results = Result.objects.counting().filter(
        scoring__gold=access.gold, scoring__submission__in=runs, scoring__submission__withdrawn=None
    )
    stored = results.order_by("created").values_list("scoring__submission", "pk", "created")
    newest = {run: (pk, made) for run, pk, made in stored}
    return (newest[runs[0]], newest[runs[1]]) if len(newest) == 2 else None


def read_results(stamps: tuple[Stamp, Stamp], access: BoardAccess) -> tuple[Result, Result]:
    """Read both with what a comparison asks of them."""
    keys = [pk for pk, _ in stamps]
    results = Result.objects.select_related("stored_tables", "scoring__gold", "scoring__submission").in_bulk(keys)
    for result in results.values():
        result.scoring.scenario, result.scoring.submission.phase = access.gold.scenario, access.phase
    return results[keys[0]], results[keys[1]]


@dataclass(frozen=True)
class LabelRow:
    """A label with, for each score, both values and their difference; None where one of them has none."""

    label: str
    values: list[tuple[float | None, float | None, float | None, Scale]]


@dataclass(frozen=True)
class LabelTable:
    name: str
    names: Column  # of what names the rows, such as a label or a slice
    columns: list[Column]  # of the scores
    rows: list[LabelRow]


MOST_LABELS = 100
MOST_LABEL_SCORES = 4


def label_tables(first: Result, second: Result, precision: Precision) -> list[LabelTable]:
    """Compare the tables whose rows are labels with intervals: sums over the gold's labels, no single unit of it."""
    scores = {
        name: [column for column in _with_interval(name, first, second) if column not in precision.hidden]
        for name, records in first.tables.items()
        if records
    }
    shown = [name for name in scores if scores[name] and second.tables.get(name)]
    # Not the others, of which one has a row for each unit.
    one, other = (
        disclosed_tables(result, {name: result.tables[name] for name in shown}, precision) for result in (first, second)
    )
    tables = [
        _label_table(
            name,
            one[name],
            other[name],
            first.scoring.scenario.engine_family.column(name, next(iter(one[name][0]))),
            _scales(name, scores[name][:MOST_LABEL_SCORES], first.scoring.scenario),
            precision,
        )
        for name in shown
        if one[name] and other[name]
    ]
    return [table for table in tables if table.columns and table.rows]


def _with_interval(name: str, *results: Result) -> list[str]:
    """Return the columns that have an interval somewhere, in their order."""
    with_one = {column for result in results for row in result.table_intervals.get(name, ()) for column in row}
    return [column for column in results[0].tables[name][0] if column in with_one]


def _label_table(
    name: str,
    records: Sequence[dict[str, Any]],
    others: Sequence[dict[str, Any]],
    names: Column,
    scales: dict[Column, Scale],
    precision: Precision,
) -> LabelTable:
    one, other = _by_label(records), _by_label(others)
    scales = {column: scale for column, scale in scales.items() if any(row[column.key] is not None for row in records)}
    rows = [
        LabelRow(
            label,
            [
                (
                    *precision.of(_values(*(side.get(label, {}).get(column.key) for side in (one, other))), column.key),
                    scale,
                )
                for column, scale in scales.items()
            ],
        )
        for label in list(dict.fromkeys([*one, *other]))[:MOST_LABELS]
    ]
    return LabelTable(name, names, list(scales), rows)


def _scales(table: str, scores: Sequence[str], scenario: Scenario) -> dict[Column, Scale]:
    columns = [scenario.engine_family.column(table, score) for score in scores]
    return {column: scenario.scale_of_column(column) for column in columns}


def _by_label(records: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Index records by what stands in front of the first number; nothing where a number comes first."""
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


Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChangedUnit:
    """A unit with its scores in both runs, None where a run has none there."""

    name: str
    first: float | None
    second: float | None
    top: float = 1.0  # where the axes of the points end

    @property
    def difference(self) -> float | None:
        return None if self.first is None or self.second is None else self.first - self.second

    @property
    def has_changed(self) -> bool:
        return self.difference is not None and abs(self.difference) > TIE

    @property
    def at(self) -> str:
        """Return its place among the points of both runs."""
        return (
            ""
            if self.first is None or self.second is None
            else address_of(self.first / self.top, self.second / self.top)
        )


def changed_units(names: Sequence[str], first: Array, second: Array, scale: Scale = SHARE) -> list[ChangedUnit]:
    """Return all units, the largest difference first; unit scores are (n,), and NaN is none."""
    order = np.argsort(-np.nan_to_num(np.abs(first - second)), kind="stable").tolist()
    both = ~np.isnan(first) & ~np.isnan(second)
    top = top_of(first[both], second[both], scale)
    return [ChangedUnit(names[k], _number(first[k]), _number(second[k]), top) for k in order]


def query_of(first: ComparableRun, second: ComparableRun) -> str:
    """Return the query that names the two in the address of a page about them."""
    return "?" + urlencode({"a": first.key, "b": second.key})


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
