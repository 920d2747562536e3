"""Scores of shares: how far the distribution that a system gives an item is from that of the gold.

g and p are the shares that gold and system give a label, G and P those divided by their sums. Each sum goes over the
labels of an item, each score is a mean over items. A missing row, and with `unknown_labels=wrong` what is given to
labels outside the list, is the share of one further label, of which the gold has nothing.

    manhattan               Σ |g − p|                                     Leonardelli et al. 2025 (LeWiDi)
    cross_entropy           −Σ g ln p, p between 10⁻¹² and 1 − 10⁻¹², and 10⁻⁹ more       LeWiDi 2021 and 2023
    smoothed_cross_entropy  −Σ g′ log₂ p′: a share of 0 counts as 0.001, and all are divided by their sum   PyEvALL
    jensen_shannon          ½ Σ G log₂(G/M) + ½ Σ P log₂(P/M), M = (G + P)/2              Lin 1991
    wasserstein             Σ over places k of the list |G₁ + … + Gₖ − P₁ − … − Pₖ|       LeWiDi 2025
    icm_soft                2 I(p) + 2 I(g) − 3 I(max(p, g)), I of a distribution being Σ of its labels   PyEvALL

I(s) of a label is −log₂ of the probability that a share is above s in a normal distribution, whose mean is that of the
gold's shares of the label, and whose deviation is their mean distance from it.
"""

import math
from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Floats, Integers, owners
from scoring.families.labels.entries import Entries
from scoring.families.labels.kinds import GOLD_INFORMATION, OF_ORDER
from scoring.readers.labels import Shares

_LEAST, _ADDED = 1e-12, 1e-9  # of the cross-entropy of LeWiDi
_SMOOTH = 0.001  # what PyEvALL takes for a share of 0
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Together:
    """Shares of both sides of m pairs of an item and a label, by items and ascending labels; one of them is above 0."""

    item: Integers  # (m,)
    label: Integers  # (m,) L for the further label
    gold: Floats  # (m,)
    system: Floats  # (m,)
    n_items: int
    n_labels: int  # L

    def sums(self, values: Floats) -> Floats:
        """The sum of such values for each item: (items,)."""
        return np.bincount(self.item, weights=values, minlength=self.n_items).astype(np.float64, copy=False)


