"""One document looked at by itself: everything that is wrong with it, in words, or its usual form."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from scoring.readers.spacy.documents.chunks import KEYS, LARGEST_INTEGER, Document, fits
from scoring.readers.spacy.documents.trees import in_cycles

Row = list[Any]  # [start, end, label, kb_id]


def id_of(raw: Document) -> str | None:
    """The id as text; None if there is none that can be compared."""
    value = raw.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return str(value)


def unknown_keys(raw: Document) -> list[str]:
    return [f"unknown key {key!r}" for key in raw if key not in KEYS | _ALIAS_KEYS and not key.startswith("_")]


def checked(raw: Document) -> tuple[Document, list[str]]:
    """The document with lists in their usual form, and what is wrong with it."""
    words, problems = _words(raw.get("words"))
    if problems:
        return {}, problems
    document: Document = {"id": str(raw["id"]), "words": words}
    for key in ("spaces", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts"):
        values, found = _entries(key, raw.get(key), len(words))
        problems += found
        if values is not None:
            document[key] = values
    problems += _tree_problems(document, deps_alone=raw.get("deps") is not None and raw.get("heads") is None)
    for key, read in (("ents", _entities), ("ents_missing", _missing), ("spans", _groups), ("cats", categories)):
        if raw.get(key) is not None:
            document[key], found = read(raw[key], len(words))
            problems += found
    problems += _touching(document) + _text_problems(raw.get("text"), document)
    return document, problems


def span_rows(value: Any, name: str) -> tuple[list[Row], list[str]]:
    """The spans of a list as rows of start, end, label and knowledge-base id, in whatever unit they count."""
    if not isinstance(value, list):
        return [], [f"{name} must be a list of spans"]
    rows, problems = [], []
    for entry in value:
        row = _row(entry)
        if row is None:
            problems.append(f"{name} must be a list of [start, end, label], not {_shown(entry)}")
        else:
            rows.append(row)
    return rows, problems


def categories(value: Any, n_words: int = 0) -> tuple[dict[str, float], list[str]]:
    if not isinstance(value, dict):
        return {}, ['"cats" must be an object of labels and numbers']
    bad = [label for label, number in value.items() if not _is_finite(number)]
    return value, [f"value of category {label!r} must be a finite number" for label in bad]


def overlaps(rows: list[Row]) -> list[str]:
    """Entities may not overlap, whatever unit they count in."""
    problems, end = [], -math.inf
    for row in sorted(rows, key=lambda row: row[:2]):
        if row[0] < end:
            problems.append(f"entity {row[0]}..{row[1]} overlaps another entity")
        end = max(end, row[1])
    return problems


def is_integer(value: object) -> bool:
    return type(value) is int and abs(value) < LARGEST_INTEGER


_ALIAS_KEYS = {"tokens", "sents"}
_SENT_STARTS = {True: 1, False: -1, None: 0}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_sent_start(value: object) -> bool:
    return value is None or isinstance(value, bool) or (is_integer(value) and value in (-1, 0, 1))


def _is_finite(value: object) -> bool:
    return type(value) in (int, float) and abs(value) < LARGEST_INTEGER  # type: ignore[arg-type]


_ENTRIES: dict[str, tuple[Callable[[object], bool], str]] = {
    "words": (_is_text, "strings"),
    "spaces": (_is_flag, "true and false"),
    "tags": (_is_text_or_null, "strings"),
    "pos": (_is_text_or_null, "strings"),
    "lemmas": (_is_text_or_null, "strings"),
    "morphs": (_is_text_or_null, "strings"),
    "heads": (is_integer, "integers"),
    "deps": (_is_text, "strings"),
    "sent_starts": (_is_sent_start, "1, 0 and -1"),
}


def _words(value: Any) -> tuple[list[str], list[str]]:
    if value is None:
        return [], ['no "words"']
    if not isinstance(value, list) or not all(map(_is_text, value)):
        return [], ['"words" must be a list of strings']
    return value, [f"word {i} is empty" for i, word in enumerate(value) if word == ""]


def _entries(key: str, value: Any, n_words: int) -> tuple[list[Any] | None, list[str]]:
    if value is None:
        return None, []
    allowed, kind = _ENTRIES[key]
    if not isinstance(value, list) or not all(map(allowed, value)):
        return None, [f'"{key}" must be a list of {kind}']
    if len(value) != n_words:
        return None, [f'"{key}" has {len(value)} entries for {n_words} words']
    if key == "sent_starts":
        value = [start if type(start) is int else _SENT_STARTS[start] for start in value]
    return value, []


def _tree_problems(document: Document, *, deps_alone: bool) -> list[str]:
    if deps_alone:
        return ['"deps" without "heads": say which token each label leads to']
    if not document.get("heads"):
        return []
    heads = document["heads"]
    outside = [i for i, head in enumerate(heads) if not 0 <= head < len(heads)]
    if outside:
        return [f"head {heads[i]} of token {i} lies outside the document" for i in outside]
    if not in_cycles(np.array(heads), np.array([0, len(heads)])).any():
        return []
    return [f"heads: token {_in_cycle(heads)} is in a cycle"]


def _in_cycle(heads: list[int]) -> int:
    """The first token of the first cycle that the ways up from the tokens run into."""
    seen: dict[int, int] = {}
    for start in range(len(heads)):
        token = start
        while token not in seen:
            seen[token] = start
            token = heads[token]
        if seen[token] == start and heads[token] != token:
            break
    return min(_round(token, heads))


def _round(token: int, heads: list[int]) -> Iterator[int]:
    yield token
    other = heads[token]
    while other != token:
        yield other
        other = heads[other]


def _entities(value: Any, n_words: int) -> tuple[list[Row], list[str]]:
    rows, problems = _placed(value, '"ents"', n_words)
    return rows, problems + overlaps(rows)


def _groups(value: Any, n_words: int) -> tuple[dict[str, list[Row]], list[str]]:
    if not isinstance(value, dict):
        return {}, ['"spans" must be an object of keys and lists of spans']
    groups, problems = {}, []
    for key, spans in value.items():
        groups[key], found = _placed(spans, f'"spans", group {key!r},', n_words)
        problems += found
    return groups, problems


def _placed(value: Any, name: str, n_words: int) -> tuple[list[Row], list[str]]:
    rows, problems = span_rows(value, name)
    outside = [row for row in rows if not 0 <= row[0] < row[1] <= n_words]
    if outside:
        rows = [row for row in rows if 0 <= row[0] < row[1] <= n_words]
    return rows, problems + [
        f"span {start}..{end} lies outside the document (length {n_words})" for start, end, *_ in outside
    ]


def _row(entry: Any) -> Row | None:
    if isinstance(entry, dict):
        kb = entry.get("kb_id")
        entry = [entry.get("start"), entry.get("end"), entry.get("label"), "" if kb is None else kb]
    if not isinstance(entry, list) or len(entry) not in (3, 4):
        return None
    start, end, label, kb = [*entry, ""][:4]
    if not (is_integer(start) and is_integer(end) and _is_text(label) and _is_text(kb)):
        return None
    return [start, end, label, kb]


def _missing(value: Any, n_words: int) -> tuple[list[list[int]], list[str]]:
    form = '"ents_missing" must be a list of [start, end]'
    if not isinstance(value, list):
        return [], [form]
    ranges, problems = [], []
    for entry in value:
        if not isinstance(entry, list) or len(entry) != 2 or not all(map(is_integer, entry)):
            problems.append(f"{form}, not {_shown(entry)}")
        elif not 0 <= entry[0] < entry[1] <= n_words:
            problems.append(f"span {entry[0]}..{entry[1]} lies outside the document (length {n_words})")
        else:
            ranges.append(entry)
    return ranges, problems


def _touching(document: Document) -> list[str]:
    missing = bytearray(len(document["words"]))
    for start, end in document.get("ents_missing", []):
        missing[start:end] = b"\1" * (end - start)
    return [
        f'entity {start}..{end} touches a token of "ents_missing"'
        for start, end, *_ in document.get("ents", [])
        if missing.find(1, start, end) >= 0
    ]


def _text_problems(text: Any, document: Document) -> list[str]:
    if text is None:
        return []
    if not isinstance(text, str):
        return ['"text" must be a string']
    if not fits(text, document["words"], document.get("spaces")):
        return ['"text" is not made of "words" and "spaces"']
    return []


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
