"""A table in one JSON value: a list of objects, an object of objects by their ids, or one of single values.

    [{"id": "a", "label": "x"}, …]      {"a": {"label": "x"}, …}      {"a": "x", …}

Each becomes the lines of JSON Lines, an object on the line on which it begins, so that all rules and messages are those
of JSON Lines. A file of this ending that holds JSON Lines is one of these.
"""

import json
import re
from collections.abc import Container, Iterator
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.json_text import KeyTwiceError, each_once, fault_in_json

# What is parsed here only says where values end.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BLANKS = " \t\n\r"
ROW_NUMBER = "#"  # as an id: rows have none, but their number
_OR = "|"  # between the names that a list may have


def list_in(record: Container[str], list_name: str) -> str:
    """Return by which of the names that a list may have an object has it; the first one where it has none.

    >>> list_in({"ID": "r1", "Quadruplet": []}, "Triplet|Quadruplet"), list_in({}, "Triplet|Quadruplet")
    ('Quadruplet', 'Triplet')
    """
    names = list_name.split(_OR)
    return next((name for name in names if name in record), names[0])


def as_json_lines(content: bytes, path: str, id_name: str, value_name: str, list_name: str | None = None) -> bytes:
    r"""Return the same rows as JSON Lines; SubmissionError with line and column where it is no JSON.

    Keys of an outer object go into `id_name`, unless the inner one has that; single values into `value_name`. Of an
    object with a list of this name, such as {"questions": […]}, each element becomes an object with a list of one.

    >>> as_json_lines(b'[{"id": 1,\n "label": "x"},\n {"id": 2, "label": "y"}]', "run.json", "id", "label")
    b'{"id": 1,  "label": "x"}\n\n{"id": 2, "label": "y"}'
    >>> as_json_lines(b'{"a": "x", "b": {"label": null}}', "run.json", "id", "label")
    b'{"id": "a", "label": "x"}\n{"id": "b", "label": null}'
    """
    text = content.decode()
    try:
        rows = [*_rows(text, id_name, value_name, list_name)]
    except json.JSONDecodeError as error:
        raise SubmissionError(
            Finding(Message("not-json", "not JSON: {msg}", msg=fault_in_json(error)), path, error.lineno, error.colno)
        ) from None
    except KeyTwiceError as error:
        raise SubmissionError(Finding(error.args[0], path)) from None
    except RecursionError:
        raise SubmissionError(Finding(Message("not-json-nested-too", "not JSON: nested too deeply"), path)) from None
    if rows == [None]:
        return content
    _refuse_constants(text, path, [row for row in rows if row])
    return _placed(text, [row for row in rows if row]).encode()


def _refuse_constants(text: str, path: str, rows: "list[_Row]") -> None:
    """Raise SubmissionError where a row has NaN or Infinity, which are no JSON, outside of its texts."""
    for begin, written in rows:
        if "NaN" not in written and "Infinity" not in written:
            continue
        for match in _CONSTANT.finditer(_TEXT.sub(lambda quoted: "_" * len(quoted[0]), written)):
            raise SubmissionError(
                Finding(
                    Message("not-json", "not JSON: {msg}", msg=_not_finite(match[1])),
                    path,
                    text.count("\n", 0, begin) + written.count("\n", 0, match.start()) + 1,
                )
            )


def _not_finite(constant: str) -> Message:
    return Message("json-not-finite", "it has {constant}, which JSON does not have", constant=constant)


_CONSTANT = re.compile(r"(NaN|-?Infinity)\b")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')

_Row = tuple[int, str]  # where it begins, and its text


def _rows(text: str, id_name: str, value_name: str, list_name: str | None) -> Iterator[_Row | None]:
    """Yield the objects; None alone where the file is JSON Lines."""
    start = _next(text, 0)
    if text[start : start + 1] == "[":
        for begin, end, _ in _values(text, start + 1, "]"):
            yield begin, text[begin:end]
        return
    value, end = _DECODER.raw_decode(text, start)
    if not isinstance(value, dict) or id_name in value or _next(text, end) < len(text):
        yield None
        return
    key = None if list_name is None else list_in(value, list_name)
    if key is not None and isinstance(value.get(key), list):
        if text.count(json.dumps(key)) > 1:
            json.loads(text, object_pairs_hook=each_once)
        place = _place_of(text, start, key)
        for begin, end, _ in _values(text, place + 1, "]", is_inner=True):
            yield begin, f"{{{json.dumps(key)}: [{text[begin:end]}]}}"
        return
    if id_name == ROW_NUMBER:
        yield None
        return
    place = _next(text, start + 1)
    while text[place] != "}":
        _, key_end = _DECODER.raw_decode(text, place)
        key = text[place:key_end]
        begin = _next(text, _next(text, key_end) + 1)
        inner, end = _DECODER.raw_decode(text, begin)
        yield begin, _with_id(text[begin:end], inner, f"{json.dumps(id_name)}: {key}", id_name, value_name)
        place = _next(text, end)
        place = _next(text, place + 1) if text[place] == "," else place


def _place_of(text: str, start: int, wanted: str) -> int:
    """Return where the value of a key of the object begins, which is known to be a list there."""
    place = _next(text, start + 1)
    while True:
        key, key_end = _DECODER.raw_decode(text, place)
        begin = _next(text, _next(text, key_end) + 1)
        if key == wanted and text[begin] == "[":
            return begin
        place = _next(text, _DECODER.raw_decode(text, begin)[1])
        place = _next(text, place + 1)


def _with_id(written: str, value: Any, own_id: str, id_name: str, value_name: str) -> str:
    if not isinstance(value, dict):
        return f"{{{own_id}, {json.dumps(value_name)}: {written}}}"
    if id_name in value:
        return written
    return f"{{{own_id}, {written[1:]}" if value else f"{{{own_id}}}"


def _values(text: str, start: int, closing: str, *, is_inner: bool = False) -> Iterator[tuple[int, int, Any]]:
    """Begin, end and value of each element from behind a bracket on; JSONDecodeError where something else stands."""
    place = _next(text, start)
    if text[place : place + 1] == closing:
        if not is_inner:
            _end(text, place + 1)
        return
    while True:
        value, end = _DECODER.raw_decode(text, place)
        yield place, end, value
        place = _next(text, end)
        if text[place : place + 1] == closing:
            if not is_inner:
                _end(text, place + 1)
            return
        if text[place : place + 1] != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
        place = _next(text, place + 1)


def _end(text: str, place: int) -> None:
    if (rest := _next(text, place)) < len(text):
        raise json.JSONDecodeError("Extra data", text, rest)


def _next(text: str, place: int) -> int:
    """Return the first place from here on that holds no blank."""
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def _placed(text: str, rows: list[_Row]) -> str:
    """Put the rows on the lines on which they begin, or one after the other where some share a line."""
    numbers, before, line = [], 0, 0
    for begin, _ in rows:
        line += text.count("\n", before, begin)
        before = begin
        numbers.append(line)
    if any(one == other for one, other in zip(numbers, numbers[1:], strict=False)):
        numbers = [*range(len(rows))]
    lines = [""] * (numbers[-1] + 1 if numbers else 0)
    for number, (_, written) in zip(numbers, rows, strict=True):
        # Inside of a text of JSON there is no line feed.
        lines[number] = written.replace("\n", " ")
    return "\n".join(lines)
