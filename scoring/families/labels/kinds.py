"""The columns of a row of counts: some by name, and then blocks with a column for each label.

    items correct wrong … | gold of A, B, C | system of A, B, C | correct of A, B, C

A row has such columns for each slice, or once where there are no slices: (units, slices, kinds). How many labels there
are follows from how many columns there are, so that scores are made from counts and options alone.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.f_beta import beside_f1
from scoring.families.labels.measures.hierarchy import hierarchy_kinds
from scoring.families.labels.measures.icm import icm_kinds
from scoring.families.labels.measures.second import SECOND_BLOCKS
from scoring.families.labels.measures.variants import variant_kinds
from scoring.readers.labels import has_shares

N_BINS = 10  # of probabilities, for the calibration error
ALWAYS = ("items", "correct", "wrong")
BLOCKS = ("gold", "system", "both")  # t, p and c of each label
# Of shares, as soft.py has them.
SHARE_SCORES = ("manhattan", "cross_entropy", "smoothed_cross_entropy", "jensen_shannon", "icm_soft")
GOLD_INFORMATION, OF_ORDER = "icm_soft_gold", "wasserstein"


def names_of(options: Mapping[str, Any]) -> list[str]:
    """Name the columns, in order; those of all tasks come first."""
    task = options["task"]
    names = [*ALWAYS, *variant_kinds(options), *hierarchy_kinds(options), *icm_kinds(options)]
    if task == "graded":
        return [*names, "credit"]
    if options["positive"] is not None:
        names += ["positive_gold", "positive_system", "positive_both"]
    if task == "multi":
        names += share_kinds(options)
        return [*names, "false_cells", "jaccard", *beside_f1(["samples_f1"], options), "partial_credit"]
    if options["ordinal"]:
        # Squared distances of places, and the first two moments of the places on either side.
        names += ["distance", "gold_place", "gold_place_squared", "system_place", "system_place_squared"]
    names += share_kinds(options)
    if task == "ranked":
        names += [*(f"top_{k}" for k in options["top"]), "reciprocal_rank"]
    if options["probabilities"] is not None:
        names += ["log_loss", "squared_distance"]
        names += [f"{what}_{number}" for what in ("right", "promised") for number in range(N_BINS)]
    return names


def share_kinds(options: Mapping[str, Any]) -> list[str]:
    """Return the columns of shares: means over items, all but one of them scores; none without shares.

    Of shares that are no parts of one whole there is no smoothing, which divides by their sum.
    """
    if not has_shares(options):
        return []
    is_soft = options["task"] == "soft"
    scores = [name for name in SHARE_SCORES if is_soft or name != "smoothed_cross_entropy"]
    return [*scores, GOLD_INFORMATION, *([OF_ORDER] if is_soft and options["ordinal"] else [])]


def blocks_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the blocks of columns for each label; all are as wide as the longer one of the two lists."""
    if options["task"] == "graded":
        return ()
    return BLOCKS + SECOND_BLOCKS if options.get("second") else BLOCKS


class Counts:
    """Counts (..., kinds) taken apart."""

    def __init__(self, counts: Array, options: Mapping[str, Any]) -> None:
        self._names = {name: place for place, name in enumerate(names_of(options))}
        self._counts = np.asarray(counts, dtype=np.float64)
        self._blocks = blocks_of(options)
        self.n_labels = (self._counts.shape[-1] - len(self._names)) // max(len(self._blocks), 1)

    def __getitem__(self, name: str) -> Floats:
        """Return the column of this name: (...)."""
        return np.asarray(self._counts[..., self._names[name]])

    def block(self, name: str) -> Floats:
        """Return the columns of the labels: (..., labels)."""
        start = len(self._names) + self._blocks.index(name) * self.n_labels
        return np.asarray(self._counts[..., start : start + self.n_labels])

    def named(self, beginning: str) -> Floats:
        """Return the columns whose names begin so and end in a number: (..., numbers)."""
        places = [place for name, place in self._names.items() if name.startswith(beginning)]
        return np.asarray(self._counts[..., places])
