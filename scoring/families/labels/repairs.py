"""What the score that ranks would be if all mistakes with one label, or of one pair of labels, were mended."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

import numpy as np

from scoring.columns import Floats
from scoring.families.labels.kinds import BLOCKS, names_of
from scoring.families.labels.score_keys import AVERAGED, PRF
from scoring.families.labels.scores import metrics
from scoring.families.labels.tables import MISSING
from scoring.family import Options
from scoring.labels import NOT_IN_GOLD, OTHER
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

LABELS = "Items by label"
PAIRS = "Labels taken for another"
MISSING_FOUND = "Missing rows answered right"
OTHERS_RIGHT = "Labels outside the list made right"
_MOST_PAIRS = 20
_OUTSIDE = (MISSING, OTHER, NOT_IN_GOLD)
# Scores that follow from how many items each label has on both sides, and together.
_MENDABLE = {"accuracy", "balanced_accuracy", "mcc", "kappa", *AVERAGED, *PRF}

Pair = tuple[str, str]  # the gold's label and the system's
Cells = Mapping[Pair, int]


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Of one label for each item, from the confusion; of others nothing is said.

    A label is mended when every item that either side gives it has the gold's label; a pair when the items of its
    first label that were taken for its second are right.
    """
    rows = totals.tables.get("confusion", ())
    if not rows or totals.headline not in _MENDABLE:
        return []
    cells = {(str(row["gold"]), str(row["system"])): int(row["count"]) for row in rows}
    listed = [str(row["label"]) for row in totals.tables.get("labels", ())]
    labels = listed or sorted({gold for gold, _ in cells})
    mended = [*_kinds(cells, labels, options), *_labels(cells, labels, options), *_pairs(cells, labels, options)]
    return repairs_of(totals.score, mended, _score(totals.headline, options))


def _score(headline: str, options: Options) -> Callable[[Floats], Floats]:
    plain = options | {"slices": None}
    return lambda counts: metrics(counts[:, np.newaxis, :], plain)[headline]


def _kinds(cells: Cells, labels: Sequence[str], options: Options) -> Iterator[Mended]:
    for name, outside in ((MISSING_FOUND, (MISSING,)), (OTHERS_RIGHT, (OTHER, NOT_IN_GOLD))):
        own = {pair for pair in cells if pair[1] in outside}
        yield _mended(KINDS_OF_MISTAKE, name, cells, labels, options, own)


def _labels(cells: Cells, labels: Sequence[str], options: Options) -> Iterator[Mended]:
    for label in labels:
        if label not in _OUTSIDE:
            yield _mended(LABELS, label, cells, labels, options, {pair for pair in cells if label in pair})


def _pairs(cells: Cells, labels: Sequence[str], options: Options) -> Iterator[Mended]:
    wrong = {pair: n for pair, n in cells.items() if pair[0] != pair[1] and pair[1] not in _OUTSIDE}
    for pair in sorted(wrong, key=wrong.__getitem__, reverse=True)[:_MOST_PAIRS]:
        yield _mended(PAIRS, f"{pair[0]} → {pair[1]}", cells, labels, options, {pair})


def _mended(group: str, name: str, cells: Cells, labels: Sequence[str], options: Options, own: Set[Pair]) -> Mended:
    """The counts once the wrong items of these cells have the gold's label."""
    place = {label: number for number, label in enumerate(labels)}
    counts = np.zeros((len(BLOCKS), len(labels)))
    n_items = 0
    for (gold, system), number in cells.items():
        if gold != system and (gold, system) in own:
            n_items += number
            system = gold
        counts[0, place[gold]] += number
        if system in place:
            counts[1, place[system]] += number
            counts[2, place[system]] += number * (gold == system)
    return Mended(group, name, n_items, _row(counts, place, options))


def _row(counts: Floats, place: Mapping[str, int], options: Options) -> Floats:
    """As the family's rows have them."""
    names = names_of(options)
    row = np.zeros(len(names) + counts.size)
    row[names.index("items")] = counts[0].sum()
    row[len(names) :] = counts.ravel()
    positive = place.get(options["positive"] or "")
    if positive is not None and options["positive"] is not None:
        for name, own in zip(BLOCKS, counts[:, positive].tolist(), strict=True):
            row[names.index(f"positive_{name}")] = own
    return row
