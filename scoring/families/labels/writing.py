"""Tables written in the formats that the options ask for: examples, samples, and golds as runs."""

import json
from collections.abc import Iterable, Mapping, Sequence

from scoring.family import Options, Side
from scoring.readers.tables import format_written, layout_of, write_table

Cell = str | float | Sequence[str] | Mapping[str, float]


def written(
    name: str, side: Side, options: Options, columns: Mapping[str, Sequence[Cell]], value: str = ""
) -> dict[str, bytes]:
    """Write a file of this name without ending that is read as a table of this side.

    `columns` stand in the order of a table without header; `value` is the one that a file of one value a line has. A
    cell of several labels is a list, one of shares an object.
    """
    layout = layout_of(options, side)
    rows: Iterable[Sequence[Cell]] = zip(*columns.values(), strict=True)
    if format_written(layout) != "jsonl":
        rows = ([_text(cell, options) for cell in row] for row in rows)
    return write_table(name, [*columns], rows, layout, [*columns].index(value) if value in columns else 0)


def ids_of(count: int, names: Sequence[str]) -> dict[str, list[str]]:
    """Make up ids for so many rows: a number, and where several columns name a row its letters behind.

    >>> ids_of(2, ["left", "right"])
    {'left': ['1', '2'], 'right': ['1b', '2b']}
    """
    letters = " bcdefghijklmnopqrstuvwxyz"
    return {
        name: [f"{row}{letters[place % len(letters)].strip()}" for row in range(1, count + 1)]
        for place, name in enumerate(names)
    }


def _text(cell: Cell, options: Options) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float | int):
        return f"{cell:.6g}"
    if isinstance(cell, Mapping):
        return json.dumps(cell, ensure_ascii=False)
    separator = options["separator"]
    if any(separator in label or label.startswith("[") for label in cell):
        return json.dumps([*cell], ensure_ascii=False)
    return str(separator.join(cell))
