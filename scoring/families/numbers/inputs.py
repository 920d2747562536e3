"""Makes files of what participants are given, the ids, and tells by these which input an upload is for.

Nothing here looks at numbers of the gold, but `gold_as_submission`.
"""

from collections.abc import Sequence
from typing import Any

from scoring.families.annotators import WRITTEN, leave_one_out, rating_list
from scoring.families.numbers.writing import columns_of, written
from scoring.family import Files, LeftOut, Options, Side
from scoring.readers.numbers import read_gold
from scoring.readers.tables import ROW_NUMBER, Column, Layout, Table, layout_of, read_table
from scoring.readers.tables.guessing import columns_there, guess_columns

# What participants are given where rows have no ids: their numbers, to look at.
_ROW = "row"


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the same number for every row."""
    number = 0.5 if options["kind"] == "binary" else 0
    rows = [[*names, *([number] * len(options["columns"]))] for names in _ids_of(gold, options)]
    return written("run", columns_of(options, "system"), rows, options, "system")


def guess(gold: Files, options: Options) -> Options:
    """Return options by which a gold that these do not read might be read, such as those of the columns it has."""
    there = columns_there(gold, options["gold_columns"])
    if not there or [*there.values()] == [*options["gold_columns"]]:
        return guess_columns(gold, options, "columns")
    of_run = dict(zip(options["gold_columns"], options["columns"], strict=True))
    return {"columns": [of_run[name] for name in there], "gold_columns": [*there.values()]}


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes] | None:
    """Make a run with the gold's own numbers; None where both sides have the same layout and columns."""
    is_same = options["columns"] == options["gold_columns"]
    if is_same and layout_of(options, "gold") == layout_of(options, "system"):
        return None
    values = read_gold(files, options).values.T.tolist()
    rows = [[*names, *numbers] for names, numbers in zip(_ids_of(files, options), values, strict=True)]
    return written("gold", columns_of(options, "system"), rows, options, "system")


def without_annotators(gold: Files, options: Options) -> LeftOut:
    """Return golds without one annotator and runs that are this one, where each number is a list of ratings."""
    table = _table(gold, options, "gold")
    texts: dict[str, list[Any]] = {name: column.texts() for name, column in table.columns.items()}
    pairs = [*zip(options["gold_columns"], options["columns"], strict=True)]
    rated = {pair: [[*map(float, rating_list(text))] for text in texts.pop(pair[0])] for pair in pairs}
    if (tolerance := options["tolerance_column"]) in texts:
        texts[tolerance] = [[*map(float, rating_list(text))] or float(text) for text in texts[tolerance]]
    cells = [*zip(*_split(table, options["id"]), strict=True)]
    ids = {side: dict(zip(options[key], cells, strict=True)) for side, key in (("gold", "gold_id"), ("system", "id"))}
    return LeftOut(WRITTEN, leave_one_out(ids, rated, texts, float))


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Return the ids, and what people read beside them."""
    texts = [*(options["text"] or ())]
    table = _table(gold, options, "gold")
    columns = [table.columns[name].texts() for name in texts]
    rows = [[*names, *cells] for names, *cells in zip(_split(table, options["id"]), *columns, strict=True)]
    names = [_ROW if name == ROW_NUMBER else name for name in options["id"]]
    return written(
        "items", [*names, *texts], rows, options | {"format": "csv", "header": True, "quotes": True}, "system"
    )


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make a gold whose numbers nobody knows, from a table with the ids."""
    ids = _split(read_table(given, Layout(id=options["id"]), []), options["gold_id"])
    columns = columns_of(options, "gold")
    return written("gold", columns, [[*names, *[0] * (len(columns) - len(names))] for names in ids], options, "gold")


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the ids."""
    return set(_table(files, options, side).ids.texts())


def _ids_of(gold: Files, options: Options) -> list[list[str]]:
    """Return the cells that name each row, one for each column of the system's id."""
    return _split(_table(gold, options, "gold"), options["id"])


def _split(table: Table, names: Sequence[str]) -> list[list[str]]:
    """Return the cells of each row's id, one for each of these columns."""
    parts = len(names)
    return [text.split("|", parts - 1) if parts > 1 else [text] for text in table.ids.texts()]


def _table(files: Files, options: Options, side: Side) -> Table:
    """Read ids and all else; nobody looks at the numbers."""
    numbers = {*options["gold_columns" if side == "gold" else "columns"], options["tolerance_column"]}
    layout = layout_of(options, side)
    wanted = columns_of(options, side)[len(layout.id) :]
    return read_table(files, layout, [Column(name, "ratings" if name in numbers else "text") for name in wanted])
