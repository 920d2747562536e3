"""Finding columns in a header, and what to say where one is not there."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from scoring.readers.problems import Problems
from scoring.readers.tables.careful import Records
from scoring.readers.tables.layout import PLURALS

_NAMED = 20  # columns in a message
_LONGEST = 100  # characters of a name that others are likened to
_SHOWN = 40  # characters of a name in a message


def places_of(
    names: Sequence[str], header: Sequence[str], line: str, sign: str, problems: Problems, at: int
) -> list[int]:
    """Where each of the wanted columns stands in a header; -1 where it is not there, which is a problem at line `at`.

    `line` is the header as written, which other delimiters than `sign` might divide better.

    >>> problems = Problems("run.csv")
    >>> places_of(["id", "label"], ["id", "Label"], "id,Label", ",", problems, 1)
    [0, -1]
    >>> print(*problems.listed())
    run.csv:1: column 'label' not found; there are 'id', 'Label'; did you mean 'Label'?
    """
    place: dict[str, int] = {}
    for index, name in enumerate(header):
        if place.setdefault(name, index) != index and name in names:
            problems.add(f"column {shown(name)} stands twice", at)
    missing = [name for name in names if name not in place]
    other = _other_sign(names, line, sign) if missing else None
    for name in missing:
        hint = f"; the columns are separated by {PLURALS[other]}, expected {PLURALS[sign]}" if other else None
        problems.add(f"column {shown(name)} not found{hint or among(name, header)}", at)
    return [place.get(name, -1) for name in names]


def among(name: str, there: Collection[str]) -> str:
    """What there is instead of a name, and which of it may be meant.

    >>> among("label", ["id", "lable"])
    "; there are 'id', 'lable'; did you mean 'lable'?"
    """
    named = ", ".join(shown(each) for each in list(there)[:_NAMED]) + (", …" if len(there) > _NAMED else "")
    guess = did_you_mean(name, there)
    return f"; there is {named}{guess}" if len(there) == 1 else f"; there are {named or 'none'}{guess}"


def did_you_mean(name: str, there: Iterable[str]) -> str:
    """A question for the nearest name: one that differs in case alone, else the most similar; "" if none is near."""
    if len(name) > _LONGEST:
        return ""
    known = [each for each in there if len(each) <= _LONGEST][:_LONGEST]
    same = [each for each in known if each.casefold() == name.casefold()]
    near = same or get_close_matches(name, known, n=1)
    return f"; did you mean {shown(near[0])}?" if near else ""


def shown(text: str) -> str:
    """A text in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _other_sign(names: Sequence[str], line: str, sign: str) -> str | None:
    """A delimiter with which the header would have all that is wanted."""
    for other in PLURALS:
        fields = next(iter(Records(line, other, quotes=True)), None) if other != sign else None
        if fields and fields.cells is not None and {cell.strip() for cell in fields.cells}.issuperset(names):
            return other
    return None
