"""All intervals of a result from one pass over the bootstrap resamples."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Floats, Integers
from scoring.significance.draws import batches
from scoring.significance.intervals import bca_interval, percentile_interval
from scoring.significance.limits import TIE, UNDEFINED_SHARE

Scores = Mapping[str, Floats]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Block:
    """Rows of counts and the scores made from them: those of the corpus, or those of a table.

    `rows` is (n_units, kinds), or (n_units, groups, kinds) for a table with one row per group, and
    `metrics` works on its last axis. Scores of the corpus may also be made from all groups (macro
    averages); then `metrics` leaves out both axes. `gold_items` (groups,) says on how many items of the
    gold each row of the table rests. `weighted` gives further scores, which are no functions of sums
    (area under a curve): it takes weights (m, n_units) and gives (m,), or (m, groups).
    """

    rows: NDArray[np.number]
    metrics: Callable[[Floats], Scores]
    gold_items: NDArray[np.number] | None = None
    weighted: Callable[[Integers], Scores] | None = None


@dataclass(frozen=True)
class TableIntervals:
    """One dictionary per row of the table: {column: (low, high)} and {column: method}."""

    intervals: list[dict[str, Interval]]
    methods: list[dict[str, str]]


@dataclass(frozen=True)
class Bootstrap:
    """What the resamples say. A score without an interval has no key; methods are `percentile` or `bca`.

    `draws` (n_resamples,) is the headline on each resample.
    """

    intervals: dict[str, Interval]
    methods: dict[str, str]
    tables: list[TableIntervals]
    draws: Floats
    warnings: list[str]


def bootstrap(
    scores: Block,
    tables: Sequence[Block] = (),
    *,
    headline: str,
    seed: int,
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    batch: int | None = None,
) -> Bootstrap:
    """Intervals of all scores and of all rows of the tables, on the same resamples.

    BCa below 50 units and for table rows that rest on fewer than 30 items of the gold, else percentile.
    No interval where the score is NaN, where all resamples agree (never a width of zero), or where more
    than a tenth of them is undefined.
    """
    blocks = [scores, *tables]
    if len(scores.rows) < 2:
        return _without_choice(blocks, headline, n_resamples)
    found: list[list[_Row]] = [[] for _ in blocks]
    draws = np.empty(0)
    for part, columns, values in _resampled_parts(blocks, seed, n_resamples, batch):
        if part.number == 0:
            draws = values[headline][0]
        found[part.number] += _rows(part, columns, values, confidence_level)
    corpus = found[0][0]
    return Bootstrap(
        intervals=corpus.intervals,
        methods=corpus.methods,
        tables=[TableIntervals([r.intervals for r in rows], [r.methods for r in rows]) for rows in found[1:]],
        draws=draws,
        warnings=corpus.warnings,
    )


def resampled(block: Block, seed: int, n_resamples: int, batch: int | None = None) -> dict[str, Floats]:
    """Each score of the block on each resample: {name: (groups, n_resamples)}, the corpus being one group."""
    [(_, _, values)] = _resampled_parts([block], seed, n_resamples, batch)
    return values


def points(block: Block) -> dict[str, Floats]:
    """The scores of the corpus, from exact sums, each of shape ()."""
    return {name: values[0, 0] for name, values in _points(_Part(0, block, slice(None))).items()}


def totals(rows: NDArray[np.number]) -> Floats:
    """The sums over the units, correctly rounded, so that the order of the units changes no digit."""
    sums = np.asarray(rows.sum(axis=0), dtype=np.float64)
    for place in np.argwhere(~_is_whole(rows, axis=0)):
        sums[tuple(place)] = math.fsum(rows[:, *place].tolist())
    return sums


# Doubles that the sums of one pass over the draws, and the scores of one part of it, may fill.
_PASS_VALUES = 2**24
_PART_VALUES = 2**17
_FEW_UNITS = 50
_FEW_ITEMS = 30


@dataclass(frozen=True)
class _Part:
    """Some groups of a block: as many as are worked on at a time.

    Inside, units or resamples lie along the last axis of (kinds · groups, m), each kind of each group in
    one piece; `metrics` sees the same memory as (m, groups, kinds).
    """

    number: int
    block: Block
    groups: slice

    @property
    def rows(self) -> NDArray[np.number]:
        return self.block.rows if self.block.rows.ndim == 2 else self.block.rows[:, self.groups]

    def columns(self) -> Floats:
        return on_grid(np.ascontiguousarray(self.rows.T, dtype=np.float64).reshape(-1, len(self.rows)))

    def metrics(self, sums: Floats) -> dict[str, Floats]:
        """Scores of sums (kinds · groups, m): {name: (groups, m)}."""
        kinds_first = self.rows.shape[:0:-1]
        return _by_group(self.block.metrics(sums.reshape(*kinds_first, sums.shape[1]).T))

    def few_items(self, n_groups: int) -> Flags:
        if self.block.gold_items is None:
            return np.zeros(n_groups, dtype=bool)
        return np.asarray(self.block.gold_items)[self.groups] < _FEW_ITEMS


@dataclass(frozen=True)
class _Row:
    intervals: dict[str, Interval]
    methods: dict[str, str]
    warnings: list[str]


def _without_choice(blocks: Sequence[Block], headline: str, n_resamples: int) -> Bootstrap:
    """With one unit, or none, every resample is the gold itself."""
    parts = [_Part(number, block, slice(None)) for number, block in enumerate(blocks)]
    corpus, *others = [_points(part) for part in parts]
    sizes = [len(next(iter(scores.values()))) for scores in others]
    return Bootstrap(
        intervals={},
        methods={},
        tables=[TableIntervals([{} for _ in range(n)], [{} for _ in range(n)]) for n in sizes],
        draws=np.full(n_resamples, corpus[headline][0]),
        warnings=["no interval: one unit" if len(blocks[0].rows) else "no interval: no unit"],
    )


def _resampled_parts(
    blocks: Sequence[Block], seed: int, n_resamples: int, batch: int | None
) -> Iterator[tuple[_Part, Floats, dict[str, Floats]]]:
    """Each part with its columns and its scores {name: (groups, n_resamples)}, part by part.

    One pass over the draws serves all parts, unless their sums would fill too much memory.
    """
    functions = [block.weighted or _nothing for block in blocks]
    weighted: list[dict[str, Floats]] = []
    for parts in _passes(blocks, n_resamples):
        columns = [part.columns() for part in parts]
        ends = np.cumsum([len(own) for own in columns])[:-1]
        summed: list[list[dict[str, Floats]]] = [[] for _ in parts]
        drawn: list[list[dict[str, Floats]]] = [[] for _ in functions]
        weights = batches(seed, len(blocks[0].rows), n_resamples, batch)
        for sums, further in _spans(np.concatenate(columns), [] if weighted else functions, weights, n_resamples):
            for found, part, own in zip(summed, parts, np.split(sums, ends), strict=True):
                found.append(part.metrics(own))
            for found, pieces in zip(drawn, further, strict=False):
                found += pieces
        weighted = weighted or [_joined(pieces) for pieces in drawn]
        for part, own, pieces in zip(parts, columns, summed, strict=True):
            others = {name: values[part.groups] for name, values in weighted[part.number].items()}
            yield part, own, _joined(pieces) | others


def _passes(blocks: Sequence[Block], n_resamples: int) -> Iterator[list[_Part]]:
    length = max(n_resamples, len(blocks[0].rows))
    parts: list[_Part] = []
    filled = 0
    for part in _parts(blocks, max(1, _PART_VALUES // length)):
        size = math.prod(part.rows.shape[1:]) * length
        if parts and filled + size > _PASS_VALUES:
            yield parts
            parts, filled = [], 0
        parts.append(part)
        filled += size
    yield parts


def _parts(blocks: Sequence[Block], n_groups: int) -> Iterator[_Part]:
    """The scores of the corpus whole, as they may be made from all groups; tables in slices."""
    yield _Part(0, blocks[0], slice(None))
    for number, table in enumerate(blocks[1:], start=1):
        for start in range(0, table.rows.shape[1], n_groups):
            yield _Part(number, table, slice(start, start + n_groups))


def _spans(
    columns: Floats,
    functions: Sequence[Callable[[Integers], Scores]],
    drawn: Iterator[NDArray[np.integer]],
    n_resamples: int,
) -> Iterator[tuple[Floats, list[list[dict[str, Floats]]]]]:
    """Sums (columns, m) of as many resamples as fit, mostly all, and what each function gives on their batches."""
    most = max(1, _PASS_VALUES // len(columns))
    left, start = n_resamples, 0
    sums, further = _span(columns, functions, 0)
    for weights in drawn:
        stop = start + len(weights)
        if stop > sums.shape[1]:
            if start:
                yield sums[:, :start], further
            left, start, stop = left - start, 0, len(weights)
            sums, further = _span(columns, functions, max(stop, min(most, left)))
        sums[:, start:stop] = columns @ weights.T.astype(np.float64)
        for found, function in zip(further, functions, strict=True):
            # Kept weights are bytes, in which a family's sums would overflow.
            found.append(_by_group(function(weights.astype(np.int64))))
        start = stop
    yield sums[:, :start], further


def _span(columns: Floats, functions: Sequence[object], length: int) -> tuple[Floats, list[list[dict[str, Floats]]]]:
    return np.empty((len(columns), length)), [[] for _ in functions]


def _rows(part: _Part, columns: Floats, values: dict[str, Floats], confidence_level: float) -> list[_Row]:
    points = _points(part)
    n_groups = len(next(iter(points.values())))
    few = part.few_items(n_groups) | (columns.shape[1] < _FEW_UNITS)
    jackknife = _jackknife(part, columns) if few.any() else {}
    return [
        _row(
            {name: scores[group] for name, scores in values.items()},
            {name: float(scores[group, 0]) for name, scores in points.items()},
            {name: scores[group] for name, scores in jackknife.items()} if few[group] else None,
            confidence_level,
        )
        for group in range(n_groups)
    ]


def _row(
    values: dict[str, Floats],
    points: dict[str, float],
    jackknife: dict[str, Floats] | None,
    confidence_level: float,
) -> _Row:
    """The intervals of one row; by BCa if the scores with one unit left out are given."""
    row = _Row({}, {}, [])
    for name, all_values in values.items():
        if math.isnan(points[name]):
            continue
        n_resamples = len(all_values)
        n_undefined = int(np.count_nonzero(np.isnan(all_values)))
        if n_undefined:
            row.warnings.append(f"{name}: undefined in {n_undefined} of {n_resamples} resamples")
        if n_undefined > UNDEFINED_SHARE * n_resamples:
            continue
        defined = all_values[~np.isnan(all_values)] if n_undefined else all_values
        if np.ptp(defined) <= TIE:
            row.warnings.append(f"{name}: no interval: all resamples agree")
            continue
        if jackknife is None or np.isnan(jackknife[name]).any():
            method, (low, high) = "percentile", percentile_interval(defined, confidence_level)
        else:
            method, (low, high) = "bca", bca_interval(defined, points[name], jackknife[name], confidence_level)
        if high - low <= TIE:  # a width of zero would promise what a few odd resamples deny
            row.warnings.append(f"{name}: no interval: both ends agree")
            continue
        row.intervals[name], row.methods[name] = (low, high), method
    return row


def _points(part: _Part) -> dict[str, Floats]:
    """The scores themselves, from exact sums: {name: (groups, 1)}."""
    everybody = np.ones((1, len(part.rows)), dtype=np.int64)
    return part.metrics(totals(part.rows).T.reshape(-1, 1)) | _weighted(part, [everybody])


def _jackknife(part: _Part, columns: Floats) -> dict[str, Floats]:
    """The scores with one unit left out: {name: (groups, n_units)}."""
    left_out = columns.sum(axis=1, keepdims=True) - columns
    return part.metrics(left_out) | _weighted(part, _all_but_one(columns.shape[1]))


def _all_but_one(n_units: int) -> Iterator[Integers]:
    step = max(1, _PART_VALUES // n_units)
    for start in range(0, n_units, step):
        units = np.arange(start, min(start + step, n_units))
        yield (units[:, np.newaxis] != np.arange(n_units)).astype(np.int64)


def _weighted(part: _Part, weights: Iterable[Integers]) -> dict[str, Floats]:
    if part.block.weighted is None:
        return {}
    joined = _joined([_by_group(part.block.weighted(some)) for some in weights])
    return {name: values[part.groups] for name, values in joined.items()}


def _nothing(weights: Integers) -> Scores:
    return {}


def _by_group(scores: Scores) -> dict[str, Floats]:
    """(m,) or (m, groups) turned into (groups, m), each group in one piece."""
    return {
        name: np.ascontiguousarray(np.asarray(values, dtype=np.float64).reshape(len(values), -1).T)
        for name, values in scores.items()
    }


def _joined(pieces: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces], axis=1) for name in pieces[0]}


def on_grid(columns: Floats) -> Floats:
    """Columns that are not all integers, rounded to multiples of a power of two.

    So fine that a mean changes by less than n · 2⁻⁵² · max|x|, and so coarse that every partial sum of a
    resample is exact: no order of summation, number of threads or computer changes a digit.
    """
    broken = ~_is_whole(columns, axis=1)
    if not broken.any():
        return columns
    largest = columns.shape[1] * np.abs(columns[broken]).max(axis=1, keepdims=True)
    mantissa, exponent = np.frexp(largest)
    shift = 52 - (exponent - (mantissa == 0.5))
    gridded = columns.copy()
    gridded[broken] = np.ldexp(np.rint(np.ldexp(columns[broken], shift)), -shift)
    return gridded


def _is_whole(rows: NDArray[np.number], axis: int) -> Flags:
    return np.asarray((rows == np.rint(rows)).all(axis=axis))
