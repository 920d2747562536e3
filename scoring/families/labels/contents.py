"""Describes what was read of a run: its labels, and the items that they belong to."""

from collections.abc import Iterator, Sequence

import numpy as np

from scoring.columns import Integers, owners
from scoring.describing.beside import of_labels, of_sets
from scoring.describing.contents import NO_UNIT, Beside, Contents, Identifiers, Layer, of_unknown_units
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.labels import OTHER
from scoring.messages import Message
from scoring.readers.labels import Gold, System, as_written, first_codes


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    item = owners(system.said.sizes)
    labels, codes = _labels(system, options)
    lines = np.asarray(system.table.lines)
    layer = Layer(
        name=Message.noun("label", "labels"),
        unit=item,
        labels=labels,
        label=codes,
        inventory=_inventory(gold, system, {labels[code] for code in np.unique(codes).tolist()}, options),
        is_declared=gold.labels.is_given,
        public=frozenset(gold.labels.names) if gold.labels.is_given else None,
        file=system.table.path,
        place=lambda k: (system.table.path, int(lines[system.row[item[k]]])),
    )
    ignores = options["unknown_ids"] == "ignore" and not system.table.is_numbered
    return Contents(
        unit=Message.noun("item", "items"),
        n_units=len(gold),
        # Of several labels none is an answer.
        usually_reached=0.0 if options["task"] == "multi" else 0.9,
        layers=[layer],
        further=[*_sorted_alone(gold, system, labels, codes, item), *_texts(system, labels, codes, options)],
        beside=_beside(gold, system, item, options),
        identifiers=[Identifiers(Message.noun("id", "ids"), system.table.ids.texts(), frozenset(gold.ids.texts()))]
        if ignores
        else [],
        more={"missing": int(system.missing.sum()), "unknown_labels": 0 if gold.labels.is_open else system.n_unknown},
        file=system.table.path,
        joined_by="to",
        left_aside=[
            of_unknown_units(
                system.n_ignored, len(system.table), Message.noun("row", "rows"), Message.noun("item", "items")
            )
        ],
    )


def _beside(gold: Gold, system: System, item: Integers, options: Options) -> Beside | None:
    if options["task"] == "single":
        return of_labels(gold.code, first_codes(system.said, NO_UNIT), gold.labels.names)
    if options["task"] == "multi" and gold.sets is not None:
        in_gold = (owners(gold.sets.sizes), gold.sets.codes)
        return of_sets(in_gold, (item, system.said.codes), len(gold), gold.labels.names)
    return None


def _inventory(gold: Gold, system: System, given: set[str], options: Options) -> frozenset[str] | None:
    """Return the labels that the task has; None where every label is as good.

    Ranked guesses are out of a collection of which the gold names a part, unless not one of them is in the gold.
    """
    inventory = frozenset(gold.labels.names)
    is_collection = options["task"] == "ranked" and not gold.labels.is_given
    return None if system.labels.is_open or (is_collection and not inventory.isdisjoint(given)) else inventory


_FEWEST_SORTED, _FEWEST_LABELS = 30, 3


def _sorted_alone(
    gold: Gold, system: System, labels: Sequence[str], codes: Integers, item: Integers
) -> Iterator[Finding]:
    """Yield `order` where labels (n,) are sorted while their items stand in the task's own order."""
    rows = system.row[item]
    if len(item) != len(gold) or len(item) < _FEWEST_SORTED or not (np.diff(rows) == 1).all():
        return
    names = [labels[code] for code in codes.tolist()]
    if len(set(names)) < _FEWEST_LABELS or names not in (sorted(names), sorted(names, reverse=True)):
        return
    if (np.diff(gold.code) >= 0).all() or (np.diff(gold.code) <= 0).all():
        return  # the task's items are sorted so themselves
    message = Message("labels-sorted", "All {n:,} labels are sorted, though their items are not.", n=len(names))
    suggestion = Message("sort-whole-rows", "was one column sorted by itself? sort whole rows")
    yield Finding.odd("order", message, len(names), len(names), system.table.path, suggestion=suggestion)


_FEWEST_TEXTS, _WORDS = 20, 4  # labels, and words of one on average


def _texts(system: System, labels: Sequence[str], codes: Integers, options: Options) -> Iterator[Finding]:
    """Yield `labels` where each item has a label of several words that no other has, as texts are."""
    n = len(codes)
    if options["task"] != "single" or n < _FEWEST_TEXTS or len(np.unique(codes)) < n:
        return
    if sum(len(labels[code].split()) for code in codes.tolist()) >= _WORDS * n:
        message = Message("labels-are-texts", "All {n:,} labels are different texts.", n=n)
        suggestion = Message("labels-not-texts", "is this the column of the labels?")
        yield Finding.odd("labels", message, n, n, system.table.path, suggestion=suggestion)


def _labels(system: System, options: Options) -> tuple[list[str], np.ndarray]:
    """Return the texts of all labels that the run has, and the code of each; those not in the list by their words."""
    names, codes = [*system.labels.names], system.said.codes.copy()
    unknown = np.flatnonzero(codes == len(names)).tolist()
    if not unknown:
        return names, codes
    if system.shares is not None:
        return [*names, OTHER], codes
    written, item, first = as_written(system.table, options), owners(system.said.sizes), system.said.starts
    others: dict[str, tuple[int, str]] = {}
    for k in unknown:
        label = written.labels[written.which[system.row[item[k]]]][k - first[item[k]]]
        # Under the spelling that stands first, where case tells no labels apart.
        key = system.labels.fold(label)
        codes[k], _ = others.setdefault(key, (len(names) + len(others), label))
    return [*names, *(label for _, label in others.values())], codes
