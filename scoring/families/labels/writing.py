"""Tables written in the formats that the options ask for: examples, samples, and golds as runs."""

import csv
import io
import json
from collections.abc import Mapping, Sequence

from scoring.family import Options, Side
from scoring.readers.tables import Layout, layout_of

Cell = str | float | Sequence[str]
_ENDINGS = {"csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "lines": "txt"}


def written(
    name: str, side: Side, options: Options, columns: Mapping[str, Sequence[Cell]], value: str = ""
) -> dict[str, bytes]:
    """A file of this name without ending that is read as a table of this side.

    `columns` stand in the order of a table without header; `value` is the one that a file of one value a line has. A
    cell of several labels is a list.
    """
    layout = layout_of(options, side)
    chosen = "csv" if layout.format == "auto" else layout.format
    path = f"{name}.{_ENDINGS[chosen]}"
    if chosen == "lines":
        return {path: "".join(f"{_text(cell, options)}\n" for cell in columns[value]).encode()}
    if chosen == "jsonl":
        return {path: _objects(columns).encode()}
    return {path: _fields(columns, layout, chosen, options).encode()}


def ids_of(count: int, names: Sequence[str]) -> dict[str, list[str]]:
    """Made-up ids for so many rows: a number, and where several columns name a row its letters behind.

    >>> ids_of(2, ["left", "right"])
    {'left': ['1', '2'], 'right': ['1b', '2b']}
    """
    letters = " bcdefghijklmnopqrstuvwxyz"
    return {
        name: [f"{row}{letters[place % len(letters)].strip()}" for row in range(1, count + 1)]
        for place, name in enumerate(names)
    }


def _objects(columns: Mapping[str, Sequence[Cell]]) -> str:
    rows = zip(*columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)


def _fields(columns: Mapping[str, Sequence[Cell]], layout: Layout, chosen: str, options: Options) -> str:
    file = io.StringIO()
    rows = [[_text(cell, options) for cell in row] for row in zip(*columns.values(), strict=True)]
    if layout.header:
        rows.insert(0, [*columns])
    if layout.quotes:
        csv.writer(file, delimiter=layout.sign(chosen), lineterminator="\n").writerows(rows)
    else:
        file.writelines(layout.sign(chosen).join(row) + "\n" for row in rows)
    return file.getvalue()


def _text(cell: Cell, options: Options) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float | int):
        return f"{cell:.6g}"
    separator = options["separator"]
    if any(separator in label or label.startswith("[") for label in cell):
        return json.dumps([*cell], ensure_ascii=False)
    return str(separator.join(cell))
