"""Finding columns in a header, and what to say where one is not there."""

from collections.abc import Collection, Sequence

from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.tables.layout import PLURALS
from scoring.readers.tables.records import Records
from scoring.spelling.strings import meant_by, nearest

_NAMED = 20  # columns in a message
_SHOWN = 40  # characters of a name in a message


def places_of(
    names: Sequence[str], header: Sequence[str], line: str, sign: str, problems: Problems, at: int
) -> list[int]:
    """Find where each wanted column stands in a header; -1 where it is not there, which is a problem at line `at`.

    `line` is the header as written, which other delimiters than `sign` might divide better.

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
    if missing and not other and _are_data(header, names):
        problems.add(_no_heading(names, header, sign), at)
        missing = []
    for name in missing:
        problems.add(_not_found(name, header, sign, other, meant_by(name, names, header)), at)
    return [place.get(name, -1) for name in names]


def listed(names: Collection[str]) -> str:
    """Quote the first of these names."""
    return ", ".join(shown(name) for name in list(names)[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def shown(text: str) -> str:
    """Quote a text, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _are_data(header: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a first line looks like a row: wide enough, with digits, no name near a wanted one."""
    has_digits = any(character.isdigit() for cell in header for character in cell)
    return has_digits and len(header) >= len(names) and not any(nearest(name, header) for name in names)


def _no_heading(names: Sequence[str], header: Sequence[str], sign: str) -> str:
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
        )
    if meant:
        return Message(
            "column-not-found-header-did",
            "column {name} not found; the header has {listed}; did you mean {near}? Rename it to {name}",
            name=shown(name),
            listed=listed(header),
            near=shown(meant),
        )
    return Message(
        "column-not-found-header",
        "column {name} not found; the header has {listed}",
        name=shown(name),
        listed=listed(header),
    )


def _other_sign(names: Sequence[str], line: str, sign: str) -> str | None:
    """Return a delimiter with which the header would have all that is wanted."""
    for other in PLURALS:
        fields = next(iter(Records(line, other, quotes=True)), None) if other != sign else None
        if fields and fields.cells is not None and {cell.strip() for cell in fields.cells}.issuperset(names):
            return other
    return None
