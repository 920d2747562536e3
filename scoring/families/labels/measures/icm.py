"""The information contrast with a hierarchy of labels: one near the right one shares what its ancestors tell.

I of a label is −log₂ of the share of the gold's items that have it or one below it. A label adds I(label) − I(parent)
to its parent, and a set of labels has the sum of this over its labels and all their ancestors, each once. That is what
PyEVALL's recursion over deepest common ancestors comes to in a tree, whatever the order of the labels.

    hierarchy     yes > direct, yes > reported          gold of four items: direct, direct, reported, no
    I             yes −log₂ ¾, direct 1, reported 2, no 2
    direct taken for reported     2 · 2 + 2 · 1 − 3 (1 + 2 − I(yes)) = −1.755
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError
from scoring.families.labels.entries import Entries
from scoring.families.labels.measures.hierarchy import closure_of, parents_of, with_ancestors
from scoring.family import Options
from scoring.messages import Message
from scoring.readers.labels import LabelList, Sets
from scoring.readers.tables import shown

ICM_KINDS = ("contrast", "contrast_of_gold")


def icm_kinds(options: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns: with a hierarchy each item has a value of its own."""
    return [*ICM_KINDS] if options.get("icm") and options.get("hierarchy") else []


def check_tree(options: Options) -> None:
    """Raise ConfigurationError where a label has several parents: then two have no one deepest common ancestor."""
    parents = parents_of(options["hierarchy"] or ())
    if several := next((label for label, above in parents.items() if len(above) > 1), None):
        raise ConfigurationError(
            Message(
                "icm-needs-tree",
                "option icm: with a hierarchy each label has one parent at most, and {label} has several",
                label=shown(several),
            )
        )


def count_contrast(
    entries: Entries, columns: list[str], gold: Sets, system: Sets, labels: LabelList, options: Options
) -> None:
    """Add the contrast of each item, and the one that the gold's own labels would have."""
    if not icm_kinds(options):
        return
    closure, place = closure_of(labels, options["hierarchy"])
    n_nodes, n_items = len(place), len(gold.sizes)
    keys = [with_ancestors(side, closure, n_nodes) for side in (gold, system)]
    numbers = np.bincount(keys[0] % n_nodes, minlength=n_nodes)
    information = np.log2(max(n_items, 1) / np.maximum(numbers, 1))
    added = information.copy()
    for label, above in parents_of(options["hierarchy"]).items():
        child, parent = place.get(labels.fold(label)), place.get(labels.fold(above[0]))
        if child is not None and parent is not None:
            added[child] = information[child] - information[parent]

    def of_items(node: Integers) -> Floats:
        return np.bincount(node // n_nodes, weights=added[node % n_nodes], minlength=n_items).astype(np.float64)

    of_gold, of_system = map(of_items, keys)
    both = of_items(np.intersect1d(keys[0], keys[1], assume_unique=True))
    # The union is what either side has, less what both have.
    contrast = 2 * of_system + 2 * of_gold - 3 * (of_gold + of_system - both)
    for name, values in zip(ICM_KINDS, (contrast, of_gold), strict=True):
        entries.add(columns.index(name), np.arange(n_items), values)
