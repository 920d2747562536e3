"""Makes uploads and golds of what participants are given: ids and the columns that people read.

Of the gold nothing is looked at but ids, these columns and which labels there are.
"""

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np

from scoring.families.annotators import WRITTEN, leave_one_out, rating_list
from scoring.families.labels.specimen import columns_of, run_columns
from scoring.families.labels.writing import Cell, written
from scoring.family import Files, LeftOut, Options, Side
from scoring.readers.labels import (
    UNKNOWN,
    Gold,
    gold_columns,
    gold_label,
    has_shares,
    is_list,
    labels_in,
    read_gold,
    read_system,
)
from scoring.readers.tables import ROW_NUMBER, Column, Layout, Table, layout_of, read_table
from scoring.readers.tables.guessing import columns_there, guess_columns

# What participants are given where rows have no ids: their numbers, to look at.
_ROW = "row"


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the same label for every row."""
    read = read_gold(gold, options)
    labels = [*read.labels.names] or ["label"]
    rows: list[list[str]] = [labels[:1] if read.labels.names else [] for _ in range(len(read))]
    ids = _ids(gold, options, read.rows.tolist())
    second = [read.second.labels.names[0]] * len(read) if read.second else None
    return written("run", "system", options, run_columns(rows, labels, options, ids, second), options["label"])


def guess(gold: Files, options: Options) -> Options:
    """Return options by which a gold that these do not read might be read; ids of graded credits are there twice."""
    if options["multi_as"] == "columns":
        there = columns_there(gold, options["labels"])
        is_respelt = any(name != column for name, column in there.items())
        return {"labels": [*there], **({"case": "ignore"} if is_respelt else {})} if there else {}
    return {} if options["task"] == "graded" else guess_columns(gold, options, "label")


def gold_as_submission(gold: Files, options: Options) -> dict[str, bytes] | None:
    """Write the gold as a run with full marks; None where its own files are one."""
    read = read_gold(gold, options)
    names = [*read.labels.names]
    rows = _best(read) if read.credits else _labels_of_items(read)
    ids = _ids(gold, options, read.rows.tolist())
    columns = _of_shares(read, options, ids) if read.shares else run_columns(rows, names, options, ids, _second(read))
    if options["probabilities"] is not None:
        columns |= {
            options["probabilities"] + name: ["1" if labels[0] == name else "0" for labels in rows]
            if layout_of(options, "system").format != "jsonl"
            else [float(labels[0] == name) for labels in rows]
            for name in names
        }
    return written("run", "system", options, columns, options["label"])


def _of_shares(read: Gold, options: Options, ids: dict[str, list[str]]) -> dict[str, Sequence[Cell]]:
    """Return the gold's own shares, as they are written."""
    assert read.shares is not None
    names, sets = read.labels.names, read.shares.sets
    pairs = zip((names[code] for code in sets.codes.tolist()), read.shares.share.tolist(), strict=True)
    shares = [dict(islice(pairs, size)) for size in sets.sizes.tolist()]
    is_wide = options["multi_as"] == "columns"
    return {**ids, **(columns_of(shares, options["labels"]) if is_wide else {options["label"]: shares})}


def _second(read: Gold) -> list[str] | None:
    return None if read.second is None else [read.second.labels.names[code] for code in read.second.code.tolist()]


def _labels_of_items(read: Gold) -> list[list[str]]:
    """Return the labels of each item."""
    names = read.labels.names
    if read.sets is None:
        return [[names[code]] for code in read.code.tolist()]
    starts, codes = read.sets.starts.tolist(), read.sets.codes.tolist()
    return [[names[code] for code in codes[start:stop]] for start, stop in pairwise(starts)]


def _best(read: Gold) -> list[list[str]]:
    """Return for each item of a graded gold the first label with the highest credit."""
    credits = read.credits
    assert credits is not None
    is_best = credits.credit == credits.best[credits.item]
    # Written from the last row to the first, so that the first one stays.
    code = np.zeros(len(read), dtype=np.int64)
    code[credits.item[is_best][::-1]] = credits.label[is_best][::-1]
    return [[read.labels.names[label]] for label in code.tolist()]


def without_annotators(gold: Files, options: Options) -> LeftOut:
    """Return golds without one annotator and runs that are this one, of ratings and not of shares."""
    read = read_gold(gold, options)
    ids = _ids(gold, options, read.rows.tolist())
    if read.shares is None or options["multi_as"] == "columns" or len(ids) != len(_id_columns(options)):
        return LeftOut({}, [])
    which, texts = read.table.columns[gold_label(options)].values()
    ratings = [[] if text.startswith("{") else _ratings(text, options) for text in texts]
    rated = [ratings[row] for row in which.tolist()]
    others = {name: read.table.columns[name].texts() for name in read.table.columns if name != gold_label(options)}
    of_gold = dict(zip(_id_columns(options), ids.values(), strict=True))
    label = (gold_label(options), options["label"])
    # A label of one annotator alone is still one of the gold's.
    read_by = {**WRITTEN, "labels": read.labels.names}
    return LeftOut(
        read_by, leave_one_out({"gold": of_gold, "system": ids}, {label: rated}, others, lambda rating: [rating])
    )


