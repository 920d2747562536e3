"""Computes the figures of the page that explains a board: an invented one, compared by the engine as any other."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

import scoring as engine
from evalsite.board_pages.board.charts import Axis, Mark, Tick, axis_of, mark
from evalsite.board_pages.board.sentence import sentence_among, units_in_words
from evalsite.wording import SHARE
from scoring.comparing.comparison import Comparison
from scoring.prf import harmonic_mean, ratio
from scoring.significance import Block, percentile_interval, resampled, totals

Array = NDArray[np.float64]
EXAMPLE = Path(__file__).with_name("example.json")
POWER = Path(__file__).with_name("power.json")  # what benchmarks/power.py has written
N_RESAMPLES = 10_000
N_BARS = 41
UNIT = ("sentence", "sentences")
WIDTH, HEIGHT, BASE, TOP = 640, 210, 168, 28


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    is_inside: bool


@dataclass(frozen=True)
class Mound:
    """The score on the resamples as bars; the interval's ends, and the score itself, as places."""

    bars: list[Bar]
    score: float
    low: float
    high: float
    score_x: float
    low_x: float
    high_x: float
    ticks: list[tuple[float, Tick]]

    width, height, base, top = WIDTH, HEIGHT, BASE, TOP

    @property
    def interval(self) -> tuple[float, float]:
        return self.low, self.high


@dataclass(frozen=True)
class Line:
    """A row of a board that is stored nowhere, such as the invented one."""

    name: str
    rank_range: str
    group: str
    score: float
    interval: tuple[float, float] | None
    mark: Mark
    difference: tuple[float, float, float] | None

    @property
    def difference_interval(self) -> tuple[float, float] | None:
        return self.difference and self.difference[1:]


@dataclass(frozen=True)
class Overlap:
    """Two systems whose intervals overlap although their difference is clear."""

    names: tuple[str, str]
    scores: tuple[float, float]
    intervals: tuple[tuple[float, float], tuple[float, float]]
    marks: tuple[Mark, Mark]
    axis: Axis
    difference: float
    difference_interval: tuple[float, float]
    difference_mark: Mark
    difference_axis: Axis
    zero: float

    @property
    def shared_x(self) -> float:
        """Return where the stretch begins that lies in both intervals."""
        return max(self._ends(0))

    @property
    def shared_width(self) -> float:
        return round(min(self._ends(1)) - self.shared_x, 2)

    def _ends(self, which: int) -> list[float]:
        return [self.axis.at(ends[which]) for ends in self.intervals]


@dataclass(frozen=True)
class Simulated:
    """The share of simulated boards that told apart what they say they tell: a row for each size, a cell for each
    kind of score."""

    repetitions: int
    sizes: list[list[dict[str, Any]]]  # of one number of units and systems
    needs: list[dict[str, Any]]

    def _column(self, name: str) -> list[float]:
        return [cell[name] for row in self.sizes for cell in row]

    @property
    def half(self) -> tuple[float, float]:
        """Return the smallest and the largest share that stands for one half."""
        return min(self._column("found_half")), max(self._column("found_half"))

    @property
    def stated(self) -> tuple[float, float]:
        """Return what boards state in the middle, as a multiple of the true size: the smallest and the largest."""
        middles = [cell["stated"][0] for row in self.sizes for cell in row]
        return min(middles), max(middles)

    @property
    def often(self) -> tuple[float, float]:
        """Return the same for four times out of five, the numbers of units included."""
        shares = self._column("found_often") + [need["found_often"] for need in self.needs]
        return min(shares), max(shares)


@dataclass(frozen=True)
class Guide:
    mound: Mound
    overlap: Overlap
    axis: Axis
    lines: list[Line]
    scale = SHARE
    separated: NDArray[np.bool_]  # (lines, lines): whether the row is better than the column
    n_units: int
    n_resamples: int
    seed: int
    power: engine.Power  # of the invented board
    simulated: Simulated

    @property
    def sentence(self) -> str:
        """Return what stands above a board, in the visitor's language."""
        names, scores = [line.name for line in self.lines], [line.score for line in self.lines]
        return str(sentence_among(names, scores, self.separated, units_in_words(self.n_units, UNIT)))


