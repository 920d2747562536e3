"""Scores of rows that make sense together: groups that are right as a whole, their errors, variants of an original.

    gold     id original label    system   group of 1: all right, group of 4: not
             1           yes      yes
             2  1        yes      yes      preserved (the label of the original): said as of the original, and right
             3  1        no       no       altered: another label than the original's is said, as it should be
             4           no       no
             5  4        yes      no       altered: the original's label is said, in spite of the change

    group_accuracy 1/2, group_error (0/3 + 1/2)/2, consistency 1/1, preserved_accuracy 1/1, faithfulness 1/2

Jullien et al. 2024, SemEval-2024 task 2; `preserved_accuracy` is what its program called consistency when it ranked.
`group_error` is the average error rate, and with an order of labels the average normalised absolute distance, of
Leonardelli et al. 2025 (LeWiDi), where a group has a row for each annotator of an item.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.families.labels.entries import Entries
from scoring.family import Options
from scoring.readers.labels import Gold
from scoring.score import Score

_OF_VARIANTS = {
    "consistency": ("preserved", "preserved_same"),
    "preserved_accuracy": ("preserved", "preserved_right"),
    "faithfulness": ("altered", "altered_changed"),
}
_OF_GROUPS = {"group_accuracy": ("groups", "whole_groups")}
_OF_ERRORS = {"group_error": ("parts_of_groups", "errors_of_groups")}
VARIANT_SCORES = (
    Score("group_error", "Mean error of groups", is_loss=True),
    Score("group_accuracy", "Groups that are all right"),
    Score("consistency", "Consistency"),
    Score("preserved_accuracy", "Accuracy where the label is kept"),
    Score("faithfulness", "Faithfulness"),
)


class Columns(Protocol):
    """Sums by the names of their columns."""

    def __getitem__(self, name: str) -> Floats: ...


def _shares(options: Mapping[str, Any]) -> Mapping[str, tuple[str, str]]:
    """Return {score: the columns that it divides, of all and of those that are right}."""
    shares: dict[str, tuple[str, str]] = {}
    if options.get("original") or options.get("group_accuracy"):
        shares |= _OF_GROUPS
    if options.get("group_error"):
        shares |= _OF_ERRORS
    return shares | (_OF_VARIANTS if options.get("original") else {})


def variant_keys(options: Mapping[str, Any]) -> list[str]:
    """Return the keys of the scores."""
    return [*_shares(options)]


def variant_kinds(options: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns."""
    return [*dict.fromkeys(name for pair in _shares(options).values() for name in pair)]


def variant_scores(counts: Columns, options: Options) -> dict[str, Floats]:
    """Make the scores of sums; NaN without anything to count."""
    with np.errstate(invalid="ignore"):
        return {key: counts[right] / counts[of] for key, (of, right) in _shares(options).items()}


def count_errors(entries: Entries, names: list[str], gold: Gold, errors: Floats) -> None:
    """Add the part of its group that each item is, and its error, from 0 to 1, times that part."""
    if "errors_of_groups" not in names:
        return
    units = gold.units
    part = 1 / np.bincount(units.code)[units.code]
    for name, values in zip(_OF_ERRORS["group_error"], (part, part * errors), strict=True):
        entries.add(names.index(name), np.arange(len(part)), values)


def count_variants(
    entries: Entries, names: list[str], gold: Gold, labels: tuple[Integers, Integers], correct: Flags, n_labels: int
) -> None:
    """Add what whole groups and variants count, from the labels of gold and system; those from `n_labels` on are none.

    A group belongs to the slice of its first row.
    """
    chosen: dict[str, Integers] = {}
    if "groups" in names:
        units = gold.units
        first = np.unique(units.code, return_index=True)[1]
        n_wrong = np.bincount(units.code[~correct], minlength=len(units.names))
        chosen |= {"groups": first, "whole_groups": first[n_wrong == 0]}
    if gold.originals is not None:
        of_gold, of_system = labels
        is_variant, is_listed = gold.originals >= 0, of_system < n_labels
        is_altered = is_variant & (of_gold != of_gold[gold.originals])
        is_preserved = is_variant & ~is_altered
        flags = {
            "preserved": is_preserved,
            "preserved_same": is_preserved & is_listed & (of_system == of_system[gold.originals]),
            "preserved_right": is_preserved & correct,
            "altered": is_altered,
            "altered_changed": is_altered & is_listed & (of_system != of_gold[gold.originals]),
        }
        chosen |= {name: np.flatnonzero(is_so) for name, is_so in flags.items()}
    for name, items in chosen.items():
        entries.add(names.index(name), items)
