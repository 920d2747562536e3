"""Guesses how a table is laid out that its options do not fit: which columns name a row, and which one has the value.

A guess is put to the organisers, who know what the file says, or tried on files of other sites; no run is read by one.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any

from scoring.errors import SubmissionError
from scoring.readers.tables.cells import tidy
from scoring.readers.tables.opening import ENDINGS, is_spreadsheet, opened
from scoring.readers.tables.records import Records, are_blank

_MOST_COLUMNS = 12  # that are looked at: singly, and in pairs
_MOST_ROWS = 200_000
_VALUES = ("label", "labels", "class", "category", "gold", "answer", "target", "value", "score", "rating")
_SIGNS = {"csv": ",;", "tsv": "\t"}


def guess_columns(files: Mapping[str, bytes], options: Mapping[str, Any], value: str) -> dict[str, Any]:
    r"""Return the options by which the table in the only file would be read; {} where these do, or nothing can tell.

    `value` is the option that names the column of values.

    >>> gold = {"gold.csv": b"user,text,label\n1,1,A\n1,2,B\n2,1,A\n"}
    >>> guess_columns(gold, {"id": ("id",), "label": "label"}, "label")
    {'id': ['user', 'text']}
    """
    if is_of_unknown_ending(files):
        return {"gold_format": "lines"}
    columns, delimiter = _columns_of(files)
    if not columns:
        return {}
    guessed: dict[str, Any] = {"gold_delimiter": "semicolon", "delimiter": "semicolon"} if delimiter == ";" else {}
    given = options[value] if isinstance(options[value], list | tuple) else [options[value]]
    is_value_there = all(name in columns for name in given)
    taken = [*given] if is_value_there else []
    if not is_unique(columns, options["id"]):
        rest = {name: column for name, column in columns.items() if name not in (*taken, *_VALUES)}
        if not (ids := unique_columns(rest)):
            return {}
        guessed["id"] = [*ids]
    if not is_value_there:
        chosen = _value_among([name for name in columns if name not in guessed.get("id", options["id"])])
        if len(given) > 1 or chosen is None:
            return {}
        guessed[value] = chosen if isinstance(options[value], str) else [chosen]
    return guessed


def columns_there(files: Mapping[str, bytes], names: Sequence[str]) -> dict[str, str]:
    r"""Return {name: the column that it is} of those that the only table has, in whatever letters; {} of too few.

    >>> columns_there({"gold.csv": b"id,anger,joy\na,1,0\nb,0,1\n"}, ["Anger", "Disgust", "Joy"])
    {'Anger': 'anger', 'Joy': 'joy'}
    """
    of_fold = {column.casefold(): column for column in _columns_of(files)[0]}
    there = {name: of_fold[name.casefold()] for name in names if name.casefold() in of_fold}
    return there if len(there) > 1 and 2 * len(there) > len(names) else {}


def is_of_unknown_ending(files: Mapping[str, bytes]) -> bool:
    """Return whether the only file has no ending that tells a format, so that it may have one value a line."""
    endings = ["." + path.lower().rpartition("/")[2].rpartition(".")[2] for path in files]
    return len(endings) == 1 and endings[0] not in ENDINGS and not is_spreadsheet(next(iter(files)))


def unique_columns(columns: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the column, or else the two columns, whose cells are different in all rows; () where there are none.

    Those that are called ids come first, then those that stand first.
    """
    names = sorted([*columns][:_MOST_COLUMNS], key=lambda name: not _is_called_id(name))
    candidates = chain(combinations(names, 1), combinations(names, 2))
    return next((chosen for chosen in candidates if is_unique(columns, chosen)), ())


def is_unique(columns: Mapping[str, Sequence[str]], names: Sequence[str]) -> bool:
    """Return whether these columns are there and together differ in all rows; an empty cell names nothing."""
    if any(name not in columns for name in names):
        return False
    seen = set()
    for cells in zip(*(columns[name] for name in names), strict=True):
        if cells in seen or not all(cells):
            return False
        seen.add(cells)
    return True


def _is_called_id(name: str) -> bool:
    words = name.lower().replace("-", "_").replace(".", "_")
    return words.endswith("id") or words.startswith("id_") or "filename" in words or "file_name" in words


def _value_among(names: Sequence[str]) -> str | None:
    """Return the only column, or the one that is called as values are."""
    called = [name for name in names if name.lower() in _VALUES]
    return names[0] if len(names) == 1 else called[0] if len(called) == 1 else None


def _columns_of(files: Mapping[str, bytes]) -> tuple[dict[str, list[str]], str]:
    """Return the columns of the only file by the names in its heading, and the sign between its fields."""
    try:
        file = opened(files)
    except SubmissionError:
        return {}, ""
    if file.format in _SIGNS:
        return _columns_of_fields(file.content.decode(), _SIGNS[file.format])
    return (_columns_of_objects(file.content), "") if file.format in ("json", "jsonl") else ({}, "")


def _columns_of_fields(text: str, signs: str) -> tuple[dict[str, list[str]], str]:
    heading = text.partition("\n")[0]
    sign = max(signs, key=heading.count)
    records = (record.cells for record in islice(Records(text, sign, quotes=True), _MOST_ROWS))
    rows = [[*map(tidy, cells)] for cells in records if cells is not None and not are_blank(cells)]
    if len(rows) < 2 or len(set(rows[0])) < len(rows[0]) or not all(rows[0]):
        return {}, sign
    whole = [row for row in rows if len(row) == len(rows[0])]
    return {name: [row[place] for row in whole[1:]] for place, name in enumerate(rows[0])}, sign


def _columns_of_objects(content: bytes) -> dict[str, list[str]]:
    try:
        value = json.loads(content)
        objects = value if isinstance(value, list) else [value]
    except (ValueError, RecursionError):
        try:
            objects = [json.loads(line) for line in content.splitlines()[:_MOST_ROWS] if line.strip()]
        except (ValueError, RecursionError):
            return {}
    if len(objects) < 2 or not all(isinstance(row, dict) for row in objects):
        return {}
    plain = [name for name in objects[0] if all(isinstance(row.get(name), str | int) for row in objects)]
    return {name: [tidy(str(row[name])) for row in objects] for name in plain}
