"""Says of a row with another number of fields than the heading why that is so, where its cells tell."""

import re
from collections.abc import Sequence
from typing import Any

from scoring.messages import Message
from scoring.readers.tables.layout import PLURALS
from scoring.readers.tables.records import Records

_DIGITS = re.compile(r"[-+]?\d+")


def other_fields(cells: Sequence[str], n_fields: int, records: Records, *, heading_ends: bool = False) -> Message:
    """Return what is said of a row with another number of fields than it should have.

    `records` are those of which it is one, and `heading_ends` whether the heading ends in a separator.

    >>> records = Records("", ",", quotes=True)
    >>> print(other_fields(["a", "3", "1"], 2, records))
    3 fields instead of 2; numbers contain commas: write decimal points
    >>> print(other_fields(["a;b"], 2, records))
    1 field instead of 2; the columns are separated by semicolons, expected commas
    """
    sign = records.sign
    values: dict[str, Any] = {"fields": number_of_fields(len(cells)), "n_fields": n_fields}
    surplus = len(cells) - n_fields
    if surplus == 1 and not cells[-1].strip():
        return Message(
            "fields-line-ends",
            "{fields} instead of {n_fields}; the line ends in a separator: take it out",
            **values,
        )
    if surplus == -1 and heading_ends:
        return Message(
            "fields-heading-ends",
            "{fields} instead of {n_fields}; the heading ends in a separator: take it out",
            **values,
        )
    if surplus < 0 and (other := _other_sign(cells, n_fields, sign)):
        return Message(
            "fields-other-sign",
            "{fields} instead of {n_fields}; the columns are separated by {found}, expected {expected}",
            **values,
            found=PLURALS[other],
            expected=PLURALS[sign],
        )
    if surplus == 1 and sign == "," and decimals_at(cells) is not None:
        return Message(
            "fields-decimals",
            "{fields} instead of {n_fields}; numbers contain commas: write decimal points",
            **values,
        )
    if surplus > 0 and records.quotes:
        return Message(
            "fields-quotes",
            "{fields} instead of {n_fields}; put a cell that contains {signs} in double quotes",
            **values,
            signs=PLURALS[sign],
        )
    return without_reason(**values)


def without_reason(fields: str, n_fields: int, **_: object) -> Message:
    """Say how many fields there are and should be."""
    return Message("fields-n-fields-instead", "{fields} instead of {n_fields}", fields=fields, n_fields=n_fields)


def number_of_fields(number: int) -> Message:
    return Message.counted("n-fields", "1 field", "{n} fields", number)


def decimals_at(cells: Sequence[str]) -> int | None:
    """Return the place of the only two neighbours that are whole numbers, as those before and behind a comma."""
    places = [k for k in range(len(cells) - 1) if all(_DIGITS.fullmatch(cell.strip()) for cell in cells[k : k + 2])]
    return places[0] if len(places) == 1 else None


def _other_sign(cells: Sequence[str], n_fields: int, sign: str) -> str | None:
    """Return the sign by which a row would have the fields of the heading."""
    line = sign.join(cells)
    return next((other for other in PLURALS if other != sign and line.count(other) == n_fields - 1), None)
