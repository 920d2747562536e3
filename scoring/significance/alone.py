"""Tests of pairs of systems by themselves: standard error, p-value, and where a pair deviates farthest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, owners, ranges, starts_run

# A resample whose deviation falls short of the observed one by less than this counts as reaching it. Scores of few
# items take few values, so that equal deviations are common, and their last digits differ.
SLACK = 1e-9
# A standard error below this is rounding: the two systems differ by the same amount on all resamples.
_SMALLEST_SE = 1e-10
_TILE = 12  # systems that stand against one other at a time; a wider array would be slower to go through
_BLOCK_VALUES = 2**17  # doubles, at most, of the differences that are made at a time
_FIRST_LEVEL = 3.1  # standard errors; of 10,000 resamples about twenty deviate as far
_LEVEL_STEP = 0.2
_SELDOM = 2.5  # standard errors; of 10,000 resamples about 120 deviate as far
_MOST_PEAKS = 2**23  # 64 MB


@dataclass(frozen=True)
class Peaks:
    """The resamples on which a pair deviates by `level` standard errors or more, pair by pair."""

    level: float
    starts: Integers  # (P,): where the resamples of each pair begin
    sizes: Integers  # (P,)
    resamples: Array  # (N,), 32-bit integers

    def of(self, pairs: Integers) -> Array:
        """Return the resamples of these pairs, one pair after the other."""
        return self.resamples[ranges(self.starts[pairs], self.sizes[pairs])]


@dataclass(frozen=True)
class Alone:
    """The tests of P pairs by themselves, whatever other pairs are tested beside them."""

    se: Floats  # (P,): standard error of the difference; 0 where it is the same on all resamples
    p: Floats  # (P,): two-sided p-value of the pair alone
    peaks: Peaks


class PairTestCache:
    """Tests of pairs alone by the digests of their systems, so that a board with one new system tests only its pairs.

    It holds those of the systems of the latest test. A digest stands for a system's score and all its draws.
    """

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}
        self._pairs = np.zeros((0, 0), dtype=np.int64)  # numbers of the pairs of two systems; −1 for none
        self._tests = Alone(np.zeros(0), np.zeros(0), no_peaks(0, _FIRST_LEVEL))

    def look_up(self, digests: Sequence[bytes], pairs: Integers) -> tuple[Integers, Alone]:
        """Return the number of the cached test of each pair (P, 2) of these systems, −1 without one, and the tests."""
        rows = np.array([self._rows.get(digest, -1) for digest in digests], dtype=np.int64)[pairs]  # (P, 2)
        numbers = np.full(len(pairs), -1)
        is_known = (rows >= 0).all(axis=1)
        numbers[is_known] = self._pairs[rows[is_known, 0], rows[is_known, 1]]
        return numbers, self._tests

    def store(self, digests: Sequence[bytes], pairs: Integers, tests: Alone) -> None:
        """Keep the tests of these pairs, and no others: a difference has the same tests in both directions."""
        self._rows = {digest: row for row, digest in enumerate(digests)}
        self._pairs = np.full((len(digests), len(digests)), -1)
        # Equal systems have one digest, and their pairs with others one test.
        one, other = np.array([self._rows[digest] for digest in digests], dtype=np.int64)[pairs].T
        self._pairs[one, other] = self._pairs[other, one] = np.arange(len(pairs))
        self._tests = tests


def no_peaks(n_pairs: int, level: float) -> Peaks:
    return Peaks(level, np.zeros(n_pairs, dtype=np.int64), np.zeros(n_pairs, dtype=np.int64), np.zeros(0, np.int64))


def tests_alone(
    cache: PairTestCache | None, scores: Floats, draws: Floats, difference: Floats, deviations: Floats, pairs: Integers
) -> Alone:
    """Return the tests of each pair by itself, of which those that are cached are not made again."""
    if cache is None:
        return make_tests(difference, deviations, pairs, _FIRST_LEVEL)
    digests = [_digest(score, vector) for score, vector in zip(scores, draws, strict=True)]
    numbers, cached = cache.look_up(digests, pairs)
    is_new = numbers < 0
    made = make_tests(difference[is_new], deviations, pairs[is_new], cached.peaks.level)
    tests = _merged(cached, numbers, made)
    cache.store(digests, pairs, tests)
    return tests


def _digest(score: np.float64, vector: Floats) -> bytes:
    digest = sha256(score.tobytes())
    digest.update(np.ascontiguousarray(vector).data)
    return digest.digest()


def make_tests(difference: Floats, deviations: Floats, pairs: Integers, level: float) -> Alone:
    """Test each pair by itself, without a matrix product, whose last digit depends on the number of threads.

    The deviations (K, B) of a pair's systems from their scores differ by what the resample does to their difference.
    """
    n_resamples = deviations.shape[1]
    order, starts = _tiles(pairs, n_resamples)
    pairs, distance = pairs[order], np.abs(difference[order])
    se, n_reaching = np.zeros(len(pairs)), np.zeros(len(pairs))
    peaks = _PeaksOf(deviations, pairs, se, level)
    flags = np.empty((_TILE, n_resamples), dtype=bool)
    for some, moved in _moved(deviations, pairs, starts):
        root = _standard_errors(moved, is_only_pair=len(pairs) == 1)
        se[some] = root
        # |Δ*| ≥ |Δ| − slack · se is the same as T* ≥ t − slack, without dividing B values.
        reach, least = distance[some] - SLACK * root, peaks.least(root)
        np.abs(moved, out=moved)
        n_reaching[some], cells = _reaching(moved, reach, least, _SELDOM * root, flags[: len(root)])
        peaks.add(some.start, cells)
    # One is added above and below for the gold itself: with B resamples nothing smaller than 1/(B + 1) is known.
    p = (1 + np.where(se > 0, n_reaching, 0)) / (n_resamples + 1)
    p[distance == 0] = 1.0
    back = np.argsort(order)
    return Alone(se[back], p[back], peaks.gathered(back))


def _tiles(pairs: Integers, n_resamples: int) -> tuple[Integers, list[int]]:
    """Return an order of the pairs (P,), and where in it a tile begins: one system against some neighbours.

    The next system meets the same neighbours, while their draws are still in the processor's cache. The last of the
    starts is the number of the pairs.
    """
    width = max(1, min(_TILE, _BLOCK_VALUES // max(1, n_resamples)))
    first, second = pairs.T
    order = np.lexsort((second, first, second // width))
    first, second = first[order], second[order]
    # As long as first − second falls by one, the first stays and the second goes on to its neighbour.
    is_start = starts_run(first, second // width, second - np.arange(len(second)))
    return order, [*np.flatnonzero(is_start).tolist(), len(pairs)]


def _moved(deviations: Floats, pairs: Integers, starts: list[int]) -> Iterator[tuple[slice, Floats]]:
    """Yield which pairs each tile holds, and their differences (m, B), in an array that is the same each time."""
    room = np.empty((max(np.diff(starts), default=0), deviations.shape[1]))
    ones, others = pairs[starts[:-1]].T.tolist()
    for start, end, one, other in zip(starts, starts[1:], ones, others, strict=False):
        moved = room[: end - start]
        np.subtract(deviations[one], deviations[other : other + end - start], out=moved)
        yield slice(start, end), moved


def _reaching(moved: Floats, reach: Floats, least: Floats, seldom: Floats, flags: Flags) -> tuple[Array, Integers]:
    """Return how many absolute deviations of each pair (m, B) reach `reach`, and the cells of those of `least`.

    Where all pairs reach what is `seldom` reached, both are among a few cells, which are looked for once.
    """
    if not (reach > seldom).all():
        reaches = np.greater_equal(moved, reach[:, np.newaxis], out=flags)
        counts = np.array([*map(np.count_nonzero, reaches)])
        return counts, np.flatnonzero(np.greater_equal(moved, least[:, np.newaxis], out=flags))
    cells = np.flatnonzero(np.greater_equal(moved, np.minimum(reach, least)[:, np.newaxis], out=flags))
    row, value = cells // moved.shape[1], moved.ravel()[cells]
    return np.bincount(row[value >= reach[row]], minlength=len(moved)), cells[value >= least[row]]


def _standard_errors(moved: Floats, *, is_only_pair: bool) -> Floats:
    """Return the standard error of each pair (m,) from its deviations (m, B).

    A single row is summed in another order than several, so it is doubled: what a pair is tested beside changes
    nothing in it.
    """
    m, n_resamples = moved.shape
    rows = moved if m > 1 or is_only_pair or n_resamples > _BLOCK_VALUES // 2 else np.concatenate([moved, moved])
    squares = np.einsum("ij,ij->i", rows, rows) - np.einsum("ij->i", rows) ** 2 / n_resamples
    root = np.sqrt(np.maximum(squares, 0) / max(1, n_resamples - 1))[:m]
    return np.where(root <= _SMALLEST_SE, 0.0, root)


class _PeaksOf:
    """Collects the peaks of pairs, tile by tile; where there are too many, it raises the level."""

    def __init__(self, deviations: Floats, pairs: Integers, se: Floats, level: float) -> None:
        self._deviations, self._pairs, self._se, self._level = deviations, pairs, se, level
        self._starts: list[int] = []  # the first pair of each tile
        self._cells: list[Array] = []  # of each tile (m, B), row by row
        self._n = 0

    def least(self, se: Floats) -> Floats:
        """Return which absolute deviation is a peak of pairs with these standard errors."""
        # A pair without spread, whose deviations are rounding, has none.
        return np.maximum(self._level * se, _SMALLEST_SE)

    def add(self, start: int, cells: Integers) -> None:
        """Take the peaks of the tile that begins with this pair."""
        self._starts.append(start)
        self._cells.append(cells.astype(np.int32))
        self._n += len(cells)
        while self._n > _MOST_PEAKS:
            self._raise_level()

    def gathered(self, order: Integers) -> Peaks:
        """Return the peaks of the pairs in another order (P,)."""
        if not self._n:
            return no_peaks(len(order), self._level)
        row, resamples = self._rows_and_resamples()
        sizes = np.bincount(row, minlength=len(order))
        return Peaks(self._level, (np.cumsum(sizes) - sizes)[order], sizes[order], resamples)

    def _rows_and_resamples(self) -> tuple[Integers, Integers]:
        """Return of each peak its pair and its resample."""
        cells, n_resamples = np.concatenate(self._cells), self._deviations.shape[1]
        before = np.repeat(self._starts, [len(cells) for cells in self._cells])
        return before + cells // n_resamples, cells % n_resamples

    def _raise_level(self) -> None:
        self._level += _LEVEL_STEP
        row, resample = self._rows_and_resamples()
        stays = standardised_at(self._deviations, self._pairs[row], resample, self._se[row]) >= self._level
        tile = owners(np.array([len(cells) for cells in self._cells]))
        n_staying = np.bincount(tile[stays], minlength=len(self._cells))
        self._cells = np.split(np.concatenate(self._cells)[stays], np.cumsum(n_staying)[:-1])
        self._n = int(np.count_nonzero(stays))


def standardised_at(deviations: Floats, pairs: Integers, resamples: Integers, se: Floats) -> Floats:
    """Return the standardised deviations of pairs (n, 2) on a resample each: (n,)."""
    return np.abs(deviations[pairs[:, 0], resamples] - deviations[pairs[:, 1], resamples]) * (1 / se)


def _merged(cached: Alone, numbers: Integers, made: Alone) -> Alone:
    """Return the tests of pairs (P,): cached ones by their numbers, new ones, in their order, where that is −1."""
    is_new = numbers < 0
    old = numbers[~is_new]
    se, p, sizes = np.empty(len(numbers)), np.empty(len(numbers)), np.empty(len(numbers), dtype=np.int64)
    se[~is_new], p[~is_new], sizes[~is_new] = cached.se[old], cached.p[old], cached.peaks.sizes[old]
    se[is_new], p[is_new], sizes[is_new] = made.se, made.p, made.peaks.sizes
    starts = np.cumsum(sizes) - sizes
    resamples = np.empty(int(sizes.sum()), dtype=np.int32)
    resamples[ranges(starts[~is_new], sizes[~is_new])] = cached.peaks.of(old)
    resamples[ranges(starts[is_new], sizes[is_new])] = made.peaks.of(np.arange(len(made.se)))
    return Alone(se, p, Peaks(max(cached.peaks.level, made.peaks.level), starts, sizes, resamples))
