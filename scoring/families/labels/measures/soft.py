"""Scores of shares: how far the distribution that a system gives an item is from that of the gold.

g and p are the shares that gold and system give a label, G and P those divided by their sums. Each sum goes over the
labels of an item, each score is a mean over items. A missing row, and with `unknown_labels=wrong` what is given to
labels outside the list, is the share of one further label, of which the gold has nothing.

    manhattan               Σ |g − p|                                     Leonardelli et al. 2025 (LeWiDi)
    cross_entropy           −Σ g ln p, p between 10⁻¹² and 1 − 10⁻¹², and 10⁻⁹ more       LeWiDi 2021 and 2023
    smoothed_cross_entropy  −Σ g′ log₂ p′: a share of 0 counts as 0.001, and all are divided by their sum   PyEvALL
    jensen_shannon          ½ Σ G log₂(G/M) + ½ Σ P log₂(P/M), M = (G + P)/2              Lin 1991
    wasserstein             Σ over places k of the list |G₁ + … + Gₖ − P₁ − … − Pₖ|       LeWiDi 2025
    icm_soft                2 I(p) + 2 I(g) − 3 I(max(p, g)), I of shares being Σ of their labels         PyEvALL

I(s) of a label is −log₂ of the probability that a share is above s in a normal distribution, whose mean is that of the
gold's shares of the label, and whose deviation is their mean distance from it.

Labels that do not exclude each other (`shares=yes`) each have a share of their own: manhattan, cross_entropy and
jensen_shannon are then the mean over the labels of those of g, 1 − g and p, 1 − p. A missing row has 0 or 1 of each
label, what is farther from g; labels outside the list are no cells of it, and have no I.

With a hierarchy a label's share W is the largest one of it and of what is below it, which is what means and deviations
are made of, and I of shares is Σ I(W) − I(W of the label taken for a share of its parent), over labels and ancestors:

    yes > direct, yes > reported    p direct .5, reported .25    W yes .5
    I(p) = I_direct(.5) − I_yes(.5) + I_reported(.25) − I_yes(.25) + I_yes(.5)
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, owners, ranges
from scoring.families.labels.entries import Entries
from scoring.families.labels.kinds import GOLD_INFORMATION, OF_ORDER, share_kinds
from scoring.families.labels.measures.hierarchy import closure_of, parents_of
from scoring.family import Options
from scoring.readers.labels import LabelList, Shares

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
        """Return the sum of such values for each item: (items,)."""
        return np.bincount(self.item, weights=values, minlength=self.n_items).astype(np.float64, copy=False)


def together(gold: Shares, system: Shares, n_labels: int, *, is_one_whole: bool = True) -> Together:
    """Pair the shares of both sides; those of an item without any in `system` are of the further label.

    Where shares are parts of no whole, an item may have none.
    """
    n_items = len(gold.sets.sizes)
    keys = [owners(side.sets.sizes) * (n_labels + 1) + side.sets.codes for side in (gold, system)]
    none = np.flatnonzero((system.sets.sizes == 0) & is_one_whole)
    keys[1] = np.concatenate([keys[1], none * (n_labels + 1) + n_labels])
    of_system = np.concatenate([system.share, np.ones(len(none))])
    distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
    n_gold = len(keys[0])
    shares = [
        np.bincount(place[part], weights=values, minlength=len(distinct)).astype(np.float64, copy=False)
        for part, values in ((slice(n_gold), gold.share), (slice(n_gold, None), of_system))
    ]
    return Together(distinct // (n_labels + 1), distinct % (n_labels + 1), shares[0], shares[1], n_items, n_labels)


def count_shares(
    entries: Entries,
    names: list[str],
    sides: tuple[Shares, Shares],
    missing: Flags,
    labels: LabelList,
    options: Options,
) -> None:
    """Add what each item has of these scores; `missing` (n,) are the items without a row in the system."""
    is_one_whole = options["task"] == "soft"
    pairs = together(*sides, len(labels), is_one_whole=is_one_whole)
    values = _of_whole(pairs, names) if is_one_whole else _of_each_label(pairs, missing)
    values["icm_soft"], values[GOLD_INFORMATION] = _information_contrast(pairs, labels, options)
    for name in share_kinds(options):
        entries.add(names.index(name), np.arange(pairs.n_items), values[name])


def _of_whole(pairs: Together, names: list[str]) -> dict[str, Floats]:
    """Return the scores of distributions: (items,) each."""
    values = {
        "manhattan": pairs.sums(np.abs(pairs.gold - pairs.system)),
        "cross_entropy": pairs.sums(_surprise(pairs.gold, pairs.system)),
        "smoothed_cross_entropy": _smoothed(pairs),
        # Rounding alone makes a little less than nothing of equal distributions.
        "jensen_shannon": np.maximum(pairs.sums(_divergence(*_divided(pairs))), 0),
    }
    return values | ({OF_ORDER: _wasserstein(pairs)} if OF_ORDER in names else {})


def _of_each_label(pairs: Together, missing: Flags) -> dict[str, Floats]:
    """Return the means over the labels of the scores of two-valued distributions: (items,) each."""
    is_listed = pairs.label < pairs.n_labels
    farthest = (pairs.gold < 0.5).astype(np.float64)
    by_label = replace(
        pairs,
        item=pairs.item[is_listed],
        label=pairs.label[is_listed],
        gold=pairs.gold[is_listed],
        system=np.where(missing[pairs.item], farthest, pairs.system)[is_listed],
    )
    n_neither = pairs.n_labels - by_label.sums(np.ones(len(by_label.item)))  # labels of which both sides have nothing

    def mean(of_share: Callable[[Floats, Floats], Floats]) -> Floats:
        nothing = np.zeros(pairs.n_items)
        without = np.where(missing, 1.0, 0.0)
        sums = by_label.sums(
            of_share(by_label.gold, by_label.system) + of_share(1 - by_label.gold, 1 - by_label.system)
        )
        neither = of_share(nothing, without) + of_share(1 - nothing, 1 - without)
        return np.asarray((sums + n_neither * neither) / max(pairs.n_labels, 1))

    return {
        "manhattan": mean(lambda gold, system: np.abs(gold - system)),
        "cross_entropy": mean(_surprise),
        "jensen_shannon": np.maximum(mean(_divergence), 0),
    }


def _surprise(gold: Floats, system: Floats) -> Floats:
    return np.asarray(-gold * np.log(np.clip(system, _LEAST, 1 - _LEAST) + _ADDED))


def _divergence(gold: Floats, system: Floats) -> Floats:
    middle = (gold + system) / 2
    parts = [side * np.log2(np.where(side > 0, side, 1) / np.where(side > 0, middle, 1)) for side in (gold, system)]
    return np.asarray(parts[0] + parts[1]) / 2


def _smoothed(pairs: Together) -> Floats:
    is_listed = pairs.label < pairs.n_labels
    gold, system = (np.where(is_listed & (side == 0), _SMOOTH, side) for side in (pairs.gold, pairs.system))
    n_others = pairs.n_labels - pairs.sums(is_listed.astype(np.float64))  # labels of which neither side has anything
    sum_gold, sum_system = (pairs.sums(side) + n_others * _SMOOTH for side in (gold, system))
    terms = np.where(gold > 0, gold * np.log2(np.where(system > 0, system, 1) / sum_system[pairs.item]), 0.0)
    return np.asarray(-(pairs.sums(terms) + n_others * _SMOOTH * np.log2(_SMOOTH / sum_system)) / sum_gold)


def _divided(pairs: Together) -> tuple[Floats, Floats]:
    """Divide the shares of each side, so that they sum to 1."""
    return pairs.gold / pairs.sums(pairs.gold)[pairs.item], pairs.system / pairs.sums(pairs.system)[pairs.item]


def _wasserstein(pairs: Together) -> Floats:
    """Compute the distance over the places of the list.

    What the further label has lies at the end that is farther from the gold.
    """
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


def _information_contrast(pairs: Together, labels: LabelList, options: Options) -> tuple[Floats, Floats]:
    """Return ICM-soft of each item, and the one that the gold's own shares would have."""
    nodes, parent = _with_ancestors(pairs, labels, options)
    n_items, n_nodes = pairs.n_items, len(parent)
    mean = np.bincount(nodes.label, weights=nodes.gold, minlength=n_nodes) / max(n_items, 1)
    n_without = n_items - np.bincount(nodes.label, minlength=n_nodes)
    distances = (
        np.bincount(nodes.label, weights=np.abs(nodes.gold - mean[nodes.label]), minlength=n_nodes) + n_without * mean
    )
    deviation = distances / max(n_items, 1)
    above = parent[nodes.label]
    has_parent = above >= 0

    def of_items(shares: Floats) -> Floats:
        bits = _information(shares, mean[nodes.label], deviation[nodes.label], n_items)
        of_parent = _information(shares[has_parent], mean[above[has_parent]], deviation[above[has_parent]], n_items)
        bits[has_parent] -= of_parent
        return nodes.sums(bits)

    of_system, of_gold = of_items(nodes.system), of_items(nodes.gold)
    both = of_items(np.maximum(nodes.system, nodes.gold))
    return 2 * of_system + 2 * of_gold - 3 * both, of_gold


