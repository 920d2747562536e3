"""JSON parsed fast where the fast parser is installed, and the same refusals where it is not."""

import codecs
import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

from scoring.readers.mat.collecting import MalformedDocument, decode_utf8, line_and_column

_fast: Callable[[bytes], Any] | None
try:
    from orjson import loads as _fast
except ImportError:
    _fast = None

_ESCAPES = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def parse_json(content: bytes) -> Any:
    """The value; integers beyond 64 bits may come as floats. MalformedDocument says what is wrong and where."""
    if _fast is not None:
        try:
            return _fast(content.removeprefix(codecs.BOM_UTF8))
        except ValueError:
            pass  # The careful parser finds the place, and takes the numbers that the fast one does not.
    return parse_exactly(content)


def parse_exactly(content: bytes) -> Any:
    """The same with all integers as they are."""
    text = decode_utf8(content.removeprefix(codecs.BOM_UTF8))
    _refuse_lone_surrogates(text)
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        raise MalformedDocument(f"not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise MalformedDocument("not valid JSON: nested too deeply") from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_integer)


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedDocument(f"not a mat-json document: {name} is not valid JSON")


def _integer(digits: str) -> int:
    return int(digits[:1000])


def _refuse_lone_surrogates(text: str) -> None:
    if "\\u" not in text:
        return
    high = None
    for escape in _ESCAPES.finditer(text):
        code = int(escape[1], 16) if escape[1] else 0
        if high is not None:
            if high.end() == escape.start() and 0xDC00 <= code <= 0xDFFF:
                high = None
                continue
            _refuse_surrogate(text, high)
        if 0xDC00 <= code <= 0xDFFF:
            _refuse_surrogate(text, escape)
        high = escape if 0xD800 <= code <= 0xDBFF else None
    if high is not None:
        _refuse_surrogate(text, high)


def _refuse_surrogate(text: str, escape: re.Match[str]) -> NoReturn:
    place = line_and_column(text, escape.start())
    raise MalformedDocument(f"not valid JSON: lone surrogate {escape[0]}", *place)
