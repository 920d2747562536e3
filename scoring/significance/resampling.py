"""All intervals of a result from one pass over the bootstrap resamples.

Every score is a function of sums over the units, so all resamples together are one matrix product. Without regard to
memory this module is three lines:

    weights = draws.weights(seed, n_units, 0, n_resamples)       # (resamples, units): how often each unit was drawn
    scores = metrics(np.tensordot(weights, rows, 1))             # rows (units, kinds) -> {name: (resamples,)}
    intervals = {name: percentile_interval(values, 0.95) for name, values in scores.items()}

>>> rows = np.array([[3, 4], [0, 2], [2, 2]])  # right and all answers of three questions
>>> np.tensordot(np.array([[1, 1, 1], [2, 0, 1]]), rows, 1)  # of all once; of the first twice and the last once
array([[ 5,  8],
       [ 8, 10]])

The rest of it bounds memory, and takes care of what has no interval. The corpus is one *group* of counts, each row of a
table another. Groups are worked on in *parts*, and as many parts as fit share one *pass* over the draws; columns that
repeat others are multiplied once (`sums`). Inside, kinds come first: sums (kinds, m) = columns (kinds, units) @ weights
(units, m).
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Floats, Integers
from scoring.messages import Message
from scoring.rows import Columns, Rows
from scoring.significance.averages import Averages
from scoring.significance.draws import batches
from scoring.significance.intervals import accelerated_interval, accelerations, percentile_interval
from scoring.significance.limits import (
    CORRECTED_BELOW,
    ENDS_AGREE,
    FEW_ITEMS,
    FEW_UNITS,
    FEWEST_ITEMS,
    RESAMPLES_AGREE,
    TIE,
    UNDEFINED_SHARE,
    undefined_in,
    without_interval,
)
from scoring.significance.proportions import Proportions, proportion_intervals
from scoring.significance.sums import Factors, Sums, factors, is_whole, on_grid

Scores = Mapping[str, Floats]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Block:
    """Counts of each unit and the scores made from them: those of the corpus, or those of a table."""

    # (units, kinds), or (units, groups, kinds) for a table with one record per group
    rows: NDArray[np.number] | Rows
    # On the last axis of sums of `rows`: (..., kinds) to {score: (...)}. Scores of the corpus may also be made from all
    # groups, as macro averages are; then `metrics` takes both of the last axes away.
    metrics: Callable[[Floats], Scores]
    gold_items: NDArray[np.number] | None = None  # (groups,): on how many items of the gold each record rests
    # How many of the first kinds count the record's own items of either side; others, as the tokens of the corpus, do
    # not tell whether its label occurs. None: all kinds do.
    n_own_kinds: int | None = None
    # Scores that are no functions of sums, such as an area under a curve: from weights (m, units) to {score: (m,)}, or
    # {column: (m, groups)} of a table.
    weighted: Callable[[Integers], Scores] | None = None
    # Scores that are means over labels: those of the corpus in one, or one for each group of a table. Where some labels
    # are rare, their intervals are not those of the resamples.
    averages: Sequence[Averages] = ()
    is_whole: bool = False  # whether scores are made from all groups, of a block that is not the corpus
    # Scores of a table that are shares of decisions: counts (..., kinds) to {column: Proportion}. They get
    # Wilson's intervals, and a table that has no other scores is not resampled.
    proportions: Proportions | None = None


@dataclass(frozen=True)
class TableIntervals:
    """The intervals of a table, one dictionary for each record; a column without an interval has no key."""

    intervals: list[dict[str, Interval]]  # {column: (low, high)}
    methods: list[dict[str, str]]  # {column: "percentile", "wilson" or "mover"}
    reasons: list[dict[str, str]]  # {column: why it has no interval}; no key where the score is NaN


@dataclass(frozen=True)
class Bootstrap:
    """All that the resamples say."""

    intervals: dict[str, Interval] = field(default_factory=dict)  # {score: (low, high)}; no key without an interval
    methods: dict[str, str] = field(default_factory=dict)  # {score: "percentile", "bca" or "mover"}
    tables: list[TableIntervals] = field(default_factory=list)  # in the order of the tables given
    draws: Floats | None = None  # (n_resamples,): the headline on each resample; None without resamples
    warnings: list[str] = field(default_factory=list)  # why scores have no interval, or rest on fewer resamples
    kept: dict[str, Floats] = field(default_factory=dict)  # {score: (n_resamples,)} of the scores that were to be kept


def bootstrap(
    scores: Block,
    tables: Sequence[Block] = (),
    *,
    headline: str,
    seed: int,
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    batch: int | None = None,
    keep: Collection[str] = (),
) -> Bootstrap:
    """Return the intervals of all scores and of all rows of the tables, on the same resamples.

    BCa of the corpus below 50 units, else percentile; rows of tables have Wilson's interval where they are proportions.
    No interval where the score is NaN, where all resamples agree (never a width of zero), or where more
    than a tenth of them is undefined.

    A resample in which neither side has an item of a table row says nothing about that row, whatever its metrics
    make of 0/0, and is left out for it. A row on fewer than 10 items of the gold has no interval, nor has one that is
    resampled and has items in fewer than 10 units.

    `keep` names scores whose values on the resamples are wanted beside the headline's.
    """
    blocks = [scores, *tables]
    if len(scores.rows) < 2:
        return _without_choice(blocks, headline, n_resamples, keep)
    drawn = [_without_proportions(block) for block in blocks]
    drawn_blocks = [block for block in drawn if block is not None]
    taken_apart = [*_taken_apart(drawn_blocks)]
    rows_of: list[list[_Row]] = [[] for _ in drawn_blocks]
    draws, kept = np.empty(0), {}
    for part, columns, values, occurs in _resampled_parts(
        [*drawn_blocks, *(score.block for score in taken_apart)], seed, n_resamples, batch
    ):
        if part.number >= len(drawn_blocks):
            score = taken_apart[part.number - len(drawn_blocks)]
            row = rows_of[score.number][score.group]
            score.set_interval(row, values, confidence_level)
            if not score.number and (warning := score.warning(headline)):
                row.warnings.append(warning)
            continue
        if part.number == 0:
            # The corpus comes whole, in one part of one group.
            draws = values[headline][0]
            kept = {name: values[name][0] for name in keep}
        rows_of[part.number] += _rows(part, columns, values, occurs, confidence_level)
    [corpus], *rows_of_tables = rows_of
    resampled_rows = iter(rows_of_tables)
    return Bootstrap(
        intervals=corpus.intervals,
        methods=corpus.methods,
        tables=[
            _with_proportions(table, next(resampled_rows) if block else [], confidence_level)
            for table, block in zip(tables, drawn[1:], strict=True)
        ],
        draws=draws,
        warnings=corpus.warnings,
        kept=kept,
    )


@dataclass(frozen=True)
class _TakenApart:
    """Means over labels of which some are rare, in one group of a block."""

    number: int  # index of the block
    group: int
    averages: Averages
    points: Mapping[str, float]  # {score: value} of these means
    block: Block  # whose scores are the parts of the common labels

    def set_interval(self, row: "_Row", parts: dict[str, Floats], confidence_level: float) -> None:
        """Put the intervals of the means into the row of their group, unless that rests on too little for any."""
        values = {name: values[0] for name, values in parts.items()}
        for name, (low, high) in self.averages.intervals(values, self.points, confidence_level).items():
            if row.reasons.get(name) in (FEW_ITEMS, FEW_UNITS) or high - low <= TIE:
                continue
            row.intervals[name], row.methods[name] = (low, high), "mover"
            row.reasons.pop(name, None)
            row.warnings[:] = [
                warning for warning in row.warnings if warning != without_interval(name, RESAMPLES_AGREE)
            ]

    def warning(self, headline: str) -> Message | None:
        """Return what is said of many rare labels, once for these means: of the score that ranks, if any."""
        return self.averages.warning(headline if headline in self.points else next(iter(self.points)))


def _taken_apart(blocks: Sequence[Block]) -> Iterator[_TakenApart]:
    """Yield the means of all blocks of which some labels are rare."""
    for number, block in enumerate(blocks):
        if not any(averages.rare_means for averages in block.averages):
            continue
        values = _points(_Part(number, block, slice(None)))
        for place, averages in enumerate(block.averages):
            group = place if number else 0
            points = {name: float(values[name][group, 0]) for name in averages.rare_means if name in values}
            if points:
                common = Block(averages.rows, averages.common_parts, is_whole=True)
                yield _TakenApart(number, group, averages, points, common)


def _without_proportions(block: Block) -> Block | None:
    """Return the block without the columns that need no resamples; None where no other column is left."""
    if block.proportions is None:
        return block
    metrics, nothing = block.metrics, np.zeros(block.rows.shape[1:])
    proportions = block.proportions(nothing).keys()
    if not block.weighted and metrics(nothing).keys() <= proportions:
        return None
    return replace(
        block, metrics=lambda sums: {name: values for name, values in metrics(sums).items() if name not in proportions}
    )


def _with_proportions(block: Block, rows: Sequence["_Row"], confidence_level: float) -> TableIntervals:
    """Return the intervals of a table: those of its proportions beside those that were resampled."""
    if block.proportions is None or block.gold_items is None:
        return _table(rows)
    of_proportions = proportion_intervals(block.rows, block.proportions, block.gold_items, confidence_level)
    shares = [
        _Row(intervals, dict.fromkeys(intervals, "wilson"), reasons, [])
        for intervals, reasons in zip(*of_proportions, strict=True)
    ]
    if not rows:
        return _table(shares)
    return _table(
        [
            _Row(row.intervals | share.intervals, row.methods | share.methods, row.reasons | share.reasons, [])
            for row, share in zip(rows, shares, strict=True)
        ]
    )


def resampled(block: Block, seed: int, n_resamples: int, batch: int | None = None) -> dict[str, Floats]:
    """Return each score of the block on each resample: {name: (groups, n_resamples)}, the corpus being one group.

    >>> counts = np.array([[3, 4], [0, 2], [2, 2], [4, 5], [1, 3]])  # right and all answers of five questions
    >>> share = lambda sums: {"share": sums[..., 0] / sums[..., 1]}
    >>> resampled(Block(counts, share), seed=42, n_resamples=4)["share"].round(3)
    array([[0.833, 0.706, 0.818, 0.615]])
    """
    [(_, _, values, _)] = _resampled_parts([block], seed, n_resamples, batch)
    return values


def points(block: Block) -> dict[str, Floats]:
    """Return the scores of the corpus, from exact sums, each of shape ()."""
    return {name: values[0, 0] for name, values in _points(_Part(0, block, slice(None))).items()}


def totals(rows: NDArray[np.number] | Rows) -> Floats:
    """Return the sums over the units (axis 0), correctly rounded, so that the order of the units changes no digit.

    >>> float(totals(np.array([[0.1, 1], [0.2, 1], [0.3, 1]]))[0])  # added one by one: 0.6000000000000001
    0.6
    """
    if isinstance(rows, Rows):
        return rows.sum()
    sums = np.asarray(rows.sum(axis=0), dtype=np.float64)
    # Sums of integers are exact anyway, and much faster.
    for index in np.argwhere(~is_whole(rows, axis=0)):
        sums[tuple(index)] = math.fsum(rows[:, *index].tolist())
    return sums


# Doubles that the sums of one pass over the draws, and the scores of one part of it, may fill: 128 MiB and 1 MiB.
_PASS_VALUES = 2**24
_PART_VALUES = 2**17


@dataclass(frozen=True)
class _Part:
    """Some groups of a block: as many as are worked on at a time.

    Inside, units or resamples lie along the last axis of (kinds · groups, m), each kind of each group in
    one piece; `metrics` sees the same memory as (m, groups, kinds).
    """

    number: int  # index of the block; 0 is the corpus
    block: Block
    groups: slice  # which of the block's groups; of the corpus, all

    @property
    def rows(self) -> NDArray[np.number] | Rows:
        """Return the rows of these groups: (units, kinds) or (units, groups, kinds)."""
        rows = self.block.rows
        if rows.ndim == 2 or self.groups == slice(None):
            return rows
        return rows.of_groups(self.groups) if isinstance(rows, Rows) else rows[:, self.groups]

    def columns(self) -> Floats | Columns:
        """Return the rows turned over, for the matrix product: (kinds · groups, units)."""
        if isinstance(self.rows, Rows):
            columns = self.rows.columns()
            return columns.on_grid(len(self.rows) * columns.largest())
        return on_grid(np.ascontiguousarray(self.rows.T, dtype=np.float64).reshape(-1, len(self.rows)))

    def metrics(self, sums: Floats) -> dict[str, Floats]:
        """Return scores of sums (kinds · groups, m): {name: (groups, m)}."""
        kinds_first = self.rows.shape[:0:-1]  # (kinds,) or (kinds, groups): all axes but that of the units, backwards
        return _by_group(self.block.metrics(sums.reshape(*kinds_first, sums.shape[1]).T))

    def occurs(self, sums: Floats) -> Flags:
        """Return whether either side has an item of a group in sums (kinds · groups, m): (groups, m).

        The corpus is one group, which is there whatever was drawn.
        """
        if self.number == 0 or self.block.is_whole:
            return np.ones((1, sums.shape[1]), dtype=bool)
        by_kind = sums.reshape(*self.rows.shape[:0:-1], sums.shape[1])  # (kinds, groups, m)
        return np.asarray(by_kind[: self.block.n_own_kinds].any(axis=0))

    def too_few(self) -> list[str]:
        """Return for each group of a table why it cannot have an interval, as it rests on too little; "" if it can."""
        rows = self.rows.plain() if isinstance(self.rows, Rows) else self.rows
        n_units = (rows[..., : self.block.n_own_kinds] != 0).any(axis=-1).sum(axis=0)
        items = n_units if self.block.gold_items is None else np.asarray(self.block.gold_items)[self.groups]
        return [
            FEW_ITEMS
            if n_items < FEWEST_ITEMS and self.block.gold_items is not None
            else FEW_UNITS
            if n < FEWEST_ITEMS
            else ""
            for n, n_items in zip(n_units.tolist(), items.tolist(), strict=True)
        ]


@dataclass(frozen=True)
class _Row:
    """The intervals of one group, how they were made, and why some are not there."""

    intervals: dict[str, Interval]
    methods: dict[str, str]
    reasons: dict[str, str]  # {score: why it has no interval}
    warnings: list[str]  # the same in words, and where an interval rests on fewer resamples


def _table(rows: Sequence[_Row]) -> TableIntervals:
    return TableIntervals([row.intervals for row in rows], [row.methods for row in rows], [row.reasons for row in rows])


def _without_choice(blocks: Sequence[Block], headline: str, n_resamples: int, keep: Collection[str]) -> Bootstrap:
    """Return no interval: of one unit, or none, every resample is the gold itself and there is no spread."""
    parts = [_Part(number, block, slice(None)) for number, block in enumerate(blocks)]
    corpus, *others = [_points(part) for part in parts]
    reason = Message("one-unit", "one unit") if len(blocks[0].rows) else Message("no-unit", "no unit")
    return Bootstrap(
        intervals={},
        methods={},
        tables=[_table(_rows_without_interval(points, reason)) for points in others],
        draws=np.full(n_resamples, corpus[headline][0]),
        warnings=[Message("no-interval", "no interval: {reason}", reason=reason)],
        kept={name: np.full(n_resamples, corpus[name][0]) for name in keep},
    )


def _rows_without_interval(points: dict[str, Floats], reason: str) -> list[_Row]:
    n_groups = len(next(iter(points.values())))
    return [_row_without_interval(_of_group(points, group), reason) for group in range(n_groups)]


def _row_without_interval(points: dict[str, Floats], reason: str) -> _Row:
    """Return the row of a group with these scores, each (1,): one reason for all of them that apply."""
    return _Row({}, {}, {name: reason for name, values in points.items() if not math.isnan(values[0])}, [])


def _resampled_parts(
    blocks: Sequence[Block], seed: int, n_resamples: int, batch: int | None
) -> Iterator[tuple[_Part, Floats | Columns, dict[str, Floats], Flags]]:
    """Yield each part with its columns, its scores {name: (groups, n_resamples)}, and where each group occurs, alike.

    One pass over the draws serves all parts, unless their sums would fill too much memory.
    """
    functions = [block.weighted for block in blocks]
    weighted: list[dict[str, Floats]] = []  # for each block, made once, in the first pass
    for parts in _passes(blocks, n_resamples):
        columns = [part.columns() for part in parts]
        summed: list[list[dict[str, Floats]]] = [[] for _ in parts]  # for each part, scores of some resamples at a time
        occurring: list[list[Flags]] = [[] for _ in parts]
        drawn: list[list[dict[str, Floats]]] = [[] for _ in functions]  # the same of the weighted scores, by block
        weights = batches(seed, len(blocks[0].rows), n_resamples, batch)
        for sums, n_filled, further in _spans(factors(columns), [] if weighted else functions, weights, n_resamples):
            for number, part in enumerate(parts):
                sums_of_part = sums.of_part(number, n_filled)
                summed[number].append(part.metrics(sums_of_part))
                occurring[number].append(part.occurs(sums_of_part))
            for collected, pieces in zip(drawn, further, strict=False):
                collected += pieces
        weighted = weighted or [_joined(pieces) if pieces else {} for pieces in drawn]
        for part, factor, pieces, flags in zip(parts, columns, summed, occurring, strict=True):
            others = {name: values[part.groups] for name, values in weighted[part.number].items()}
            yield part, factor, _joined(pieces) | others, np.concatenate(flags, axis=1)


def _passes(blocks: Sequence[Block], n_resamples: int) -> Iterator[list[_Part]]:
    """Yield the parts that go through the draws together, as many as fit into memory."""
    length = max(n_resamples, len(blocks[0].rows))  # the longer of (kinds, resamples) and, for the jackknife, units
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
    """Return the scores of the corpus whole, as they may be made from all groups; tables in slices of their groups."""
    yield _Part(0, blocks[0], slice(None))
    for number, table in enumerate(blocks[1:], start=1):
        if table.is_whole:
            yield _Part(number, table, slice(None))
            continue
        for start in range(0, table.rows.shape[1], n_groups):
            yield _Part(number, table, slice(start, start + n_groups))


def _spans(
    columns: Factors,
    functions: Sequence[Callable[[Integers], Scores] | None],
    drawn: Iterator[NDArray[np.integer]],
    n_resamples: int,
) -> Iterator[tuple[Sums, int, list[list[dict[str, Floats]]]]]:
    """Yield sums of as many resamples as fit, mostly all; how many these are; and the functions' values on them.

    Room is filled batch by batch, and handed on when the next batch would not fit.
    """
    most = max(1, _PASS_VALUES // len(columns))  # resamples for which there is room
    left, start = n_resamples, 0
    sums, further = _span(columns, functions, 0)
    for weights in drawn:
        stop = start + len(weights)
        if stop > sums.length:
            if start:
                yield sums, start, further
            left, start, stop = left - start, 0, len(weights)
            sums, further = _span(columns, functions, max(stop, min(most, left)))
        sums.fill(start, stop, weights)
        for collected, function in zip(further, functions, strict=True):
            if function is not None:
                # Kept weights are bytes, in which a family's sums would overflow, and lie by unit.
                collected.append(_by_group(function(weights.astype(np.int64, order="C"))))
        start = stop
    yield sums, start, further


def _span(columns: Factors, functions: Sequence[object], length: int) -> tuple[Sums, list[list[dict[str, Floats]]]]:
    """Make room for the sums on so many resamples, and an empty list for each function."""
    return columns.empty(length), [[] for _ in functions]


def _rows(
    part: _Part, columns: Floats | Columns, values: dict[str, Floats], occurs: Flags, confidence_level: float
) -> list[_Row]:
    """Return the intervals of each group of the part: of the corpus by BCa where its units are few."""
    points = _points(part)
    if part.number == 0:
        skewness = _skewness(part, columns) if columns.shape[1] < CORRECTED_BELOW else {}
        acceleration = {name: float(skew[0]) for name, skew in skewness.items()}
        return [_row(_of_group(values, 0), occurs[0], _of_group(points, 0), acceleration, confidence_level)]
    rows = []
    for group, reason in enumerate(part.too_few()):
        draws_of_group = _of_group(points, group)
        if reason:
            rows.append(_row_without_interval(draws_of_group, reason))
        else:
            rows.append(_row(_of_group(values, group), occurs[group], draws_of_group, {}, confidence_level))
    return rows


def _of_group(scores: dict[str, Floats], group: int) -> dict[str, Floats]:
    """Take one group out of all: {name: (groups, m)} to {name: (m,)}."""
    return {name: values[group] for name, values in scores.items()}


def _row(
    values: dict[str, Floats],
    occurs: Flags,
    points: dict[str, Floats],
    skewness: dict[str, float],
    confidence_level: float,
) -> _Row:
    """Return the intervals of one group, from its `values` {score: (n_resamples,)} on the resamples in which it occurs.

    By BCa if the `skewness` of scores is given.
    """
    n_kept = int(np.count_nonzero(occurs))
    if n_kept < len(occurs):
        places = np.flatnonzero(occurs)
        values = {name: drawn.take(places) for name, drawn in values.items()}
    row = _Row({}, {}, {}, [])
    for name, kept_values in values.items():
        point = float(points[name][0])
        if math.isnan(point):
            continue
        # NaN is the largest where there is any: mostly there is none, and they need not be looked for.
        n_undefined = int(np.count_nonzero(np.isnan(kept_values))) if math.isnan(kept_values.max()) else 0
        if n_undefined:
            undefined = undefined_in(n_undefined, n_kept)
            row.warnings.append(Message("score-undefined", "{score}: {undefined}", score=name, undefined=undefined))
            if n_undefined > UNDEFINED_SHARE * n_kept:
                row.reasons[name] = undefined
                continue
        defined = kept_values[~np.isnan(kept_values)] if n_undefined else kept_values
        if defined.max() - defined.min() <= TIE:
            row.reasons[name] = RESAMPLES_AGREE
            row.warnings.append(without_interval(name, RESAMPLES_AGREE))
            continue
        acceleration = skewness.get(name, math.nan)  # NaN too where the score is undefined without some unit
        if math.isnan(acceleration):
            method, (low, high) = "percentile", percentile_interval(defined, confidence_level)
        else:
            method, (low, high) = "bca", accelerated_interval(defined, point, acceleration, confidence_level)
        if high - low <= TIE:  # a width of zero would promise what a few odd resamples deny
            row.reasons[name] = ENDS_AGREE
            row.warnings.append(without_interval(name, ENDS_AGREE))
            continue
        row.intervals[name], row.methods[name] = (low, high), method
    return row


def _points(part: _Part) -> dict[str, Floats]:
    """Return the scores themselves, from exact sums: {name: (groups, 1)}."""
    everybody = np.ones((1, len(part.rows)), dtype=np.int64)
    return part.metrics(totals(part.rows).T.reshape(-1, 1)) | _weighted(part, [everybody])


def _skewness(part: _Part, columns: Floats | Columns) -> dict[str, Floats]:
    """Return the accelerations of BCa: {name: (groups,)}, NaN where a score is undefined without some unit."""
    return {name: accelerations(values) for name, values in _jackknife(part, columns).items()}


def _jackknife(part: _Part, columns: Floats | Columns) -> dict[str, Floats]:
    """Return the scores with one unit left out: {name: (groups, n_units)}.

    Column j of `left_out` (kinds · groups, units) are the sums without unit j.
    """
    plain = columns.plain() if isinstance(columns, Columns) else columns
    left_out = plain.sum(axis=1, keepdims=True) - plain
    scores = part.metrics(left_out) | _weighted(part, _all_but_one(columns.shape[1]))
    occurs = part.occurs(left_out)
    # NaN where no item of the group is left, as on the resamples.
    return scores if occurs.all() else {name: np.where(occurs, values, np.nan) for name, values in scores.items()}


def _all_but_one(n_units: int) -> Iterator[Integers]:
    """Yield weights (m, units) that are 1, and 0 for one unit after the other, some rows at a time."""
    step = max(1, _PART_VALUES // n_units)
    for start in range(0, n_units, step):
        units = np.arange(start, min(start + step, n_units))
        yield (units[:, np.newaxis] != np.arange(n_units)).astype(np.int64)


def _weighted(part: _Part, weights: Iterable[Integers]) -> dict[str, Floats]:
    """Return the scores of the part that are no functions of sums, with these weights: {name: (groups, m)}."""
    if part.block.weighted is None:
        return {}
    joined = _joined([_by_group(part.block.weighted(some)) for some in weights])
    return {name: values[part.groups] for name, values in joined.items()}


def _by_group(scores: Scores) -> dict[str, Floats]:
    """Turn (m,) or (m, groups) into (groups, m), each group in one piece."""
    return {
        name: np.ascontiguousarray(np.asarray(values, dtype=np.float64).reshape(len(values), -1).T)
        for name, values in scores.items()
    }


def _joined(pieces: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """Join pieces {name: (groups, m)} of neighbouring resamples."""
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces], axis=1) for name in pieces[0]}