def together(gold: Shares, system: Shares, n_labels: int) -> Together:
    """Pair the shares of both sides; those of an item without any in `system` are of the further label."""
    n_items = len(gold.sets.sizes)
    keys = [owners(side.sets.sizes) * (n_labels + 1) + side.sets.codes for side in (gold, system)]
    none = np.flatnonzero(system.sets.sizes == 0)
    keys[1] = np.concatenate([keys[1], none * (n_labels + 1) + n_labels])
    own = np.concatenate([system.share, np.ones(len(none))])
    known, place = np.unique(np.concatenate(keys), return_inverse=True)
    n_gold = len(keys[0])
    shares = [
        np.bincount(place[part], weights=values, minlength=len(known)).astype(np.float64, copy=False)
        for part, values in ((slice(n_gold), gold.share), (slice(n_gold, None), own))
    ]
    return Together(known // (n_labels + 1), known % (n_labels + 1), shares[0], shares[1], n_items, n_labels)


def count_shares(entries: Entries, names: list[str], pairs: Together) -> None:
    """What each item adds to the columns of these scores."""
    everything = np.arange(pairs.n_items)
    contrast, of_gold = _information_contrast(pairs)
    values = {
        "manhattan": pairs.sums(np.abs(pairs.gold - pairs.system)),
        "cross_entropy": pairs.sums(-pairs.gold * np.log(np.clip(pairs.system, _LEAST, 1 - _LEAST) + _ADDED)),
        "smoothed_cross_entropy": _smoothed(pairs),
        "jensen_shannon": _jensen_shannon(pairs),
        "icm_soft": contrast,
        GOLD_INFORMATION: of_gold,
    }
    if OF_ORDER in names:
        values[OF_ORDER] = _wasserstein(pairs)
    for name, of_items in values.items():
        entries.add(names.index(name), everything, of_items)


def _smoothed(pairs: Together) -> Floats:
    is_listed = pairs.label < pairs.n_labels
    gold, system = (np.where(is_listed & (side == 0), _SMOOTH, side) for side in (pairs.gold, pairs.system))
    n_others = pairs.n_labels - pairs.sums(is_listed.astype(np.float64))  # labels of which neither side has anything
    sum_gold, sum_system = (pairs.sums(side) + n_others * _SMOOTH for side in (gold, system))
    own = np.where(gold > 0, gold * np.log2(np.where(system > 0, system, 1) / sum_system[pairs.item]), 0.0)
    return np.asarray(-(pairs.sums(own) + n_others * _SMOOTH * np.log2(_SMOOTH / sum_system)) / sum_gold)


def _divided(pairs: Together) -> tuple[Floats, Floats]:
    """Shares of both sides that sum to 1."""
    return pairs.gold / pairs.sums(pairs.gold)[pairs.item], pairs.system / pairs.sums(pairs.system)[pairs.item]


def _jensen_shannon(pairs: Together) -> Floats:
    gold, system = _divided(pairs)
    middle = (gold + system) / 2
    parts = [side * np.log2(np.where(side > 0, side, 1) / np.where(side > 0, middle, 1)) for side in (gold, system)]
    # Rounding alone makes a little less than nothing of equal distributions.
    return np.maximum(pairs.sums(parts[0] + parts[1]) / 2, 0)


def _wasserstein(pairs: Together) -> Floats:
    """Over the places of the list; what the further label has lies at the end that is farther from the gold."""
    gold, system = _divided(pairs)
    last = pairs.n_labels - 1
    is_further = pairs.label > last
    middle = pairs.sums(gold * np.where(is_further, 0, pairs.label))
    farther = np.where(middle >= last - middle, 0, last)
    label = np.where(is_further, farther[pairs.item], pairs.label)
    order = np.lexsort((label, pairs.item))
    item, label, ahead = pairs.item[order], label[order], np.cumsum((gold - system)[order])
    # Each item begins with what all items before it have left, which is rounding.
    starts = np.searchsorted(item, np.arange(pairs.n_items))
    ahead -= np.append(0.0, ahead)[starts][item]
    steps = np.append(label[1:] - label[:-1], 0) * np.append(item[1:] == item[:-1], False)
    values = np.empty_like(ahead)
    values[order] = np.abs(ahead) * steps
    return pairs.sums(values)


def _information_contrast(pairs: Together) -> tuple[Floats, Floats]:
    """ICM-soft of each item, and the one that the gold's own distribution would have."""
    n_items, is_listed = pairs.n_items, pairs.label < pairs.n_labels
    label, gold = pairs.label[is_listed], pairs.gold[is_listed]
    mean = np.bincount(label, weights=gold, minlength=pairs.n_labels) / max(n_items, 1)
    n_without = n_items - np.bincount(label, minlength=pairs.n_labels)
    distances = np.bincount(label, weights=np.abs(gold - mean[label]), minlength=pairs.n_labels) + n_without * mean
    deviation = distances / max(n_items, 1)

    def of_items(shares: Floats) -> Floats:
        values = np.zeros(len(pairs.label))
        own = shares[is_listed]
        values[is_listed] = _information(own, mean[label], deviation[label], n_items)
        return pairs.sums(values)

    of_system, of_gold = of_items(pairs.system), of_items(pairs.gold)
    both = of_items(np.maximum(pairs.system, pairs.gold))
    return 2 * of_system + 2 * of_gold - 3 * both, of_gold


def _information(share: Floats, mean: Floats, deviation: Floats, n_items: int) -> Floats:
    """In bits; of a share of 0 nothing, of one that is never exceeded log₂ of the number of items."""
    distance = share - mean
    distance[np.abs(distance) < _ROUNDING] = 0
    # With a deviation of 0 all of the distribution lies at its mean.
    far = np.where(deviation > _ROUNDING, deviation, _ROUNDING**2)
    z = np.clip(distance / far, -100, 100) / math.sqrt(2)
    above = 1 - 0.5 * (1 + _erf(z))
    bits = np.where(above > 0, -np.log2(np.where(above > 0, above, 1)), math.log2(max(n_items, 1)))
    return np.where(share > 0, bits, 0.0)


def _erf(values: Floats) -> Array:
    different, place = np.unique(values, return_inverse=True)
    return np.fromiter(map(math.erf, different.tolist()), np.float64, len(different))[place]
