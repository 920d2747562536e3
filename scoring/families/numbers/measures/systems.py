"""How well numbers rank systems, as a metric of translation does: pairs of systems, of their means and by segment.

Rows of one group are what several systems made of one segment.

    segment  systems  gold   metric    means  A 2.5, B 2, C 1 in the gold and 3, 2, 2.5 by the metric: of three pairs
    1        A B C    3 2 0  3 2 2            A > B and A > C are right, 2/3
    2        A B C    2 2 2  3 2 3     ties   as they are 2/3 and 1/3 of the pairs are right, .5; with differences up
                                              to 1 taken for ties none and all, .5, too, so the smaller one stands

Pairwise accuracy is Kocmi et al. 2021, its soft form Thompson et al. 2024, accuracy with calibrated ties Deutsch et al.
2023; numbers are those of mt-metrics-eval.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers
from scoring.families.numbers.names import OF_SYSTEMS
from scoring.families.numbers.pairs import CONSTANT
from scoring.significance.distributions import normal_cdf

_PERMUTATIONS, _SEED = 1000, 4  # of mt-metrics-eval
_AT_ONCE = 2**22  # numbers of resamples


@dataclass(frozen=True)
class Systems:
    """One column by segments and systems."""

    gold: Floats  # (segments, systems) NaN where a system is not judged
    metric: Floats  # (segments, systems) likewise
    hits: Floats  # (segments,) share of pairs that are right with calibrated ties; NaN without a pair
    soft: float  # soft pairwise accuracy of the data

    @classmethod
    def of(cls, gold: Floats, metric: Floats, segment: Integers, system: Integers) -> Self:
        """Make it of the numbers (n,) of both sides with the segment and the system of each."""
        shape = int(segment.max()) + 1, int(system.max()) + 1
        sides = np.full((2, *shape), np.nan)
        sides[:, segment, system] = gold, metric
        of_gold, of_metric = sides
        return cls(of_gold, of_metric, _calibrated(of_gold, of_metric), _soft(*_complete(of_gold, of_metric)))

    def scores(self, weights: Array) -> dict[str, Floats]:
        """Return {score: (m,)} from weights of segments (m, segments)."""
        weights = np.asarray(weights, dtype=np.float64)
        step = max(1, _AT_ONCE // self.gold.shape[1] ** 2)
        parts = [self._scores(weights[start : start + step]) for start in range(0, len(weights), step)]
        return {name: np.concatenate([part[name] for part in parts]) for name in OF_SYSTEMS}

    def _scores(self, weights: Floats) -> dict[str, Floats]:
        is_whole = len(weights) == 1 and bool((weights == 1).all())
        with np.errstate(invalid="ignore", divide="ignore"):
            pairwise = agreement(*(_means(side, weights) for side in (self.gold, self.metric)))
            has = ~np.isnan(self.hits)
            calibrated = weights @ np.where(has, self.hits, 0.0) / (weights @ has)
        soft = np.array([self.soft]) if is_whole else self._soft_of(weights)
        return dict(zip(OF_SYSTEMS, (pairwise, soft, calibrated), strict=True))

    def _soft_of(self, weights: Floats) -> Floats:
        """Return soft accuracies of resamples, with the normal distribution that permutations tend to."""
        is_complete = _is_complete(self.gold)
        drawn = weights[:, is_complete]
        gold, metric = (_normal_p(side[is_complete], drawn) for side in (self.gold, self.metric))
        return likeness(gold, metric)


def agreement(gold: Floats, metric: Floats) -> Floats:
    """Return the share of pairs of systems whose means (m, systems) differ in the same direction: (m,)."""
    of_gold, of_metric = _directions(gold), _directions(metric)
    is_there = ~np.isnan(of_gold)
    agrees = of_gold == of_metric
    return np.asarray((agrees & is_there).sum(axis=1) / is_there.sum(axis=1))


def _directions(means: Floats) -> Floats:
    """Return the sign of the difference of each pair of systems (m, pairs), 0 where it is rounding alone."""
    first, second = np.triu_indices(means.shape[1], 1)
    one, other = means[:, first], means[:, second]
    is_equal = np.abs(one - other) <= CONSTANT * np.maximum(np.abs(one), np.abs(other))
    return np.where(is_equal, 0.0, np.sign(one - other))


def _means(side: Floats, weights: Floats) -> Floats:
    """Return the mean of each system (m, systems)."""
    is_there = ~np.isnan(side)
    return np.asarray(weights @ np.where(is_there, side, 0.0) / (weights @ is_there))


def _is_complete(gold: Floats) -> Flags:
    return np.asarray(~np.isnan(gold).any(axis=1))


def _complete(gold: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """Return the segments that all systems have."""
    is_complete = _is_complete(gold)
    return gold[is_complete], metric[is_complete]


def _soft(gold: Floats, metric: Floats) -> float:
    """Return 1 less the mean difference of both sides' p, by the permutations that mt-metrics-eval draws."""
    if not len(gold) or gold.shape[1] < 2:
        return float("nan")
    signs = signs_of(len(gold))
    return float(likeness(*(permuted_p(side, signs) for side in (gold, metric)))[0])


