"""One line of JSON, and what is wrong with it."""

import json
from typing import Any

from scoring.messages import Message
from scoring.readers.json_text import KeyTwiceError, each_once, fault_in_json
from scoring.readers.problems import not_decoded


class BadLineError(ValueError):
    """The line is no JSON, or not UTF-8; the text says why, and `column`, from 1, where."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column


def loads(line: bytes) -> Any:
    """Parse the value of a line; BadLineError if there is none.

    NaN and infinite numbers come through, for the caller to name the category that has them.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        problem = not_decoded(error, None)
        raise BadLineError(problem.message, problem.column) from None
    try:
        value = _STRICT.decode(text)
        if "\\u" in text:
            # A half of a surrogate pair is no character, and cannot be encoded.
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise BadLineError(
            Message("not-json-column", "not JSON: {msg} (column {colno})", msg=fault_in_json(error), colno=error.colno)
        ) from None
    except UnicodeEncodeError:
        raise BadLineError(Message("not-json-half-surrogate", "not JSON: half of a surrogate pair")) from None
    except RecursionError:
        raise BadLineError(Message("not-json-nested-too", "not JSON: nested too deeply")) from None
    except KeyTwiceError as error:
        raise BadLineError(error.args[0]) from None
    except ValueError as error:
        raise BadLineError(Message("not-json", "not JSON: {msg}", msg=error.args[0])) from None
    return value


_LONGEST_INTEGER = 20


def _integer(digits: str) -> int:
    # Python takes long to read very long numbers, and refuses those of more than some thousand digits.
    value = int(digits) if len(digits) <= _LONGEST_INTEGER else None
    if value is None or not -(2**63) <= value < 2**64:
        raise ValueError(
            Message(
                "integer-beyond-64-bits", "the integer {digits}… is beyond 64 bits", digits=digits[:_LONGEST_INTEGER]
            )
        )
    return value


_STRICT = json.JSONDecoder(parse_int=_integer, object_pairs_hook=each_once)