@cache
def guide() -> Guide:
    facts = json.loads(EXAMPLE.read_text())
    rows = {name: np.array(counts) for name, counts in facts["rows"].items()}
    n_units = len(next(iter(rows.values())))
    draws = {name: _draws(counts, facts["seed"]) for name, counts in rows.items()}
    scores = {name: float(_f1(totals(counts))["f1"]) for name, counts in rows.items()}
    comparison = engine.compare_draws(
        list(rows),
        list(scores.values()),
        np.array(list(draws.values())),
        n_units,
        references=[facts["reference"]],
        unit=UNIT,
    )
    power = engine.power_of(comparison)
    assert power is not None
    intervals = {name: percentile_interval(values, 0.95) for name, values in draws.items()}
    axis = _axis(scores, intervals, facts["reference"])
    return Guide(
        mound=_mound(draws[comparison.names[0]], scores[comparison.names[0]]),
        overlap=_overlap(comparison, scores, intervals, draws),
        axis=axis,
        lines=[line_of(row, intervals, axis) for row in comparison.table],
        separated=comparison.separated,
        n_units=n_units,
        n_resamples=N_RESAMPLES,
        seed=facts["seed"],
        power=power,
        simulated=_simulated(json.loads(POWER.read_text())),
    )


# Kinds of scores, as they are stored.
_KINDS = {"micro-F1": _("micro-F1"), "mean of questions": _("mean of questions"), "share of right": _("share of right")}


def _simulated(figures: dict[str, Any]) -> Simulated:
    rows: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for cell in figures["sizes"]:
        rows.setdefault((cell["n_units"], cell["n_systems"]), []).append(cell)
    needs = [need | {"score": _KINDS.get(need["score"], need["score"])} for need in figures["needs"]]
    return Simulated(figures["repetitions"], list(rows.values()), needs)


def _draws(rows: NDArray[np.int64], seed: int) -> Array:
    draws: Array = resampled(Block(rows, _f1), seed, N_RESAMPLES)["f1"][0]
    return draws


def _f1(counts: Array) -> dict[str, Array]:
    """Compute F1 from correct, gold and system items on the last axis."""
    correct, gold, system = np.moveaxis(np.asarray(counts), -1, 0)
    return {"f1": harmonic_mean(ratio(correct, system), ratio(correct, gold))}


def _axis(scores: dict[str, float], intervals: dict[str, tuple[float, float]], reference: str) -> Axis:
    ends = [end for interval in intervals.values() for end in interval]
    axis = axis_of([*scores.values(), *ends], [("baseline", scores[reference])])
    assert axis is not None
    return axis


def _mound(draws: Array, score: float) -> Mound:
    low, high = percentile_interval(draws, 0.95)
    counts, edges = np.histogram(draws, bins=N_BARS)
    first, last = float(edges[0]), float(edges[-1])

    def x(value: float) -> float:
        return round(12 + (value - first) / (last - first) * (WIDTH - 24), 1)

    scale = (BASE - TOP) / int(counts.max())
    bars = [
        Bar(
            x=x(left),
            y=round(BASE - count * scale, 1),
            width=round(x(right) - x(left) - 1.5, 1),
            height=round(count * scale, 1),
            is_inside=low <= (left + right) / 2 <= high,
        )
        for left, right, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    ]
    axis = axis_of([first, last])
    assert axis is not None
    ticks = [(x(float(tick.number)), tick) for tick in axis.ticks if first <= float(tick.number) <= last]
    return Mound(bars, score, low, high, x(score), x(low), x(high), ticks)


def _overlap(
    comparison: Comparison,
    scores: dict[str, float],
    intervals: dict[str, tuple[float, float]],
    draws: dict[str, Array],
) -> Overlap:
    """Find the first system and the next one whose interval overlaps its own although the test separates both."""
    first = comparison.names[0]
    second = next(
        name
        for place, name in enumerate(comparison.names)
        if comparison.separated[0, place] and intervals[name][1] > intervals[first][0]
    )
    pair = comparison.pair(first, second)
    ends = percentile_interval(draws[first] - draws[second], 0.95)
    axis = axis_of([*intervals[first], *intervals[second]])
    difference_axis = axis_of([0.0, *ends])
    assert axis is not None
    assert difference_axis is not None
    return Overlap(
        names=(first, second),
        scores=(scores[first], scores[second]),
        intervals=(intervals[first], intervals[second]),
        marks=(mark(axis, scores[first], intervals[first]), mark(axis, scores[second], intervals[second])),
        axis=axis,
        difference=pair.difference,
        difference_interval=ends,
        difference_mark=mark(difference_axis, pair.difference, ends),
        difference_axis=difference_axis,
        zero=difference_axis.at(0),
    )


def line_of(row: Mapping[str, Any], intervals: Mapping[str, tuple[float, float]], axis: Axis) -> Line:
    """Return a row of a comparison's table as a board shows it."""
    low, high = row["rank_low"], row["rank_high"]
    ends = intervals.get(row["name"])
    difference = None
    if row["difference_low"] is not None:
        difference = (row["difference_to_leader"], row["difference_low"], row["difference_high"])
    return Line(
        name=row["name"],
        rank_range=str(low) if low == high else f"{low}–{high}",
        group=row["group"],
        score=row["score"],
        interval=ends,
        mark=mark(axis, row["score"], ends),
        difference=difference,
    )
