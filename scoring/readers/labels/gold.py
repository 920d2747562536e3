"""The gold of a classification: its items, their labels, and the groups and slices that they belong to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.labels.label_list import LabelList, made, of_hierarchy
from scoring.readers.labels.originals import families_of, originals_of
from scoring.readers.labels.sets import Sets, first_codes, list_in_cell, parsed, sets_of
from scoring.readers.labels.shares import Shares, has_shares, parsed_shares, shares_in_columns, shares_of
from scoring.readers.tables import (
    Cells,
    Column,
    Groups,
    Items,
    Kind,
    Table,
    check_unique,
    groups_of,
    layout_of,
    numbers_in,
    read_table,
    shown,
    tidy,
)

Options = Mapping[str, Any]

EMPTY = Message("empty-label", "empty label")


@dataclass(frozen=True)
class Gold(Items):
    """n items in the order of the file; in `graded` several rows of it make one."""

    rows: Integers  # (n,) the first row of each item
    labels: LabelList  # L: of the gold, or as listed; with labels=union further ones come from the system
    code: Integers  # (n,) the label of each item, in soft that of the largest share; (0,) in multi and graded
    sets: Sets | None  # of n items, in multi
    credits: "Credits | None"  # in graded
    slices: Groups | None
    shares: Shares | None = None  # of n items, in soft, and of sets with shares
    second: "Second | None" = None
    originals: Integers | None = None  # (n,) the item from which each was made, −1 for an original


@dataclass(frozen=True)
class Second:
    """The second label of each of n items: places in its own list, of which the system's may also be outside."""

    labels: LabelList
    code: Integers  # (n,)


@dataclass(frozen=True)
class Credits:
    """Rows (r,) of a graded gold, sorted by item and label."""

    item: Integers  # (r,)
    label: Integers  # (r,) code
    credit: Floats  # (r,)
    best: Floats  # (n,) the highest credit of each item


def hide_labels(gold: Gold, given: Options, resolved: dict[str, Any]) -> tuple[Gold, dict[str, Any]]:
    """Return the gold as if nobody knew its labels, unless the organiser has listed them."""

    def hidden(labels: LabelList) -> LabelList:
        return labels if labels.is_given else replace(labels, is_open=True)

    second = replace(gold.second, labels=hidden(gold.second.labels)) if gold.second else None
    return replace(gold, labels=hidden(gold.labels), second=second), resolved


def gold_columns(options: Options) -> list[Column]:
    """Return what is wanted of the gold's table, in the order of a table without header."""
    is_wide = options["multi_as"] == "columns"
    columns = columns_of_labels(options) if is_wide else [Column(gold_label(options), kind_of(options))]
    if options["task"] == "graded":
        columns.append(Column(options["credit"], "number"))
    return columns + [Column(options[key]) for key in ("second", "group", "slices", "original") if options.get(key)]


def columns_of_labels(options: Options) -> list[Column]:
    """Return a column for each label of the list; where case tells no labels apart, it tells no columns apart."""
    return [Column(name, kind_of(options), ignores_case=_ignores(options)) for name in options["labels"]]


def of_second(options: Options) -> Options:
    """Return the options by which the second labels are read, whose list is that of the gold, or of both sides."""
    labels = "union" if options["labels"] == "union" else "gold"
    return {**options, "label": options["second"], "labels": labels, "hierarchy": None}


def kind_of(options: Options) -> Kind:
    """Return what a cell of labels may be."""
    if has_shares(options):
        kind: Kind = "shares" if options["task"] == "soft" else "sets"
        return "number" if options["multi_as"] == "columns" else kind
    return "list" if options["task"] in ("multi", "ranked") else "text"


def gold_label(options: Options) -> str:
    """Return the column of the gold's labels."""
    return str(options["gold_label"] or options["label"])


