"""Finding columns in a header, and what to say where one is not there."""

import re
from collections.abc import Collection, Sequence

from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.tables.layout import PLURALS
from scoring.readers.tables.records import Records
from scoring.spelling.strings import all_meant_by, meant_by, nearest

_NAMED = 20  # columns in a message
_SHOWN = 40  # characters of a name in a message
NAMELESS = "Unnamed: {place}"  # what pandas calls a column without a name, by its place from 0
INTO_LIST = re.compile(r"[^\[\]]+\[\]\.([^\[\]#]+)$")  # a column that leads into a list of JSON, and its key there
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def places_of(
    names: Sequence[str],
    header: Sequence[str],
    line: str,
    sign: str,
    problems: Problems,
    at: int,
    numeric: Collection[str] = (),
) -> list[int]:
    """Find where each wanted column stands in a header; -1 where it is not there, which is a problem at line `at`.

    `line` is the header as written, which other delimiters than `sign` might divide better; `numeric` are those of the
    columns that hold numbers.

    >>> problems = Problems("run.csv")
    >>> places_of(["id", "label"], ["id", "Label"], "id,Label", ",", problems, 1)
    [0, -1]
    >>> print(*problems.listed())
    run.csv:1: column 'label' not found; the header has 'id', 'Label'; did you mean 'Label'? Rename it to 'label'
    """
    place: dict[str, int] = {}
    for index, name in enumerate(header):
        if place.setdefault(name, index) != index and name in names:
            problems.add(Message("column-stands-twice", "column {name} stands twice", name=shown(name)), at)
    missing = [name for name in names if name not in place]
    other = _other_sign(names, line, sign) if missing else None
    if missing and not other and are_data(header, names):
        problems.add(no_heading(_in_order_of(header, names, numeric), header, sign), at)
        missing = []
    for name in missing:
        near = [] if other else all_meant_by(name, names, header)
        inner = INTO_LIST.match(name)
        meant = inner[1] if inner and inner[1] in header else meant_by(name, names, header)
        problems.add(_either(name, near) if len(near) > 1 else _not_found(name, header, sign, other, meant), at)
    return [place.get(name, -1) for name in names]


def listed(names: Collection[str]) -> str:
    """Quote the first of these names."""
    return ", ".join(shown(name) for name in list(names)[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def shown(text: str) -> str:
    """Quote a text, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def are_data(header: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a first line looks like a row: wide enough, with digits, no name near a wanted one."""
    named = [cell for cell in header if not cell.startswith(NAMELESS.format(place=""))]
    has_digits = any(character.isdigit() for cell in named for character in cell)
    return has_digits and len(header) >= len(names) and not any(nearest(name, header) for name in names)


def _in_order_of(row: Sequence[str], names: Sequence[str], numeric: Collection[str]) -> Sequence[str]:
    """Return two names in the order of a row's cells, where only one of the columns holds numbers."""
    are_numbers = [bool(_NUMBER.fullmatch(cell)) for cell in row]
    if len(names) == len(row) == 2 and [name in numeric for name in names] == are_numbers[::-1] == [False, True]:
        return names[::-1]
    return names


def no_heading(names: Sequence[str], header: Sequence[str], sign: str) -> str:
    """Say which heading is to be written above a first line, `header`, that is none."""
    if sign == "\t":
        return Message(
            "heading-missing-tabs",
            "the heading is missing, and the first line has {listed}: write {heading} above it, where ⇥ is a tab",
            listed=listed(header),
            heading="⇥".join(names),
        )
    return Message(
        "heading-missing",
        "the heading is missing, and the first line has {listed}: write {heading} above it",
        listed=listed(header),
        heading=repr(sign.join(names)),
    )


def _not_found(name: str, header: Sequence[str], sign: str, other: str | None, meant: str | None) -> str:
    if other:
        there, expected = PLURALS[other], PLURALS[sign]
        return Message(
            "column-not-found-columns",
            "column {name} not found; the columns are separated by {found}, expected {expected}",
            name=shown(name),
            found=there,
            expected=expected,
            listed=listed(header),  # for who tells it without the signs
        )
    if meant:
        return Message(
            "column-not-found-header-did",
            "column {name} not found; the header has {listed}; did you mean {near}? Rename it to {name}",
            name=shown(name),
            listed=listed(header),
            near=shown(meant),
        )
    return column_not_found(shown(name), listed(header))


def _either(name: str, near: Sequence[str]) -> Message:
    return Message(
        "column-not-found-either",
        "column {name} not found; {listed} may be meant: rename the one that you mean to {name}",
        name=shown(name),
        listed=listed(near),
    )


def column_not_found(name: str, header: str) -> Message:
    """Say that a column is missing, and which ones there are."""
    return Message(
        "column-not-found-header", "column {name} not found; the header has {listed}", name=name, listed=header
    )


def heading_missing(first_line: str) -> Message:
    """Say that a first line is no heading."""
    return Message(
        "heading-missing-first-line", "the heading is missing, and the first line has {listed}", listed=first_line
    )


def _other_sign(names: Sequence[str], line: str, sign: str) -> str | None:
    """Return a delimiter with which the header would have all that is wanted, or names that may be meant."""
    for other in PLURALS:
        fields = next(iter(Records(line, other, quotes=True)), None) if other != sign else None
        cells = [cell.strip() for cell in fields.cells] if fields and fields.cells is not None else []
        meant = [name in cells or (sign not in line and meant_by(name, names, cells)) for name in names]
        if cells and all(meant):
            return other
    return None
