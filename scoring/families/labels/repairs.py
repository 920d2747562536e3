"""Tells what the score that ranks would be if all mistakes with one label, or of one pair of labels, were mended."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from scoring.columns import Floats
from scoring.families.f_beta import ANY, beside_f1
from scoring.families.labels.kinds import BLOCKS, names_of
from scoring.families.labels.score_keys import AVERAGED, PRF
from scoring.families.labels.scores import metrics
from scoring.families.labels.tables import MISSING
from scoring.family import Options
from scoring.labels import NOT_IN_GOLD, OTHER
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

LABELS = Message.word("Items by label")
PAIRS = Message.word("Most frequent confusions")
MISSING_FOUND = Message.word("Missing rows answered right")
OTHERS_RIGHT = Message.word("Labels outside the list made right")
_MOST_PAIRS = 20
_OUTSIDE = (MISSING, OTHER, NOT_IN_GOLD)
# Scores that follow from how many items each label has on both sides, and together.
_MENDABLE = {"accuracy", "balanced_accuracy", "mcc", "kappa", *beside_f1([*AVERAGED, *PRF], {"beta": ANY})}

Pair = tuple[str, str]  # the gold's label and the system's
Cells = Mapping[Pair, int]
Rows = Sequence[Mapping[str, Any]]


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Mend single labels of items, from the confusion; nothing is said of other tasks.

    A label is mended when every item that either side gives it has the gold's label; a pair when the items of its
    first label that were taken for its second are right. Cells of labels that the table by label does not have, as
    those of few items where the gold is hidden, stay wrong: nobody knows what is in them.
    """
    listed = totals.tables.get("labels", ())
    options = options | {"second": None}  # what is mended are first labels
    if totals.headline not in _MENDABLE or not listed:
        return []
    counts = _LabelCounts(listed, totals.tables.get("confusion", ()), options)
    mended = [*_kinds(counts), *_labels(counts), *_pairs(counts)]
    return repairs_of(totals.score, mended, _score(totals.headline, options))


class _LabelCounts:
    """Holds how often each label was given as things are, and which pairs of labels are mistakes."""

    def __init__(self, listed: Rows, confusion: Rows, options: Options) -> None:
        self.labels = [str(row["label"]) for row in listed]
        self._options = options
        self._place = {label: number for number, label in enumerate(self.labels)}
        self._counts = np.array([[row[name] for row in listed] for name in ("gold", "system", "correct")], dtype=float)
        cells = {(str(row["gold"]), str(row["system"])): int(row["count"]) for row in confusion}
        self.wrong: Cells = {
            (gold, system): number
            for (gold, system), number in cells.items()
            if gold != system and gold in self._place and (system in self._place or system in _OUTSIDE)
        }

    def mended(self, group: str, name: str, pairs: Set[Pair]) -> Mended:
        """Return the counts once the items of these wrong cells have the gold's label."""
        counts = self._counts.copy()
        for gold, system in pairs:
            number = self.wrong[gold, system]
            counts[1:, self._place[gold]] += number
            if system in self._place:
                counts[1, self._place[system]] -= number
        return Mended(group, name, sum(map(self.wrong.__getitem__, pairs)), _row(counts, self._place, self._options))


def _score(headline: str, options: Options) -> Callable[[Floats], Floats]:
    plain = options | {"slices": None}
    return lambda counts: metrics(counts[:, np.newaxis, :], plain)[headline]


def _kinds(counts: _LabelCounts) -> Iterator[Mended]:
    for name, outside in ((MISSING_FOUND, (MISSING,)), (OTHERS_RIGHT, (OTHER, NOT_IN_GOLD))):
        yield counts.mended(KINDS_OF_MISTAKE, name, {pair for pair in counts.wrong if pair[1] in outside})


def _labels(counts: _LabelCounts) -> Iterator[Mended]:
    for label in counts.labels:
        if label not in _OUTSIDE:
            yield counts.mended(LABELS, label, {pair for pair in counts.wrong if label in pair})


def _pairs(counts: _LabelCounts) -> Iterator[Mended]:
    wrong = {pair: number for pair, number in counts.wrong.items() if pair[1] not in _OUTSIDE}
    for pair in sorted(wrong, key=wrong.__getitem__, reverse=True)[:_MOST_PAIRS]:
        yield counts.mended(PAIRS, f"{pair[0]} → {pair[1]}", {pair})


def _row(counts: Floats, place: Mapping[str, int], options: Options) -> Floats:
    """Order the counts as the family's rows have them."""
    names = names_of(options)
    row = np.zeros(len(names) + counts.size)
    row[names.index("items")] = counts[0].sum()
    row[len(names) :] = counts.ravel()
    positive = place.get(options["positive"] or "")
    if positive is not None and options["positive"] is not None:
        for name, count in zip(BLOCKS, counts[:, positive].tolist(), strict=True):
            row[names.index(f"positive_{name}")] = count
    return row