def read_gold(files: Mapping[str, bytes], options: Options, shown_columns: Sequence[str] = ()) -> Gold:
    """Read the gold; SubmissionError with all problems.

    `shown_columns` are further ones, for people to read.
    """
    columns = gold_columns(options) + [Column(name) for name in shown_columns]
    table = read_table(files, layout_of(options, "gold"), columns)
    if not len(table) and not table.problems:
        raise SubmissionError(Finding(Message("no-rows", "no rows"), table.path))
    is_graded = options["task"] == "graded"
    rows, of_row = _items(table) if is_graded else (np.arange(len(table)), np.arange(len(table)))
    if not is_graded:
        check_unique(table)
    shares = None
    if has_shares(options):
        labels, shares = _shares(table, options)
        is_soft = options["task"] == "soft"
        code = first_codes(shares.largest(), none=-1) if is_soft else np.zeros(0, dtype=np.int64)
        sets = None if is_soft else shares.at_least(threshold_of(options))
    else:
        labels, code, sets = _labels(table, options)
    credits = _credits(table, options, code, of_row, len(rows)) if is_graded else None
    groups, slices = (_groups(table, options[key], rows, of_row) for key in ("group", "slices"))
    second = None
    if options.get("second"):
        second = Second(*_single(table, table.columns[options["second"]], of_second(options))[:2])
    originals = originals_of(table, options["original"]) if options.get("original") else None
    table.problems.raise_all()
    if originals is not None and groups is None:
        groups = families_of(table, originals)
    _check_positive(table, labels, options)
    return Gold(
        table=table,
        ids=table.ids.taken(rows) if is_graded else table.ids,
        rows=rows,
        labels=labels,
        code=np.zeros(0, dtype=np.int64) if is_graded else code,
        sets=sets,
        credits=credits,
        groups=groups,
        slices=slices,
        shares=shares,
        second=second,
        originals=originals,
    )


def threshold_of(options: Options) -> float:
    """Return the share from which on a label is one of the set."""
    return 0.5 if options.get("threshold") is None else float(options["threshold"])


def _items(table: Table) -> tuple[Integers, Integers]:
    """Return the first row of each item, and (rows,) the item of each row; items in the order of first sight."""
    code, first = table.ids.codes()
    return first, code


def _labels(table: Table, options: Options) -> tuple[LabelList, Integers, Sets | None]:
    """Return the list, and the labels of the rows; what is not in a list that was given is a problem."""
    if options["multi_as"] == "columns":
        labels = _judged(table, options)
        return labels, np.zeros(0, dtype=np.int64), flagged(table, labels.names, None)
    cells = table.columns[gold_label(options)]
    if options["task"] != "multi":
        return _single(table, cells, options)
    cells_read = parsed(cells, options["separator"])
    add_problems(table, cells_read.which, cells_read.problems)
    all_labels = (label for of_item in cells_read.labels for label in of_item if label)
    labels = listed(options) if is_list(options) else _made(all_labels, options)
    codes = []
    problems: list[str | None] = []
    for of_item in cells_read.labels:
        places = [labels.code(label) for label in of_item]
        problems.append(
            next((_not_listed(label) for label, at in zip(of_item, places, strict=True) if at is None), None)
        )
        codes.append([at for at in places if at is not None])
        if problems[-1] is None and len(set(places)) < len(places):
            problems[-1] = Message("label-twice", "label {own} twice", own=shown(of_item[-1]))
    add_problems(table, cells_read.which, problems)
    return labels, np.zeros(0, dtype=np.int64), sets_of(cells_read.which, codes)


def _shares(table: Table, options: Options) -> tuple[LabelList, Shares]:
    """Return the list, and the shares of its labels; what is not in a list that was given is a problem."""
    if options["multi_as"] == "columns":
        labels = _judged(table, options)
        return labels, shares_in_columns(table, options, labels.names, None)
    cells_read = parsed_shares(table.columns[gold_label(options)], options)
    every = (label for of_item in cells_read.shares for label in of_item)
    labels = listed(options) if is_list(options) else _made(every, options)
    may_be_empty = options["task"] != "soft"
    problems = [
        problem
        or next((_not_listed(label) for label in of_item if labels.code(label) is None), None)
        or (None if of_item or may_be_empty else EMPTY)
        for of_item, problem in zip(cells_read.shares, cells_read.problems, strict=True)
    ]
    add_problems(table, cells_read.which, problems)
    return labels, shares_of(cells_read, labels)


def _single(table: Table, cells: Cells, options: Options) -> tuple[LabelList, Integers, None]:
    which, texts = cells.values()
    if options["task"] == "ranked":
        texts = [*map(_best, texts)]
    labels = listed(options) if is_list(options) else _made(filter(None, texts), options)
    places = [labels.code(text) if text else None for text in texts]
    problems = [
        (_not_listed(text) if text else EMPTY) if at is None else None for text, at in zip(texts, places, strict=True)
    ]
    add_problems(table, which, problems)
    return labels, np.array([-1 if at is None else at for at in places], dtype=np.int64)[which], None


