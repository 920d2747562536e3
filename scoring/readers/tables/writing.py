"""Small tables written in the format of a layout: examples, samples, golds as runs, and what participants are given."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from scoring.readers.tables.layout import Layout
from scoring.readers.tables.paths import ROW_NUMBER, list_and_key, list_in, list_of, numbered_places, whole_and_part

_ENDINGS = {"csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "lines": "txt"}


def format_written(layout: Layout, columns: Sequence[str] = ()) -> str:
    """Return the format in which a table of this layout is written, where its file may have any ending."""
    if list_of(columns) is not None:
        return "jsonl"
    return "csv" if layout.format == "auto" else layout.format


def write_table(
    name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], layout: Layout, value: int
) -> dict[str, bytes]:
    r"""Write a file of this name without ending, {path: content}; lines hold the cells at `value`, if these are all.

    >>> write_table("run", ["unit", "score"], [("u1", 0.5)], Layout(delimiter="semicolon"), 1)
    {'run.csv': b'unit;score\nu1;0.5\n'}
    """
    chosen = format_written(layout, columns)
    path = f"{name}.{_ENDINGS[chosen]}"
    if chosen == "lines":
        return {path: "".join(f"{row[value]}\n" for row in rows).encode()}
    columns, rows = wholes(columns, rows)
    if chosen == "jsonl":
        return {path: to_json_lines(nested(columns, rows))}
    file, sign = io.StringIO(), layout.sign(chosen)
    cells = [columns, *rows] if layout.header else _at_places(columns, rows)
    if layout.quotes:
        csv.writer(file, delimiter=sign, lineterminator="\n").writerows(cells)
    else:
        file.writelines(sign.join(map(str, row)) + "\n" for row in cells)
    return {path: file.getvalue().encode()}


def wholes(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> tuple[list[str], list[list[Any]]]:
    """Put together columns of which names mean parts, as `VA#2` does; the number of a row is not written."""
    places: dict[str, dict[int | None, int]] = {}
    for place, name in enumerate(columns):
        if name != ROW_NUMBER:
            whole_name, part = whole_and_part(name)
            places.setdefault(whole_name, {})[part] = place
    return list(places), [[_put_together(whole_name, row) for whole_name in places.values()] for row in rows]


def _at_places(columns: Sequence[str], rows: list[list[Any]]) -> list[list[Any]]:
    """Return the rows of a table without header, whose columns may be named by their numbers."""
    places = numbered_places(columns)
    if places is None:
        return rows
    by_place = [dict(zip(places, row, strict=True)) for row in rows]
    return [[row.get(place, "-") for place in range(max(places) + 1)] for row in by_place]


def _put_together(places: dict[int | None, int], row: Sequence[Any]) -> Any:
    if None in places:
        return row[places[None]]
    last = max(part for part in places if part is not None)
    return ROW_NUMBER.join(str(row[places[part]]) if part in places else "0" for part in range(1, last + 1))


def nested(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Make objects of these rows; where names lead into a list, one for all rows that are alike otherwise.

    >>> nested(["id", "markers[].type"], [("a", "Actor"), ("a", "Victim")])
    [{'id': 'a', 'markers': [{'type': 'Actor'}, {'type': 'Victim'}]}]
    >>> nested(["id", "labels[]"], [("a", "joy"), ("a", "fear")])
    [{'id': 'a', 'labels': ['joy', 'fear']}]
    """
    name = list_of(columns)
    if name is None:
        return [dict(zip(columns, row, strict=True)) for row in rows]
    name = list_in((), name)
    objects: dict[tuple[Any, ...], dict[str, Any]] = {}
    keys = [list_and_key(column) for column in columns]
    for row in rows:
        shared = {key: cell for (around, key), cell in zip(keys, row, strict=True) if around is None}
        record = objects.setdefault(tuple(map(str, shared.values())), shared | {name: []})
        inner = {key: cell for (around, key), cell in zip(keys, row, strict=True) if around is not None}
        record[name].append(inner.get("", inner))
    return [*objects.values()]


def to_json_lines(records: Iterable[object]) -> bytes:
    """Write one value a line, in UTF-8."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