def signs_of(n_segments: int) -> Array:
    """Return the permutations that mt-metrics-eval draws, 1 and −1: (permutations, segments)."""
    drawn = np.random.default_rng(_SEED).random((_PERMUTATIONS, n_segments), dtype=np.float32)
    return np.rint(drawn) * np.float32(2) - np.float32(1)


def permuted_p(side: Floats, signs: Array) -> Floats:
    """Return the share of permutations in which one system is at least as far ahead of another: (1, pairs).

    `side` is (segments, systems) without holes, `signs` (permutations, segments).
    """
    first, second = np.triu_indices(side.shape[1], 1)
    # In this layout the sums have the order, and so the rounding, of mt-metrics-eval.
    by_system = np.ascontiguousarray(side.T, dtype=np.float32)
    sums, permuted = np.sum(by_system, axis=1), np.matmul(signs, by_system.T)
    ahead = [
        np.mean(permuted[:, one] - permuted[:, other] >= sums[one] - sums[other])
        for one, other in zip(first.tolist(), second.tolist(), strict=True)
    ]
    return np.array([ahead])


def _normal_p(side: Floats, weights: Floats) -> Floats:
    """Return the same for weights (m, segments), as many permutations would have it: (m, pairs)."""
    first, second = np.triu_indices(side.shape[1], 1)
    difference = side[:, first] - side[:, second]
    ahead, spread = weights @ difference, np.sqrt(weights**2 @ difference**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, normal_cdf(-ahead / spread), 1.0)


def likeness(gold: Floats, metric: Floats) -> Floats:
    """Return 1 less the mean difference of both sides' p (m, pairs): (m,); NaN without a pair."""
    if not gold.shape[1]:
        return np.full(len(gold), np.nan)
    return np.asarray(1 - np.abs(gold - metric).mean(axis=1))


def _calibrated(gold: Floats, metric: Floats) -> Floats:
    """Return the share of right pairs by segment (segments,), with ties as `calibrated_pairs` counts them."""
    segment, right = calibrated_pairs(gold, metric)
    with np.errstate(invalid="ignore"):
        hits, number = (np.bincount(segment, weights=weight, minlength=len(gold)) for weight in (right, None))
        return np.asarray(hits / number)


def calibrated_pairs(gold: Floats, metric: Floats) -> tuple[Integers, Floats]:
    """Return the segment of each pair and whether it is right, where small differences of the metric are ties.

    They are up to the smallest difference that brings most, of 0 and all that occur, in pairs of one segment.
    """
    segment, distance, plain, tied = (np.concatenate(parts) for parts in zip(*_pairs(gold, metric), strict=True))
    if not len(segment):
        return segment, plain
    number = np.bincount(segment, minlength=len(gold))
    order = np.argsort(distance, kind="stable")
    gain = (tied[order] - plain[order]) / number[segment[order]]
    # The last of equal distances stands for all of them.
    ends = np.flatnonzero(np.r_[distance[order][1:] != distance[order][:-1], True])
    gains = np.r_[0.0, np.cumsum(gain)[ends]]
    best = int(np.argmax(gains.round(9)))
    epsilon = float(distance[order][ends][best - 1]) if best else 0.0
    return segment, np.where(distance <= epsilon, tied, plain)


def _pairs(gold: Floats, metric: Floats) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Yield of pairs the segment, how far the metric has them apart, and whether it is right: as it is, with a tie."""
    for one in range(gold.shape[1]):
        for other in range(one + 1, gold.shape[1]):
            of_gold, given = gold[:, one] - gold[:, other], metric[:, one] - metric[:, other]
            place = np.flatnonzero(~np.isnan(of_gold))
            of_gold, given = of_gold[place], given[place]
            is_right = np.sign(of_gold) == np.sign(given)
            yield place, np.abs(given), is_right.astype(np.float64), (of_gold == 0).astype(np.float64)
    yield np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), np.zeros(0)
