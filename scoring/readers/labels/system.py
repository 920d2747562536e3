"""The system's side of a classification, row by row of the gold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.messages import Message, some_of
from scoring.readers.labels.gold import (
    EMPTY,
    Gold,
    Second,
    add_problems,
    columns_of_labels,
    flagged,
    kind_of,
    of_second,
    threshold_of,
)
from scoring.readers.labels.label_list import LabelList
from scoring.readers.labels.sets import Parsed, Sets, first_codes, parsed, sets_of
from scoring.readers.labels.shares import (
    Shares,
    distributions_in,
    has_shares,
    parsed_shares,
    shares_in_columns,
    shares_of,
)
from scoring.readers.tables import (
    Column,
    Pairing,
    Table,
    layout_of,
    pair,
    read_table,
    refuse_missing,
    shown,
)

Options = Mapping[str, Any]

_MOST_LISTED = 20
_OTHER_SIGNS = re.compile(r"\s*[,;|/+&]\s*| and |\s+")
_NO_LABEL = ("none", "null", "nan", "n/a", "na", "-", "[]", "ninguno", "ninguna")


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
    shares: Shares | None = None  # of n items, in soft, and of sets with shares
    second: Second | None = None  # L for one that is not in the list, L + 1 for none


def system_columns(gold: Gold, options: Options) -> list[Column]:
    """Return what is wanted of the system's table, in the order of a table without header."""
    if options["multi_as"] == "columns":
        return columns_of_labels(options)
    prefix = options["probabilities"]
    probabilities = (
        [] if prefix is None or gold.labels.is_open else [Column(prefix + name, "number") for name in gold.labels.names]
    )
    second = [Column(options["second"])] if options.get("second") else []
    return [Column(options["label"], kind_of(options)), *second, *probabilities]


def read_system(files: Mapping[str, bytes], gold: Gold, options: Options) -> System:
    """Read the system; SubmissionError with all problems."""
    table = read_table(files, layout_of(options, "system"), system_columns(gold, options))
    pairing = pair(gold.table, table, refuse_unknown=options["unknown_ids"] == "refuse", gold_ids=gold.ids)
    is_paired = pairing.in_gold >= 0
    shares = None
    if has_shares(options):
        labels, shares = gold.labels, _shares(table, is_paired, gold.labels, options)
        is_soft = options["task"] == "soft"
        sets = shares.largest() if is_soft else shares.at_least(threshold_of(options))
        is_empty = (sets.sizes == 0) & is_soft
    elif options["multi_as"] == "columns":
        labels, is_empty = gold.labels, np.zeros(len(table), dtype=bool)
        sets = flagged(table, labels.names, is_paired)
    else:
        labels, sets, is_empty = _labels(table, is_paired, gold.labels, options)
    second = _second(table, pairing, gold, options)
    probabilities = _probabilities(table, is_paired, gold.labels, options)
    if options["missing"] == "refuse":
        refuse_missing(gold.ids, table, np.flatnonzero(pairing.is_missing))
    table.problems.raise_all()
    read = replace(_in_gold_order(table, pairing, labels, sets, is_empty, probabilities), second=second)
    return read if shares is None else _with_shares(read, shares.taken(read.row))


def _second(table: Table, pairing: Pairing, gold: Gold, options: Options) -> Second | None:
    if gold.second is None:
        return None
    labels, sets, _ = _labels(table, pairing.in_gold >= 0, gold.second.labels, of_second(options))
    return Second(labels, first_codes(sets.taken(pairing.in_system), none=len(labels) + 1))


def _in_gold_order(
    table: Table, pairing: Pairing, labels: LabelList, sets: Sets, is_empty: Flags, probabilities: Floats | None
) -> System:
    row = pairing.in_system
    missing = pairing.is_missing | np.append(is_empty, False)[row]
    ordered = sets.taken(row)
    unknown = np.zeros(len(row), dtype=bool)
    unknown[np.repeat(np.arange(len(row)), ordered.sizes)[ordered.codes == len(labels)]] = True
    if probabilities is not None:
        probabilities = np.vstack([probabilities, np.zeros(len(labels))])[np.where(missing, -1, row)]
    return System(table, labels, row, missing, ordered, probabilities, pairing.n_unknown, int(unknown.sum()))


def _with_shares(read: System, shares: Shares) -> System:
    has_unknown = np.zeros(len(read.row), dtype=bool)
    has_unknown[np.repeat(np.arange(len(read.row)), shares.sets.sizes)[shares.sets.codes == len(read.labels)]] = True
    return replace(read, shares=shares, n_unknown=int(has_unknown.sum()))


