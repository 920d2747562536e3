"""The system's side of a classification, row by row of the gold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.messages import Message
from scoring.readers.labels.gold import Gold, add_problems, flagged
from scoring.readers.labels.label_list import LabelList
from scoring.readers.labels.sets import Parsed, Sets, parsed, sets_of
from scoring.readers.tables import (
    Column,
    Pairing,
    Table,
    layout_of,
    numbers_in,
    pair,
    read_table,
    refuse_missing,
    shown,
)
from scoring.strings import nearest

Options = Mapping[str, Any]

_SUM_TOLERANCE = 0.01  # how far the probabilities of a row may be off 1


@dataclass(frozen=True)
class System:
    """Holds what the system says of each of the n items of the gold, in the gold's order.

    Codes are places in `labels`; L stands for a label that is not among these.
    """

    table: Table
    labels: LabelList  # L: the gold's, with labels=union also the system's
    row: Integers  # (n,) of its table; NONE where it is missing
    missing: Flags  # (n,) whether the row is missing, or its label is empty
    said: Sets  # the labels of each item in order: one, several or none
    probabilities: Floats | None  # (n, L) as they are written, 0 in missing rows
    n_ignored: int  # rows that the gold lacks
    n_unknown: int  # items with a label that is not in the list


def system_columns(gold: Gold, options: Options) -> list[Column]:
    """Return what is wanted of the system's table, in the order of a table without header."""
    if options["multi_as"] == "columns":
        return [Column(name) for name in options["labels"]]
    kind = "list" if options["task"] in ("multi", "ranked") else "text"
    prefix = options["probabilities"]
    probabilities = (
        [] if prefix is None or gold.labels.is_open else [Column(prefix + name, "number") for name in gold.labels.names]
    )
    return [Column(options["label"], kind), *probabilities]  # type: ignore[arg-type]


def read_system(files: Mapping[str, bytes], gold: Gold, options: Options) -> System:
    """The system; SubmissionError with all problems."""
    table = read_table(files, layout_of(options, "system"), system_columns(gold, options))
    pairing = pair(gold.table, table, refuse_unknown=options["unknown_ids"] == "refuse", gold_ids=gold.ids)
    is_paired = pairing.in_gold >= 0
    if options["multi_as"] == "columns":
        labels, is_empty = gold.labels, np.zeros(len(table), dtype=bool)
        said = flagged(table, options["labels"], is_paired)
    else:
        labels, said, is_empty = _labels(table, is_paired, gold.labels, options)
    probabilities = _probabilities(table, is_paired, gold.labels, options)
    if options["missing"] == "refuse":
        refuse_missing(gold.ids, table, np.flatnonzero(pairing.is_missing))
    table.problems.raise_all()
    return _in_gold_order(table, pairing, labels, said, is_empty, probabilities)


def _in_gold_order(
    table: Table, pairing: Pairing, labels: LabelList, said: Sets, is_empty: Flags, probabilities: Floats | None
) -> System:
    row = pairing.in_system
    missing = pairing.is_missing | np.append(is_empty, False)[row]
    own = said.taken(row)
    unknown = np.zeros(len(row), dtype=bool)
    unknown[np.repeat(np.arange(len(row)), own.sizes)[own.codes == len(labels)]] = True
    if probabilities is not None:
        probabilities = np.vstack([probabilities, np.zeros(len(labels))])[np.where(missing, -1, row)]
    return System(table, labels, row, missing, own, probabilities, pairing.n_unknown, int(unknown.sum()))


def _labels(table: Table, is_paired: Flags, known: LabelList, options: Options) -> tuple[LabelList, Sets, Flags]:
    """The list, extended where the system may extend it; the labels of each row; whether it has none."""
    found = as_written(table, options)
    seen = np.zeros(len(found.labels), dtype=bool)
    seen[found.which[is_paired]] = True
    labels = known
    if options["labels"] == "union":
        labels = known.extended(
            label for own, is_seen in zip(found.labels, seen, strict=True) if is_seen for label in own
        )
    may_be_empty = options["task"] == "multi" or options["missing"] == "wrong"
    codes, problems = [], []
    for own, wrong in zip(found.labels, found.problems, strict=True):
        places = [labels.code(label) for label in own]
        problems.append(wrong or _problem(own, places, labels, options, may_be_empty=may_be_empty))
        codes.append([len(labels) if place is None else place for place in places])
    add_problems(table, replace(found, problems=problems), is_paired)
    said = sets_of(found.which, codes)
    is_empty = said.sizes == 0 if options["task"] != "multi" else np.zeros(len(table), dtype=bool)
    return labels, said, is_empty


def as_written(table: Table, options: Options) -> Parsed:
    """Return the labels of each row by their words, whether the list has them or not."""
    cells = table.columns[options["label"]]
    if options["task"] in ("multi", "ranked"):
        return parsed(cells, options["separator"])
    which, texts = cells.values()
    return Parsed(which, [[text] if text else [] for text in texts], [None] * len(texts))


def _problem(
    own: list[str], places: list[int | None], labels: LabelList, options: Options, *, may_be_empty: bool
) -> str | None:
    """Return what is wrong with the labels of a cell, beside how it is written."""
    if not own:
        return None if may_be_empty else Message("empty-label", "empty label")
    if options["unknown_labels"] == "refuse" and None in places and not labels.is_open:
        label = own[places.index(None)]
        # What the gold has is not to be told; what the organiser listed is known.
        near = nearest(label, labels.names) if labels.is_given else None
        return (
            Message(
                "unknown-label-did-you",
                "unknown label {label}; did you mean {near}?",
                label=shown(label),
                near=shown(near),
            )
            if near
            else Message("unknown-label", "unknown label {label}", label=shown(label))
        )
    there = [place for place in places if place is not None]
    if len(set(there)) < len(there):
        return Message("label-twice", "label {own} twice", own=shown(own[-1]))
    return None


def _probabilities(table: Table, is_paired: Flags, labels: LabelList, options: Options) -> Floats | None:
    """Return (rows, L) as they are written; what is no distribution is a problem."""
    prefix = options["probabilities"]
    if prefix is None or labels.is_open:
        return None
    columns = [numbers_in(table, prefix + name, Message.word("probability"), is_paired) for name in labels.names]
    values = np.column_stack(columns)
    is_number = np.isfinite(values).all(axis=1) & is_paired
    outside = ((values < 0) | (values > 1)).any(axis=1) & is_number
    table.add_where(outside, Message("probability-must-lie-between", "a probability must lie between 0 and 1"))
    with np.errstate(over="ignore", invalid="ignore"):
        sums = values.sum(axis=1)
        is_off = is_number & ~outside & (np.abs(sums - 1) > _SUM_TOLERANCE)
    table.add_where(
        is_off,
        lambda row: Message("probabilities-sum-not", "the probabilities sum to {sum:.6g}, not 1", sum=sums[row]),
    )
    return values


def first_codes(said: Sets, none: int) -> Integers:
    """(n,): the first label of each row, `none` where it has none.

    >>> first_codes(Sets(np.array([0, 2, 2]), np.array([3, 1])), none=9)
    array([3, 9])
    """
    return np.where(said.sizes > 0, np.append(said.codes, none)[said.starts[:-1]], none)
