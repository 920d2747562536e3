"""The page of the error atlas: the picture, what nobody solved, what one alone did, who would help whom."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from uuid import UUID

import numpy as np
import structlog
from django.core.cache import cache
from django.urls import reverse
from numpy.typing import NDArray

from evalsite.board_pages.board.rows import Row
from evalsite.leaderboard.models import Edition
from evalsite.results.stored import FileMissing, evaluation_of
from evalsite.submissions.models import Result, Submission
from evalsite.wording import in_digits
from evalsite.wording import score as said
from scoring import Evaluation
from scoring.comparing.atlas import Atlas, atlas_of

SHADES = 9
MOST_CELLS = 6000  # of the picture, which then has some hundred kilobytes
MOST_COLUMNS = 500
MOST_LISTED = 20
MOST_PAIRS = 10
MOST_HARD = 12  # of the units that nobody has solved
HEIGHT = 20  # pixels of a line, as its style sheet has it
N_BLOCKS = 10


@dataclass(frozen=True)
class Cell:
    """A score, or the mean of several units: its shade, and the page of the unit where the visitor may open it."""

    y: int
    shade: str  # s0 to s9, or "none" where there is no score
    url: str


@dataclass(frozen=True)
class Column:
    """A unit, or units of about the same difficulty."""

    x: int
    title: str
    cells: list[Cell]
    url: str  # the same picture of these units alone, where they are several


@dataclass(frozen=True)
class Picture:
    """Systems down by score, units across by difficulty; `start` and `stop` are places among all units, from 0."""

    rows: list[Row]
    columns: list[Column]
    start: int
    stop: int
    n_units: int
    n_together: int  # units in a column, at most

    shades = tuple(f"s{shade}" for shade in range(SHADES + 1))

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return HEIGHT * len(self.rows)

    @property
    def first(self) -> int:
        """Return the place of the first unit, from 1."""
        return self.start + 1

    @property
    def blocks(self) -> list[tuple[int, int, str]]:
        """Return parts of the picture for the keyboard: places from 1, and their addresses; none where it shows each
        unit."""
        if self.n_together == 1:
            return []
        bounds = np.linspace(self.start, self.stop, N_BLOCKS + 1).round().astype(int).tolist()
        return [(a + 1, b, f"?units={a}-{b}") for a, b in pairwise(bounds) if b > a]

    @property
    def is_part(self) -> bool:
        return self.stop - self.start < self.n_units


@dataclass(frozen=True)
class HardUnit:
    """A unit that nobody solved; `url` leads to the visitor's own run.

    The best score there is cut to tenths, as the exact scores of single units are each team's own.
    """

    name: str
    text: str
    best: str
    row: Row
    url: str


@dataclass(frozen=True)
class Alone:
    """The units that one system alone has solved; they lead to their pages where the visitor may open them."""

    row: Row
    number: int
    units: list[tuple[str, str, str]]  # name, text, address


@dataclass(frozen=True)
class Together:
    """Two systems, what the best of both would score, and how much more than the better of the two that is."""

    first: Row
    second: Row
    oracle: float
    change: float  # from the better of the two

    @property
    def is_own(self) -> bool:
        return self.first.is_own or self.second.is_own


@dataclass(frozen=True)
class Neighbour:
    row: Row
    other: Row
    agreement: float


class AtlasPage:
    """The atlas in the names that this visitor may see. `texts` are of units, where the family knows them."""

    def __init__(self, atlas: Atlas, rows: Sequence[Row], scenario: int, texts: Mapping[str, str]) -> None:
        by_key = {row.entry["submission"]: row for row in rows}
        self._atlas, self._scenario, self._texts = atlas, scenario, texts
        self.rows = [by_key[key] for key in atlas.systems]
        places = [place for place, row in enumerate(self.rows) if row.sees_run]
        # Of several that may be opened, as organisers may, the best one stands for the unit.
        self._opened = places[0] if places else None

    def picture(self, asked: str) -> Picture:
        """Draw the units between two places of the order by difficulty, as "120-160"; all where it says nothing."""
        n_units = len(self._atlas.units)
        start, stop = _span(asked, n_units)
        n_columns = max(1, min(stop - start, MOST_COLUMNS, MOST_CELLS // len(self.rows)))
        bounds = np.linspace(start, stop, n_columns + 1).round().astype(int).tolist()
        columns = [self._column(x, *pair) for x, pair in enumerate(pairwise(bounds))]
        together = max(later - first for first, later in pairwise(bounds))
        return Picture(self.rows, columns, start, stop, n_units, together)

    def _column(self, x: int, start: int, stop: int) -> Column:
        units = self._atlas.by_difficulty[start:stop]
        means = _means(self._atlas.scores[:, units])
        is_single = stop - start == 1
        name = self._atlas.units[int(units[0])]
        cells = [
            Cell(y, self._shade(mean), self._unit_url(y, name) if is_single else "")
            for y, mean in enumerate(means.tolist())
        ]
        return Column(x, name if is_single else "", cells, "" if is_single else f"?units={start}-{stop}")

    def _unit_url(self, place: int, name: str) -> str:
        row = self.rows[place]
        if not row.sees_run:
            return ""
        return reverse("submission_unit", args=[row.entry["submission"], self._scenario, name])

    def _own_url(self, name: str) -> str:
        return "" if self._opened is None else self._unit_url(self._opened, name)

    @property
    def n_unsolved(self) -> int:
        return len(self._atlas.unsolved)

    @property
    def unsolved(self) -> list[HardUnit]:
        listed = []
        for unit in self._atlas.unsolved[:MOST_HARD].tolist():
            name, scores = self._atlas.units[unit], self._atlas.scores[:, unit]
            best = self.rows[int((np.nanargmin if self._atlas.lower_is_better else np.nanargmax)(scores))]
            url = self._own_url(name)
            listed.append(
                HardUnit(name, self._texts.get(name, ""), self._roughly(float(self._atlas.best[unit])), best, url)
            )
        return listed

    def _roughly(self, score: float) -> str:
        """Round to tenths of full marks, towards the worse; a score without bounds to its first digit."""
        scale = self._atlas.scale
        if not (scale.is_share or scale.full):
            return in_digits(f"{float(f'{score:.0e}'):g}")
        full = scale.full or 1.0
        cut = (math.ceil if self._atlas.lower_is_better else math.floor)(10 * score / full) / 10
        return said(cut * full, replace(scale, decimals=0 if scale.is_percent or full > 1 else 1))

    def _shade(self, score: float) -> str:
        """Shade a score from the darkest, of 0, to none at all, of full marks."""
        if np.isnan(score):
            return "none"
        return f"s{min(SHADES, int(np.ceil(SHADES * max(0.0, self._wrong(score)) - 1e-9)))}"

    def _wrong(self, score: float) -> float:
        """Return the share of a unit that is wrong: of a score without bounds, against the largest one."""
        scale, lower_is_better = self._atlas.scale, self._atlas.lower_is_better
        if not lower_is_better:
            return 1 - score / (scale.full or 1.0)
        return score / (1.0 if scale.is_share else self._largest)

    @cached_property
    def _largest(self) -> float:
        """Return the score that nine of ten stay below: a single huge error would make all others look the same."""
        scores = self._atlas.scores[~np.isnan(self._atlas.scores)]
        return float(np.quantile(scores, 0.9)) or 1.0 if len(scores) else 1.0

    @property
    def alone(self) -> list[Alone]:
        """Return systems by how many units they alone have solved; those with none are left out, but for the
        visitor's own."""
        solvers = [self._alone(place, row) for place, row in enumerate(self.rows)]
        shown = [solver for solver in solvers if solver.number or solver.row.is_own]
        return sorted(shown, key=lambda solver: (not solver.row.is_own, -solver.number))[:MOST_LISTED]

    def _alone(self, place: int, row: Row) -> Alone:
        units = self._atlas.only(place)
        names = [self._atlas.units[unit] for unit in units[:MOST_LISTED].tolist()]
        return Alone(
            row, len(units), [(name, self._texts.get(name, ""), self._unit_url(place, name)) for name in names]
        )

    @property
    def together(self) -> list[Together]:
        """Return the pairs that would gain most from each other: those of the visitor first, then the best together.

        References compete with nobody, but may well help.
        """
        atlas = self._atlas
        gains, sign = atlas.gains, -1 if atlas.lower_is_better else 1
        pairs = [
            Together(self.rows[one], self.rows[two], float(atlas.oracle[one, two]), sign * float(gains[one, two]))
            for one, two in self._chosen_pairs()
        ]
        return sorted(pairs, key=lambda pair: (not pair.is_own, -sign * pair.oracle))

    def _chosen_pairs(self) -> list[tuple[int, int]]:
        """Return the best pairs, of which half at most are the visitor's own, where these are not among the best."""
        places = {place for place, row in enumerate(self.rows) if row.is_own}
        pairs = self._atlas.best_pairs(len(self.rows) ** 2 if places else MOST_PAIRS)
        with_visitor = [pair for pair in pairs if not places.isdisjoint(pair)][: MOST_PAIRS // 2]
        return list(dict.fromkeys([*with_visitor, *pairs]))[:MOST_PAIRS]

    @property
    def neighbours(self) -> list[Neighbour]:
        return list(self._neighbours())

    def _neighbours(self) -> Iterator[Neighbour]:
        for place, row in enumerate(self.rows):
            other = self._atlas.nearest(place)
            if other is not None:
                yield Neighbour(row, self.rows[other], float(self._atlas.agreement[place, other]))


def _span(asked: str, n_units: int) -> tuple[int, int]:
    start, _, stop = asked.partition("-")
    if all(part.isascii() and part.isdigit() and len(part) < 8 for part in (start, stop)):
        first, last = int(start), min(int(stop), n_units)
        if first < last:
            return first, last
    return 0, n_units


def _means(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average each row of (systems, units) over the units in which it has a score: (systems,)."""
    defined = ~np.isnan(scores)
    numbers = defined.sum(axis=1)
    return np.divide(np.nansum(scores, axis=1), numbers, out=np.full(len(scores), np.nan), where=numbers > 0)


log = structlog.get_logger()
MOST_SYSTEMS = 100  # the first of the board; every pair of them is looked at
CACHE_TIMEOUT = 24 * 3600  # seconds


def stored_atlas(edition: Edition, rows: Sequence[Row]) -> Atlas | None:
    """Return the atlas of the systems with a score, in the order of the board; None where there is nothing to show.

    Baselines are systems; human runs are none, nor is the gold itself.
    """
    systems = [row for row in rows if row.headline is not None and row.reference in ("", Submission.Reference.BASELINE)]
    keys = [row.entry["submission"] for row in systems[:MOST_SYSTEMS]]
    if not keys:
        return None
    key = f"atlas:{edition.pk}:{edition.made.timestamp()}"
    atlas = cache.get(key)
    if atlas is None:
        atlas = atlas_of(_evaluations(keys, edition))
        cache.set(key, atlas, CACHE_TIMEOUT)
    return atlas


def _evaluations(keys: Sequence[str], edition: Edition) -> dict[str, Evaluation]:
    """Return the evaluations that can be read, by submission."""
    wanted = [UUID(key) for key in keys]
    results = Result.objects.counting().filter(scoring__gold=edition.gold_id, scoring__submission__in=wanted)
    results = results.select_related("scoring").only("evaluation", "scoring__submission_id")
    newest = {str(pk): result for result in results.order_by("created") if (pk := result.scoring.submission_id)}
    evaluations = {}
    for key in keys:
        try:
            if key in newest:
                evaluations[key] = evaluation_of(newest[key])
        except FileMissing:
            log.warning("a stored evaluation cannot be read", submission=key)
    return evaluations
