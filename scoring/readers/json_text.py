"""The fast parser of JSON, where it is installed, and what the standard one finds wrong.

orjson is some five times as fast as the standard library and takes less: numbers beyond 64 bits, NaN and lone
surrogates are errors to it. It is the fast path of the readers of JSON: what it refuses is parsed again by their
careful path, which says what is wrong and where. Tests run all readers without it too.
"""

from collections.abc import Callable
from json import JSONDecodeError
from typing import Any

from scoring.messages import Message

# From UTF-8 bytes to the value; ValueError where it refuses them. None where orjson is not installed.
fast_loads: Callable[[bytes | str], Any] | None
try:
    from orjson import loads as fast_loads
except ImportError:
    fast_loads = None

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
