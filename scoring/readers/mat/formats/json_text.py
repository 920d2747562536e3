"""JSON parsed by a fast path and a careful one, which give the same for all that both accept.

The fast path is orjson, where it is installed. It takes regular JSON only and gives up on anything else: numbers
beyond 64 bits, NaN, lone surrogates, deep nesting. The careful path, Python's own parser, then reads everything and
says what is wrong and where. A test reads altered documents with both.
"""

import codecs
import json
import re
from typing import Any, NoReturn

from scoring.messages import Message
from scoring.readers.json_text import KeyTwiceError, each_once, fast_loads, fault_in_json, may_have_twins
from scoring.readers.mat.collecting import MalformedDocument, decode_utf8, line_and_column

# An escaped character of a string, with the code where it is a \u escape; `\\` before a u is an escape of its own.
_ESCAPES = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def parse_json(content: bytes) -> Any:
    """Parse the value; integers beyond 64 bits may come as floats.

    MalformedDocument says what is wrong and where.
    """
    if fast_loads is not None:
        try:
            value = fast_loads(content.removeprefix(codecs.BOM_UTF8))
        except ValueError:
            pass  # Irregular, but maybe right: the careful path takes numbers that this one does not.
        else:
            if not may_have_twins(content, value):
                return value
    return parse_json_carefully(content)


def parse_json_carefully(content: bytes) -> Any:
    """Parse the value with all integers as they are. MalformedDocument says what is wrong and where."""
    text = decode_utf8(content.removeprefix(codecs.BOM_UTF8))
    _refuse_lone_surrogates(text)
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        raise MalformedDocument(
            Message("not-valid-json", "not valid JSON: {msg}", msg=fault_in_json(error)), error.lineno, error.colno
        ) from None
    except RecursionError:
        raise MalformedDocument(Message("not-valid-json-nested", "not valid JSON: nested too deeply")) from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=each_once)
    except json.JSONDecodeError:
        raise
    except KeyTwiceError as error:
        raise MalformedDocument(
            Message("not-mat-json-twice", "not a mat-json document: {problem}", problem=error.args[0])
        ) from None
    except ValueError:  # an integer of more digits than Python converts
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_integer, object_pairs_hook=each_once)


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which Python takes and JSON does not know."""
    raise MalformedDocument(
        Message("not-mat-json-document", "not a mat-json document: {name} is not valid JSON", name=name)
    )


def _integer(digits: str) -> int:
    """Return an integer beyond any offset, whatever its further digits are."""
    return int(digits[:1000])


def _refuse_lone_surrogates(text: str) -> None:
    """Refuse escapes of surrogates that do not come in pairs, high and low.

    Python takes them, and no file can hold them.
    """
    if "\\u" not in text:
        return
    # The high surrogate that the escape before this one was, which wants a low one directly behind it.
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
    position = line_and_column(text, escape.start())
    raise MalformedDocument(
        Message("not-valid-json-lone", "not valid JSON: lone surrogate {escape}", escape=escape[0]), *position
    )