def _ratings(text: str, options: Options) -> list[Any]:
    """Return the label of each annotator, or the shares of one who gave a list of labels."""
    listed = rating_list(text)
    if options["task"] == "soft" or not listed or not all(isinstance(labels, list) for labels in listed):
        return [*labels_in(text, options["separator"])]
    return [[str(label) for label in labels] for labels in listed]


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Return ids, and the columns that people read; nothing of the labels."""
    table = _table(gold, options, options["text"])
    rows = read_gold(gold, options).rows
    first = _id_columns(options)[0]
    ids = {_ROW if first == ROW_NUMBER else first: table.ids.texts()} if table.is_numbered else {}
    names = [name for name in (*_id_columns(options), *options["text"]) if name in table.columns]
    columns: dict[str, Sequence[Cell]] = {**ids, **{name: table.columns[name].taken(rows).texts() for name in names}}
    as_csv = {"gold_format": "auto", "gold_delimiter": "auto", "quotes": True}
    return written("input", "gold", options | as_csv, columns)


def answers(gold: Files, run: Files, depth: int, options: Options) -> list[tuple[str, str]]:
    """Return the labels of each item as the run has written them; none where each label has a column of its own."""
    read = read_gold(gold, options)
    system = read_system(run, read, options)
    if options["label"] not in system.table.columns:
        return []
    written_labels = system.table.columns[options["label"]].texts()
    return [(read.ids[item], written_labels[row]) for item, row in enumerate(system.row.tolist()) if row >= 0]


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make a gold whose labels nobody knows, from a table with the ids."""
    names = layout_of(options, "gold").id
    table = read_table(given, Layout(id=names, header=options["header"]), [])
    table.problems.raise_all()
    ids = _parts(given, names, options) if not table.is_numbered else {names[0]: table.ids.texts()}
    columns: dict[str, Sequence[Cell]] = {**ids}
    for column in gold_columns(options):
        columns.setdefault(column.name, _blank(column, options, len(table)))
    for name in options["text"]:
        columns.setdefault(name, [""] * len(table))
    is_lines = table.is_numbered and names != (ROW_NUMBER,)
    if is_lines:
        columns = {gold_label(options): columns[gold_label(options)]}
    format_ = "lines" if is_lines else "jsonl"
    made = written("gold", "gold", options | {"gold_format": format_}, columns, gold_label(options))
    return _as_wanted(made, options, columns)


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the ids."""
    table = read_table(files, layout_of(options, side), [])
    return set(table.ids.texts())


def _as_wanted(made: dict[str, bytes], options: Options, columns: dict[str, Sequence[Cell]]) -> dict[str, bytes]:
    """Write in the format that the options ask for, where they ask for one."""
    if options["gold_format"] in ("auto", "jsonl"):
        return made
    return written("gold", "gold", options, columns, gold_label(options))


def _blank(column: Column, options: Options, n_rows: int) -> list[Cell]:
    """Make cells that the reader takes and that say nothing."""
    if options["multi_as"] == "columns" and column.name in options["labels"]:
        is_first = column.name == options["labels"][0]
        return [float(is_first and options["task"] == "soft") if has_shares(options) else "0"] * n_rows
    if column.kind == "number":
        return [0.0] * n_rows
    if column.name == options.get("original"):
        return [""] * n_rows
    if column.name == options.get("second"):
        return [UNKNOWN] * n_rows
    if column.name == gold_label(options):
        label = options["labels"][0] if is_list(options) else UNKNOWN
        return [[label] if options["task"] == "multi" else label] * n_rows
    return ["-"] * n_rows


def _id_columns(options: Options) -> tuple[str, ...]:
    return layout_of(options, "gold").id


def _table(gold: Files, options: Options, further: Sequence[str] = ()) -> Table:
    """Return the gold with the columns of its ids apart; one value a line has none of them."""
    names = [name for name in (*_id_columns(options), *further) if name != ROW_NUMBER]
    wanted = [*gold_columns(options), *(Column(name, optional=True) for name in names)]
    return read_table(gold, layout_of(options, "gold"), wanted)


def _ids(gold: Files, options: Options, rows: list[int]) -> dict[str, list[str]]:
    """Return the ids of some rows of the gold, by the system's columns."""
    names = _id_columns(options)
    if len(names) == 1 or len(names) != len(options["id"]):
        ids = read_gold(gold, options).table.ids
        return {options["id"][0]: [ids[row] for row in rows]}
    table = _table(gold, options)
    cells = [table.columns[name] for name in names]
    return {id_name: [column[row] for row in rows] for id_name, column in zip(options["id"], cells, strict=True)}


def _parts(given: Files, names: Sequence[str], options: Options) -> dict[str, list[str]]:
    """Return the columns of ids of an input."""
    table = read_table(given, Layout(id=(names[0],), header=options["header"]), [Column(name) for name in names[1:]])
    return {names[0]: table.ids.texts(), **{name: table.columns[name].texts() for name in names[1:]}}
