"""One line of JSON: by orjson where it is installed, by the standard library otherwise, with equal results."""

import json
from collections.abc import Callable
from typing import Any

try:
    import orjson
except ImportError:  # only slower
    orjson = None  # type: ignore[assignment]


class BadLineError(ValueError):
    """The line is no JSON, or not UTF-8; the text says why."""


def parse(line: bytes) -> Any:
    """The value of a line; BadLineError if there is none.

    NaN and infinite numbers come through, for the caller to name the category that has them.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise BadLineError("not UTF-8") from None
    try:
        value = _STRICT.decode(text)
        if "\\u" in text:
            # A half of a surrogate pair is no character.
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise BadLineError(f"not JSON: {error.msg} (column {error.colno})") from None
    except UnicodeEncodeError:
        raise BadLineError("not JSON: half of a surrogate pair") from None
    except RecursionError:
        raise BadLineError("not JSON: nested too deeply") from None
    except ValueError as error:
        raise BadLineError(f"not JSON: {error}") from None
    return value


_LONGEST_INTEGER = 20


def _integer(digits: str) -> int:
    # Python takes long to read very long numbers, and refuses those of more than some thousand digits.
    value = int(digits) if len(digits) <= _LONGEST_INTEGER else None
    if value is None or not -(2**63) <= value < 2**64:
        raise ValueError(f"the integer {digits[:_LONGEST_INTEGER]}… is beyond 64 bits")
    return value


_STRICT = json.JSONDecoder(parse_int=_integer)


def _loads(line: bytes) -> Any:
    """As `parse`, with other errors, and with integers of any size, which no column takes."""
    return parse(line) if b"\\u" in line else json.loads(line.decode())


fast_loads: Callable[[bytes], Any] = _loads if orjson is None else orjson.loads
