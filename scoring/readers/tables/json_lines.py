"""JSON Lines: an object a line, its keys the columns.

The fast parser takes most lines. What it cannot tell from something else, such as a key that stands twice or an
integer beyond 64 bits, is parsed again by the careful one.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from scoring.messages import Message
from scoring.readers.gc_pause import without_collector
from scoring.readers.json_text import fast_loads
from scoring.readers.problems import Problems
from scoring.readers.tables.header import listed, shown
from scoring.readers.tables.layout import Column
from scoring.readers.tables.paths import key_and_place, list_and_key, list_in, list_of, whole_and_part
from scoring.spelling.strings import meant_by

NOT_JSON = Message("line-not-json", "not JSON")
_QUOTED = re.compile(r"\s*-?\d{1,20}(?:\.\d{1,20})?\s*")
_Pairs = list[tuple[str, Any]]


class _Number(str):
    """A number as it is written in the file, of which nothing is rounded."""


class _Integer(_Number):
    """One without a fraction and exponent."""


class _Object(dict[str, Any]):
    """An object, and the first of its keys that stands twice."""

    def __init__(self, pairs: _Pairs) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.twice = next((key for key, _ in pairs if key in seen or seen.add(key)), None)  # type: ignore[func-returns-value]


def rows_of(content: bytes, columns: Sequence[Column], problems: Problems) -> tuple[list[list[str]], list[int]]:
    r"""Return for each column the texts of its cells, and the lines of the rows; what cannot be read is a problem.

    A list or an object becomes its JSON text, null the empty text, and true and false these words.

    >>> problems = Problems("run.jsonl")
    >>> rows_of(b'{"id": 1, "label": true}\n\n{"id": "2", "label": null}', [Column("id"), Column("label")], problems)
    ([['1', '2'], ['true', '']], [1, 3])

    A name such as `markers[].type` leads into a list of objects, each of which makes a row.

    >>> markers = b'{"id": 1, "markers": [{"type": "Actor"}, {"type": "Victim"}]}'
    >>> rows_of(markers, [Column("id"), Column("markers[].type")], problems)
    ([['1', '1'], ['Actor', 'Victim']], [1, 1])
    >>> rows_of(b'{"id": 1, "labels": ["joy", null, "fear"]}', [Column("id"), Column("labels[]")], problems)
    ([['1', '1', '1'], ['joy', '', 'fear']], [1, 1, 1])
    """
    texts: list[list[str]] = [[] for _ in columns]
    lines: list[int] = []
    list_name = list_of([column.name for column in columns])
    with without_collector():
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line or line.isspace():
                continue
            for cells in _rows_of_line(line, columns, list_name, problems, number):
                for column, cell in zip(texts, cells, strict=True):
                    column.append(cell)
                lines.append(number)
    return texts, lines


def _rows_of_line(
    line: bytes, columns: Sequence[Column], list_name: str | None, problems: Problems, number: int
) -> Iterator[list[str]]:
    """Yield the texts of the cells of each row of a line, which is one row unless it has a list of them."""
    if list_name is None and (quick := _quick(line, columns)) is not None:
        yield quick
    elif (value := _object(line, problems, number)) is None:
        return
    elif list_name is not None:
        yield from _rows_of_list(value, columns, list_name, problems, number)
    else:
        cells = list(_careful(value, columns, problems, number))
        if None not in cells:
            yield cells  # type: ignore[misc]


def _rows_of_list(
    value: _Object, columns: Sequence[Column], list_name: str, problems: Problems, number: int
) -> Iterator[list[str]]:
    """Yield a row for each object of the list, with what all of them share."""
    key = list_in(value, list_name)
    shared = [column for column in columns if list_and_key(column.name)[0] is None]
    # Of a list of single values the key in its objects is empty: the list's own stands for it.
    inner = [replace(column, name=list_and_key(column.name)[1] or key) for column in columns if column not in shared]
    cells = dict(zip((column.name for column in shared), _careful(value, shared, problems, number), strict=True))
    if key not in value:
        is_row = all(column.name in value for column in inner)
        problems.add(_row_alone(key, cells, inner) if is_row else _no_key(key, [key, *cells], value), number)
        return
    rows = [] if value[key] is None else value[key]
    is_plain = not any(part for place, part in _places(columns) if place is not None)
    if isinstance(rows, list) and is_plain:
        rows = [_Object([(key, row)]) for row in rows]
    if not isinstance(rows, list) or not all(isinstance(row, _Object) for row in rows):
        problems.add(_no_list(key, inner, is_plain=is_plain), number)
        return
    for row in rows:
        if row.twice is not None:
            problems.add(_twice(row.twice), number)
            continue
        cell_of = dict(zip((column.name for column in inner), _careful(row, inner, problems, number), strict=True))
        texts = [cells[name] if place is None else cell_of[name or key] for place, name in _places(columns)]
        if None not in texts:
            yield texts  # type: ignore[misc]


def _no_list(key: str, inner: Sequence[Column], *, is_plain: bool) -> Message:
    if is_plain:
        return Message("must-list-values", "{name} must be a list of single values", name=key)
    return Message(
        "must-list-objects", "{name} must be a list of objects, such as {example}", name=key, example=_example(inner)
    )


def _row_alone(key: str, shared: Iterable[str], inner: Sequence[Column]) -> Message:
    """Say that a row stands in an object of its own, and not in the list of all rows of its id."""
    return Message(
        "row-not-in-list",
        "no list {key}: the line is a single row; write one object for each {shared}, with the list of all its rows,"
        " such as {key}: {example}",
        key=json.dumps(key, ensure_ascii=False),
        shared=listed([*shared]),
        example=_example(inner),
    )


def _example(inner: Sequence[Column]) -> str:
    """Return a list of rows as JSON has it, with dots for their values."""
    names = dict.fromkeys(whole_and_part(column.name)[0] for column in inner)
    return json.dumps([dict.fromkeys(names, "…")], ensure_ascii=False)


def _places(columns: Sequence[Column]) -> list[tuple[str | None, str]]:
    return [list_and_key(column.name) for column in columns]


def _object(line: bytes, problems: Problems, number: int) -> _Object | None:
    """Return the object of a line; None with a problem."""
    try:
        value = json.loads(
            line,
            object_pairs_hook=_Object,
            parse_float=_Number,
            parse_int=_integer,
            parse_constant=_no_constant,
        )
        if rb"\u" in line:
            json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError):
        problems.add(
            Message("every-line-must-one-json", "{not_json}: every line must be one JSON object", not_json=NOT_JSON),
            number,
        )
        return None
    if not isinstance(value, _Object):
        problems.add(Message("line-must-json-object", "a line must be a JSON object"), number)
        return None
    if value.twice is not None:
        problems.add(_twice(value.twice), number)
        return None
    return value


def _twice(key: str) -> Message:
    return Message("key-shown-twice", "key {twice} twice", twice=shown(key))


def _integer(text: str) -> _Integer:
    """Return an integer; ValueError where it has more digits than the parser takes."""
    int(text)
    return _Integer(text)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _quick(line: bytes, columns: Sequence[Column]) -> list[str] | None:
    """Return the cells of a line as most are: no key twice, texts and whole numbers of 64 bits alone.

    None of any other line.
    """
    if fast_loads is None or b"\\" in line:
        return None
    try:
        value = fast_loads(line)
    except ValueError:
        return None
    if type(value) is not dict:
        return None
    n_texts = len(value)
    cells = []
    for inner in value.values():
        if type(inner) is str:
            n_texts += 1
        elif type(inner) is not int:
            return None
    # Two quotes around each text; a key that stands twice would bring more.
    if line.count(b'"') != 2 * n_texts:
        return None
    for column in columns:
        cell = value.get(column.name)
        if type(cell) is not int and (type(cell) is not str or column.kind in ("number", "ratings")):
            return None
        cells.append(str(cell))
    return cells


def _careful(value: _Object, columns: Sequence[Column], problems: Problems, number: int) -> Iterator[str | None]:
    """Yield the text of each cell, None where it is a problem."""
    for column in columns:
        if column.name not in value and (column.optional or key_and_place(column.name)):
            cell = _of_list(value, column.name)
            message = _refused(column, cell)
            if message:
                problems.add(message, number)
            yield None if message else _text(cell)
            continue
        if column.name not in value:
            problems.add(_no_key(column.name, [other.name for other in columns], value), number)
            yield None
            continue
        cell = value[column.name]
        message = _refused(column, cell)
        if message:
            problems.add(message, number)
        yield None if message else _text(cell)


def _of_list(value: _Object, name: str) -> object:
    """Return what the list at the name's key has at its place; None where there is no such list, or no name of one."""
    key, place = key_and_place(name) or (name, 0)
    cells = value.get(key)
    if not isinstance(cells, list):
        # A single value is refused as what it is, where a list of it was meant.
        return None if cells is None else [cells]
    return cells[place] if place < len(cells) else None


