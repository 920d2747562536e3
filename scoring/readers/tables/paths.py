"""Names of columns that lead further than to a cell: into a list of objects, and to a part of a cell.

markers[].type    in JSON, the key `type` of each object in the list `markers`; each object makes a row
labels[]          in JSON, each text, number or truth value in the list `labels`; each makes a row
a|b[].type        the same, where the list is called `a` or `b`
Causal_type[1]    in JSON, the second of the list `Causal_type`, and nothing where the object has no such list
VA#2              the second of the parts of the column `VA` that `#` divides
#                 as an id, the number of the row: rows of two files pair by their order
    4                 in a table without header, if all names are such, the fourth column
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from scoring.errors import ConfigurationError
from scoring.messages import Message
from scoring.readers.tables.layout import Column
from scoring.readers.whole_json import ROW_NUMBER as ROW_NUMBER
from scoring.readers.whole_json import list_in as list_in

_INTO_LIST = re.compile(r"([^\[\]]+)\[\](?:\.([^\[\]]+))?")
_OF_LIST = re.compile(r"([^\[\]]+)\[([0-9])\]")
_PLACE = re.compile(r"[1-9][0-9]{0,2}")
_PART = re.compile(r"(.+)#([1-9])")


def list_and_key(name: str) -> tuple[str | None, str]:
    """Return the list that a name leads into, if it does, and the key in its objects, empty where it has none.

    >>> list_and_key("markers[].type"), list_and_key("labels[]"), list_and_key("label")
    (('markers', 'type'), ('labels', ''), (None, 'label'))
    """
    match = _INTO_LIST.fullmatch(name)
    return (match[1], match[2] or "") if match else (None, name)


def key_looked_for(name: str) -> str:
    """Return the key by which a file can be told to have a column of this name.

    >>> key_looked_for("markers[].type"), key_looked_for("labels[]")
    ('type', 'labels')
    """
    list_name, key = list_and_key(name)
    return key or str(list_name)


def key_and_place(name: str) -> tuple[str, int] | None:
    """Return the key of a list and which of it a name means, from 0; None of any other name.

    >>> key_and_place("Causal_type[1]"), key_and_place("label")
    (('Causal_type', 1), None)
    """
    parts = _OF_LIST.fullmatch(name)
    return (parts[1], int(parts[2])) if parts else None


def list_of(names: Sequence[str]) -> str | None:
    """Return the one list that any of these names lead into; ConfigurationError if there are two."""
    lists = dict.fromkeys(list_name for list_name, _ in map(list_and_key, names) if list_name is not None)
    if len(lists) > 1:
        raise ConfigurationError(
            Message(
                "two-lists-in-names",
                "the names of columns lead into two lists, {first!r} and {second!r}: a row is an object of one",
                first=[*lists][0],
                second=[*lists][1],
            )
        )
    return next(iter(lists), None)


def numbered_places(names: Sequence[str]) -> list[int] | None:
    """Return where the columns of a table without header stand, if all names are numbers of columns.

    >>> numbered_places(["1", "4"]), numbered_places(["id", "4"])
    ([0, 3], None)
    """
    return [int(name) - 1 for name in names] if names and all(map(_PLACE.fullmatch, names)) else None


def whole_and_part(name: str) -> tuple[str, int | None]:
    """Return the column of which a name means a part, and which one, from 1.

    >>> whole_and_part("Aspect_VA[].VA#2"), whole_and_part("label")
    (('Aspect_VA[].VA', 2), ('label', None))
    """
    match = _PART.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)


def whole(column: Column) -> Column:
    """Return the column that has to be read for this one, which may be a part of it."""
    name, part = whole_and_part(column.name)
    return column if part is None else replace(column, name=name, kind="text")


def part_of(cell: str, part: int) -> str | None:
    """Return the part of a cell with this number; None where it has fewer.

    >>> part_of("7.50#6.20", 2), part_of("7.50", 2)
    ('6.20', None)
    """
    parts = cell.split(ROW_NUMBER)
    return parts[part - 1].strip() if part <= len(parts) else None
