"""The fast parser of JSON, where it is installed, and what the standard one finds wrong.

orjson is some five times as fast as the standard library and takes less: numbers beyond 64 bits, NaN and lone
surrogates are errors to it. It is the fast path of the readers of JSON: what it refuses is parsed again by their
careful path, which says what is wrong and where. Tests run all readers without it too.
"""

import json
import re
from collections.abc import Callable, Mapping
from json import JSONDecodeError
from typing import Any

from scoring.messages import Message

# From UTF-8 bytes to the value; ValueError where it refuses them. None where orjson is not installed.
fast_loads: Callable[[bytes | str], Any] | None
fast_dumps: Callable[[Any], bytes] | None
try:
    from orjson import dumps as fast_dumps
    from orjson import loads as fast_loads
except ImportError:
    fast_dumps = fast_loads = None

# Behind each key, and inside of some texts; what writes it otherwise than orjson does.
_BEHIND_KEY, _WRITTEN_OTHERWISE = b'":', re.compile(rb'"\s+:|\\u0022')


class KeyTwiceError(ValueError):
    """A key stands twice in an object; its text is a message."""


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, as a hook of the standard parser; KeyTwiceError where a key stands twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise KeyTwiceError(Message("key-twice", "key {twice!r} twice", twice=twice[:_LONGEST_KEY]))
    return record


_LONGEST_KEY = 40


def may_have_twins(content: bytes, value: Any) -> bool:
    """Return whether a key may stand twice in this text of a value that the fast parser has read; rarely wrongly.

    Written again the value has a colon less for each key that stood twice.

    >>> may_have_twins(b'{"a": [{"b": "c"}]}', {"a": [{"b": "c"}]}), may_have_twins(b'{"a": 1, "a": 2}', {"a": 2})
    (False, True)
    """
    if fast_dumps is None or _WRITTEN_OTHERWISE.search(content):
        return True
    try:
        return content.count(_BEHIND_KEY) != fast_dumps(value).count(_BEHIND_KEY)
    except TypeError:  # it writes fewer values inside each other than it reads
        return True


def loads_once(content: bytes) -> Any:
    """Parse a value; KeyTwiceError where a key of an object stands twice, another ValueError where it is no JSON."""
    if fast_loads is not None:
        value = fast_loads(content)
        if not may_have_twins(content, value):
            return value
    return json.loads(content, object_pairs_hook=each_once)


def refuse_other_letters(value: Mapping[str, Any], *keys: str) -> Message | None:
    """Return what is wrong with an object that has one of these keys in other letters, or with blanks around it.

    >>> str(refuse_other_letters({"Ents": []}, "ents", "cats")), refuse_other_letters({"ents": [], "Ents": 1}, "ents")
    ("key 'Ents': write 'ents'", None)
    """
    for key in keys:
        if key not in value:
            near = next((other for other in value if other.strip().casefold() == key), None)
            if near is not None:
                return Message("key-in-other-letters", "key {near!r}: write {key!r}", near=near[:_LONGEST_KEY], key=key)
    return None


# In the words of the standard library, which messages put into their sentences.
_FAULTS = (
    Message.word("Expecting ',' delimiter"),
    Message.word("Expecting ':' delimiter"),
    Message.word("Expecting property name enclosed in double quotes"),
    Message.word("Expecting value"),
    Message.word("Extra data"),
    Message.word("Illegal trailing comma before end of object"),
    Message.word("Invalid \\escape"),
    Message.word("Invalid \\uXXXX escape"),
    Message.word("Invalid control character at"),
    Message.word("Unterminated string starting at"),
)


def fault_in_json(error: JSONDecodeError) -> str:
    """Return what is wrong, as a message where it is a usual mistake."""
    fault = next((fault for fault in _FAULTS if error.msg.startswith(fault)), error.msg)
    before = error.doc[max(0, error.pos - _BEFORE) : error.pos].rstrip()
    if before.endswith(",") and error.doc[error.pos : error.pos + 1] in ("]", "}"):
        return Message("json-comma-too-many", "a comma before the end, where nothing follows")
    if error.doc.find("\n", error.pos) < 0 and _is_cut(error):
        return Message("json-cut", "the text breaks off before its end")
    return fault


_BEFORE = 100  # characters


def _is_cut(error: JSONDecodeError) -> bool:
    """Return whether a text that begins as JSON ends in the middle of it."""
    text = error.doc.strip()
    if text[:1] not in ("[", "{") or text.endswith(("]", "}")):
        return False
    return error.msg.startswith("Unterminated") or not error.doc[error.pos :].strip()