def _no_key(name: str, names: Sequence[str], value: _Object) -> str:
    if near := meant_by(name, names, value):
        return Message(
            "no-key-object-did",
            "no key {name}; the object has {listed}; did you mean {near}? Rename it to {name}",
            name=shown(name),
            listed=listed(value),
            near=shown(near),
        )
    return no_key(shown(name), listed(value))


def no_key(name: str, keys: str) -> Message:
    """Say that an object lacks a key, and which ones it has."""
    return Message("no-key-object", "no key {name}; the object has {what}", name=name, what=keys or "none")


def _refused(column: Column, cell: object) -> str | None:
    """Return what is wrong with the type of a cell."""
    if cell is None:
        return None
    if column.kind == "number":
        if isinstance(cell, _Number):
            return None
        if isinstance(cell, str) and _QUOTED.fullmatch(cell):
            return Message(
                "must-number-not-text",
                "{name} must be a number, and not a text: take the quotes around {number} out",
                name=column.name,
                number=cell,
            )
        return Message("must-number", "{name} must be a number", name=column.name)
    if column.kind == "ratings":
        ratings = cell if isinstance(cell, list) else [cell]
        if ratings and all(isinstance(rating, _Number) for rating in ratings):
            return None
        return Message("must-number-or-list", "{name} must be a number or a list of numbers", name=column.name)
    if isinstance(cell, _Number) and not isinstance(cell, _Integer):
        return Message("must-be-string-or-integer", "{name} must be a string or an integer", name=column.name)
    if isinstance(cell, list):
        if column.kind in ("list", "shares", "sets") and all(_is_plain(ratings) for ratings in cell):
            return None
        if column.kind == "sets" and all(isinstance(labels, list) and all(map(_is_plain, labels)) for labels in cell):
            return None
    elif isinstance(cell, _Object) and column.kind == "sets":
        parts = (_refused_shares(share) for share in cell.values() if isinstance(share, _Object))
        return _refused_shares(cell, (_Number, _Object)) or next(filter(None, parts), None)
    elif isinstance(cell, _Object) and column.kind == "shares":
        return _refused_shares(cell)
    elif not isinstance(cell, dict):
        return (
            Message("nul-character-text-cell", "a NUL character in the text of a cell")
            if isinstance(cell, str) and "\0" in cell
            else None
        )
    more: str = Message("list-these", " or a list of these") if column.kind == "list" else ""
    if column.kind in ("shares", "sets"):
        more = Message("list-these-or-shares", ", a list of these or an object of labels and their shares")
    inner = cell[0] if isinstance(cell, list) and len(cell) == 1 else cell
    if isinstance(inner, _Object) and inner and not more:
        return Message(
            "must-string-not-object",
            "{name} must be a string or an integer, not an object with {listed}: write one of these values alone",
            name=column.name,
            listed=listed(inner),
        )
    return Message("must-string-integer", "{name} must be a string or an integer{more}", name=column.name, more=more)


def _refused_shares(cell: _Object, of: type | tuple[type, ...] = _Number) -> str | None:
    if cell.twice is not None:
        return _twice(cell.twice)
    label = next((label for label, share in cell.items() if not isinstance(share, of)), None)
    if label is None:
        return None
    return Message("share-not-number", "the share of {label} must be a number", label=shown(label))


def _is_plain(value: object) -> bool:
    is_fraction = isinstance(value, _Number) and not isinstance(value, _Integer)
    return isinstance(value, str | bool) and not is_fraction and "\0" not in str(value)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, list):
        parts = (
            _text(inner) if isinstance(inner, list) else json.dumps(_text(inner), ensure_ascii=False) for inner in cell
        )
        return f"[{', '.join(parts)}]"
    if isinstance(cell, dict):
        pairs = (f"{json.dumps(label, ensure_ascii=False)}: {_text(share)}" for label, share in cell.items())
        return f"{{{', '.join(pairs)}}}"
    return "0" if cell == "-0" and isinstance(cell, _Integer) else str(cell)
