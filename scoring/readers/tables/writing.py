"""Small tables written in the format of a layout: examples, samples, golds as runs, and what participants are given."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from scoring.readers.tables.layout import Layout

_ENDINGS = {"csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "lines": "txt"}


def format_written(layout: Layout) -> str:
    """The format in which a table of this layout is written, where its file may have any ending."""
    return "csv" if layout.format == "auto" else layout.format


def write_table(
    name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], layout: Layout, value: int
) -> dict[str, bytes]:
    r"""{path: content} of a file of this name without ending; its lines hold the cells at `value`, if these are all.

    >>> write_table("run", ["unit", "score"], [("u1", 0.5)], Layout(delimiter="semicolon"), 1)
    {'run.csv': b'unit;score\nu1;0.5\n'}
    """
    chosen = format_written(layout)
    path = f"{name}.{_ENDINGS[chosen]}"
    if chosen == "lines":
        return {path: "".join(f"{row[value]}\n" for row in rows).encode()}
    if chosen == "jsonl":
        return {path: to_json_lines(dict(zip(columns, row, strict=True)) for row in rows)}
    file, sign = io.StringIO(), layout.sign(chosen)
    cells = [columns, *rows] if layout.header else rows
    if layout.quotes:
        csv.writer(file, delimiter=sign, lineterminator="\n").writerows(cells)
    else:
        file.writelines(sign.join(map(str, row)) + "\n" for row in cells)
    return {path: file.getvalue().encode()}


def to_json_lines(records: Iterable[object]) -> bytes:
    """One value a line, in UTF-8."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