def _best(text: str) -> str:
    """Return the first of a ranking, which a gold may have in place of a label."""
    ranking = list_in_cell(text)
    return tidy(str(ranking[0])) if ranking else text


def _made(names: Iterable[str], options: Options) -> LabelList:
    """Make the list of the gold's labels, and of those of the hierarchy, which a run may say, too."""
    labels = made(names, ignores_case=_ignores(options))
    pairs = of_hierarchy(options.get("hierarchy") or ())
    return labels.extended(label for pair in pairs for label in pair) if pairs and not labels.is_open else labels


def listed(options: Options) -> LabelList:
    """Return the list that the organiser gave."""
    return LabelList(tuple(options["labels"]), _ignores(options), is_given=True)


def is_list(options: Options) -> bool:
    """Return whether the organiser gave a list."""
    return not isinstance(options["labels"], str)


def _judged(gold: Table, options: Options) -> LabelList:
    """Return the labels whose columns the gold does not leave empty in every row; where all are, each is a mistake."""
    labels = listed(options)
    judged = tuple(name for name in labels.names if any(gold.columns[name]))
    return replace(labels, names=judged) if judged else labels


def flagged(table: Table, labels: Sequence[str], rows: Flags | None) -> Sets:
    """Return the sets of a table with a column of 0 and 1 for each label.

    Of others than these `rows` (n,) nothing is said.
    """
    has = np.zeros((len(table), len(labels)), dtype=bool)
    for place, label in enumerate(labels):
        which, texts = table.columns[label].values()
        wrong = np.array([text not in ("0", "1") for text in texts], dtype=bool)[which]
        table.add_where(
            wrong if rows is None else wrong & rows,
            Message("column-must-hold", "column {label} must hold 0 or 1", label=shown(label)),
        )
        has[:, place] = np.array([text == "1" for text in texts], dtype=bool)[which]
    row, code = np.nonzero(has)
    return Sets(np.searchsorted(row, np.arange(len(table) + 1)), code)


def _ignores(options: Options) -> bool:
    return bool(options["case"] == "ignore")


def _not_listed(label: str) -> str:
    return Message("label-not-list-labels", "label {label} is not in the list of labels", label=shown(label))


def add_problems(table: Table, which: Integers, problems: Sequence[str | None], rows: Flags | None = None) -> None:
    """Add a problem for each row, or each of these, whose cell has one: `which` (n,) of them."""
    has_problem = np.array([problem is not None for problem in problems], dtype=bool)
    bad = has_problem[which] if rows is None else has_problem[which] & rows
    table.add_where(bad, lambda row: problems[which[row]] or "")


def _credits(table: Table, options: Options, code: Integers, item: Integers, n_items: int) -> Credits:
    credit = numbers_in(table, options["credit"], Message.word("credit"))
    table.add_where(credit < 0, Message("credit-must-not-negative", "a credit must not be negative"))
    order = np.lexsort((np.arange(len(item)), code, item))
    item, code, credit = item[order], code[order], credit[order]
    is_again = np.zeros(len(item), dtype=bool)
    is_again[order[1:]] = (item[1:] == item[:-1]) & (code[1:] == code[:-1]) & (code[1:] >= 0)
    cells = table.columns[gold_label(options)]
    table.add_where(is_again, lambda row: Message("label-twice", "label {own} twice", own=shown(cells[row])))
    best = np.full(n_items, -np.inf)
    np.maximum.at(best, item, credit)
    return Credits(item, code, credit, best)


def _groups(table: Table, column: str | None, rows: Integers, of_row: Integers) -> Groups | None:
    """Return the groups or slices of the items, whose rows all have to say the same."""
    groups = groups_of(table, column)
    if groups is None:
        return None
    another = Message("another-on-earlier-line", "has another {column} on an earlier line", column=column)
    table.add_where(
        groups.code != groups.code[rows][of_row],
        lambda row: Message("id-another-id", "id {id} {another}", id=shown(table.ids[row]), another=another),
    )
    return replace(groups, code=groups.code[rows])


def _check_positive(table: Table, labels: LabelList, options: Options) -> None:
    positive = options["positive"]
    if positive is not None and labels.code(positive) is None and options["labels"] != "union":
        raise SubmissionError(
            Finding(Message("no-item-label", "no item has the label {positive}", positive=shown(positive)), table.path)
        )