def _shares(table: Table, is_paired: Flags, labels: LabelList, options: Options) -> Shares:
    """Return the shares of each row; none where it is empty."""
    if options["multi_as"] == "columns":
        return shares_in_columns(table, options, labels.names, is_paired)
    cells_read = parsed_shares(table.columns[options["label"]], options)
    may_be_empty = options["missing"] == "wrong" or options["task"] != "soft"
    problems = []
    for shares, wrong in zip(cells_read.shares, cells_read.problems, strict=True):
        names = [*shares]
        places = [labels.code(name) for name in names]
        problems.append(wrong or _problem(names, places, labels, options, may_be_empty=may_be_empty))
    add_problems(table, cells_read.which, problems, is_paired)
    return shares_of(cells_read, labels)


def _labels(table: Table, is_paired: Flags, of_gold: LabelList, options: Options) -> tuple[LabelList, Sets, Flags]:
    """Return the list, extended where the system may extend it; the labels of each row; whether it has none."""
    written = as_written(table, options)
    seen = np.zeros(len(written.labels), dtype=bool)
    seen[written.which[is_paired]] = True
    labels = of_gold
    if options["labels"] == "union":
        labels = of_gold.extended(
            label for of_item, is_seen in zip(written.labels, seen, strict=True) if is_seen for label in of_item
        )
    may_be_empty = options["task"] == "multi" or options["missing"] == "wrong"
    codes, problems = [], []
    for of_item, wrong in zip(written.labels, written.problems, strict=True):
        places = [labels.code(label) for label in of_item]
        problems.append(wrong or _problem(of_item, places, labels, options, may_be_empty=may_be_empty))
        codes.append([len(labels) if place is None else place for place in places])
    add_problems(table, written.which, problems, is_paired)
    sets = sets_of(written.which, codes)
    is_empty = sets.sizes == 0 if options["task"] != "multi" else np.zeros(len(table), dtype=bool)
    return labels, sets, is_empty


def as_written(table: Table, options: Options) -> Parsed:
    """Return the labels of each row by their words, whether the list has them or not."""
    cells = table.columns[options["label"]]
    if options["task"] in ("multi", "ranked"):
        return parsed(cells, options["separator"])
    which, texts = cells.values()
    return Parsed(which, [[text] if text else [] for text in texts], [None] * len(texts))


def _problem(
    named: list[str], places: list[int | None], labels: LabelList, options: Options, *, may_be_empty: bool
) -> str | None:
    """Return what is wrong with the labels of a cell, beside how it is written."""
    if not named:
        return None if may_be_empty else EMPTY
    if options["unknown_labels"] == "refuse" and None in places and not labels.is_open:
        return _unknown(named[places.index(None)], labels, options)
    # Of a list that is open no label has a place, and each stands for itself.
    there = (
        [labels.fold(label) for label in named] if labels.is_open else [place for place in places if place is not None]
    )
    if len(set(there)) < len(there):
        return Message("label-twice", "label {own} twice", own=shown(named[-1]))
    return None


_OBJECT = re.compile(r"""[\[(]*\{\s*["'].*\}[\])]*""", re.DOTALL)


def _unknown(label: str, labels: LabelList, options: Options) -> Message:
    """Return what is said of a label that the list lacks."""
    if not labels.is_given:
        # What the gold has is not to be told; what the organiser listed is known.
        return Message("unknown-label", "unknown label {label}", label=shown(label))
    parts = [part.strip() for part in _OTHER_SIGNS.split(label)]
    if options["task"] == "multi" and len(parts) > 1 and None not in map(labels.code, parts):
        return Message(
            "unknown-label-several",
            "unknown label {label}; several labels stand with {sign} between them",
            label=shown(label),
            sign=shown(options["separator"]),
        )
    if options["task"] == "multi" and label.casefold() in _NO_LABEL:
        return Message(
            "unknown-label-none", "unknown label {label}; leave the field empty where there is none", label=shown(label)
        )
    near = labels.meant_by(label)
    if near and _OBJECT.fullmatch(label):
        return Message(
            "label-in-object",
            "the label stands in an object, {label}: write it alone, such as {near}",
            label=shown(label),
            near=shown(near),
        )
    if near:
        return Message(
            "unknown-label-did-you",
            "unknown label {label}; did you mean {near}?",
            label=shown(label),
            near=shown(near),
        )
    return Message(
        "unknown-label-listed",
        "unknown label {label}; the labels are {names}",
        label=shown(label),
        names=some_of([shown(name) for name in labels.names], _MOST_LISTED),
    )


def _probabilities(table: Table, is_paired: Flags, labels: LabelList, options: Options) -> Floats | None:
    """Return (rows, L) as they are written; what is no distribution is a problem."""
    prefix = options["probabilities"]
    if prefix is None or labels.is_open:
        return None
    return distributions_in(
        table,
        [prefix + name for name in labels.names],
        Message.word("probability"),
        Message("probability-must-lie-between", "a probability must lie between 0 and 1"),
        lambda total: Message("probabilities-sum-not", "the probabilities sum to {sum:.6g}, not 1", sum=total),
        is_paired,
    )
