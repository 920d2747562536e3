"""JSON Lines: one object a line, strictly read, with every problem told by its line.

The fast parser takes a line where it is certain that no key stands twice: in an object of texts and lists of texts
every text has two quotation marks, so a line with no more of them than its value needs has lost no key.
"""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from scoring.messages import Message
from scoring.readers.archive.names import lower_name
from scoring.readers.json_text import each_once, fast_loads, fault_in_json
from scoring.readers.problems import Problems
from scoring.readers.segments.lines import split_lines, utf8_text
from scoring.readers.tables.header import listed, shown
from scoring.readers.tables.json_lines import no_key
from scoring.readers.whole_json import as_json_lines
from scoring.spelling.strings import meant_by

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")

JsonRecord = dict[str, Any]
_LONGEST_KEY = 40  # characters of it in a message


def json_records(
    content: bytes, file: str, problems: Problems, id_name: str = "id", value_name: str = "text"
) -> Iterator[tuple[int, JsonRecord]]:
    r"""Yield the number, from 1, and the object of each line with one; others are problems, but for blank lines.

    >>> problems = Problems("run.jsonl")
    >>> list(json_records(b'{"id": 1, "text": "one"}\n\n{"id": 2', "run.jsonl", problems))
    [(1, {'id': 1, 'text': 'one'})]
    >>> print(*problems.listed())
    run.jsonl:3: not JSON: the text breaks off before its end (column 9)

    One JSON value of the whole file, named .json, is taken for such lines (whole_json.py): there a key of an outer
    object becomes `id_name`, a single value `value_name`. SubmissionError if the file is not UTF-8.
    """
    text = utf8_text(content, file)
    if lower_name(file).endswith(".json"):
        text = as_json_lines(text.encode(), file, id_name, value_name).decode()
    for number, line in enumerate(split_lines(text), start=1):
        if not line or line.isspace():
            continue
        value = _fast(line)
        if value is None:
            try:
                value = _careful(line)
            except ValueError as error:
                problems.add(error.args[0], number)
                continue
        yield number, value


def text_at(record: JsonRecord, key: str, number: int, problems: Problems, id_name: str = "id") -> str | None:
    """Return the text at a key of a line's object; None, and a problem, where it is missing or is no text."""
    value = record.get(key)
    if isinstance(value, str):
        return value
    near = None if key in record else meant_by(key, (id_name, key), record)
    problems.add(
        _rename_key(key, near, record)
        if near
        else no_text(key)
        if key in record
        else no_key(shown(key), listed(record)),
        number,
    )
    return None


def _rename_key(key: str, near: str, record: JsonRecord) -> Message:
    return Message(
        "key-missing-rename",
        'no "{key}"; rename "{near}" to "{key}"',
        key=key,
        near=near[:_LONGEST_KEY],
        listed=listed(record),  # for who tells it without the advice
    )


def no_text(key: str) -> Message:
    """Say that there is no text at a key."""
    return Message("must-string", '"{key}" must be a string', key=key)


def json_id(record: JsonRecord, number: int, problems: Problems, key: str = "id") -> str | None:
    """Return the id of a line's object, a text or an integer, trimmed; None, and a problem, where it has none."""
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        near = None if key in record else meant_by(key, (key,), record)
        problems.add(_rename_key(key, near, record) if near else _no_id(key), number)
        return None
    return sound_id(str(value), number, problems)


def sound_id(written: str, number: int, problems: Problems) -> str | None:
    """Return the trimmed id of a line; None, and a problem, where nothing is left or a page could not show it.

    >>> sound_id(" a 7 ", 1, Problems("run.tsv"))
    'a 7'
    """
    name = written.strip()
    if not name and problems.are_counted_only:
        problems.count(1)
    elif not name:
        problems.add(_no_id("id"), number)
    elif not name.isprintable():
        problems.add(
            Message("id-character-cannot-shown", "id {name!r} has a character that cannot be shown", name=name), number
        )
    else:
        return name
    return None


def _no_id(key: str) -> str:
    return Message("no-id-string-integer", 'no "{key}", a string or an integer', key=key)


def _fast(line: str) -> JsonRecord | None:
    """Return the object of a regular line; None where the careful path has to look at it."""
    if fast_loads is None:
        return None
    try:
        value = fast_loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and line.count('"') == _fewest_marks(value) else None


def _fewest_marks(record: JsonRecord) -> int:
    """Return how many quotation marks the object needs; -1 where it has to be read carefully.

    Other objects in it may have lost keys, and the fast parser makes an inexact number of an integer beyond 64 bits.
    """
    n = 2 * len(record)
    for value in record.values():
        for inner in value if isinstance(value, list) else (value,):
            if isinstance(inner, str):
                n += 2
            elif isinstance(inner, dict | list | float):
                return -1
    return n


def _careful(line: str) -> JsonRecord:
    """Return the object of a line; ValueError, which says what is wrong, where there is none."""
    try:
        value = _STRICT.decode(line)
        if "\\u" in line:
            # A half of a surrogate pair is no character, and cannot be encoded.
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ValueError(
            Message("not-json-column", "not JSON: {msg} (column {colno})", msg=fault_in_json(error), colno=error.colno)
        ) from None
    except UnicodeEncodeError:
        raise ValueError(Message("not-json-half-surrogate", "not JSON: half of a surrogate pair")) from None
    except RecursionError:
        raise ValueError(Message("not-json-nested-too", "not JSON: nested too deeply")) from None
    if not isinstance(value, dict):
        raise ValueError(Message("line-must-json-object", "a line must be a JSON object"))
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(Message("not-json", "not JSON: {msg}", msg=name))


_LONGEST_NUMBER = 20


def _integer(digits: str) -> int:
    # Python takes long to read very long numbers, and refuses those of more than some thousand digits.
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError(
            Message(
                "not-json-integer-too-long",
                "not JSON: the integer {digits}… is too long",
                digits=digits[:_LONGEST_NUMBER],
            )
        )
    return int(digits)


_STRICT = json.JSONDecoder(object_pairs_hook=each_once, parse_constant=_constant, parse_int=_integer)