def _with_ancestors(pairs: Together, labels: LabelList, options: Options) -> tuple[Together, Integers]:
    """Return the pairs of listed labels with all their ancestors, and (nodes,) the parent of each, −1 of a root."""
    is_listed = pairs.label < pairs.n_labels
    item, label = pairs.item[is_listed], pairs.label[is_listed]
    sides = [pairs.gold[is_listed], pairs.system[is_listed]]
    closure, place = closure_of(labels, options.get("hierarchy") or ())
    parent = np.full(len(place), -1)
    for below, above in parents_of(options.get("hierarchy") or ()).items():
        if labels.fold(below) in place:
            parent[place[labels.fold(below)]] = place[labels.fold(above[0])]
    sizes = closure.sizes[label]
    keys = np.repeat(item, sizes) * len(place) + closure.codes[ranges(closure.starts[:-1][label], sizes)]
    nodes, at = np.unique(keys, return_inverse=True)
    largest = [np.zeros(len(nodes)) for _ in sides]
    for most, shares in zip(largest, sides, strict=True):
        np.maximum.at(most, at, np.repeat(shares, sizes))
    return replace(
        pairs, item=nodes // len(place), label=nodes % len(place), gold=largest[0], system=largest[1]
    ), parent


def _information(share: Floats, mean: Floats, deviation: Floats, n_items: int) -> Floats:
    """Compute bits; of a share of 0 nothing, of one that is never exceeded log₂ of the number of items."""
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
