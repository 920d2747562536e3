"""What is wrong with files, and what looks odd in them, for a terminal: in the words and the order of a site's page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from scoring.display.printable import one_line

Cause = Mapping[str, Any]  # the fields of an `Explanation`, as the API of a site has them; empty ones may be left out
_MOST_PLACES = 5  # files of a cause that are listed


def causes_text(causes: Iterable[Cause]) -> str:
    """Return the causes below each other, under the names of their scenarios where these differ.

    >>> print(causes_text([{
    ...     "message": "Label 'rebort' is unknown", "further": "and 2 more of this kind", "number": 2,
    ...     "places": [{"file": "run.csv", "lines": "lines 2 to 4"}], "quote": "d1,rebort", "mended": "d1,report",
    ... }]))
    run.csv:2: Label 'rebort' is unknown (and 2 more of this kind)
        lines 2 to 4
        2 | d1,rebort
        → | d1,report
    """
    parts = [(name, [*of_scenario]) for name, of_scenario in groupby(causes, lambda cause: cause.get("scenario_name"))]
    lines = []
    for name, of_scenario in parts:
        lines += [f"{name}:"] if name and len(parts) > 1 else []
        lines += [line for cause in of_scenario for line in _cause_lines(cause)]
    return "\n".join(map(one_line, lines))


def _cause_lines(cause: Cause) -> Iterator[str]:
    """Yield the message behind its place, as compilers write it, then where it is, what stands there, and a hint."""
    places, number = cause.get("places") or [], cause.get("number")
    place = ":".join(str(part) for part in (places[0]["file"] if places else None, number) if part is not None)
    message = cause["message"].partition("\n")[0]
    further = f" ({cause['further']})" if cause.get("further") else ""
    yield (f"{place}: " if place else "") + message[:1].upper() + message[1:] + further
    for line in _below(cause, places, number):
        yield f"    {line}"


def _below(cause: Cause, places: list[Mapping[str, Any]], number: int | None) -> Iterator[str]:
    yield from (cause.get("script") or "").splitlines()
    if places and re.findall(r"[0-9]+", places[0]["lines"]) not in ([], [str(number)]):
        yield places[0]["lines"]
    yield from (": ".join(filter(None, (place["file"], place["lines"]))) for place in places[1:_MOST_PLACES])
    if len(places) > _MOST_PLACES:
        yield f"… (+{len(places) - _MOST_PLACES})"
    if cause.get("quote"):
        yield f"{number} | {cause['quote']}"
    if cause.get("mended"):
        yield f"{'→':>{len(str(number))}} | {cause['mended']}"
    if cause.get("hint"):
        yield cause["hint"]


def oddity_line(oddity: Mapping[str, Any]) -> str:
    """Return a line for an oddity: where it begins, what it is, and what would mend it."""
    place = ":".join(str(part) for part in (oddity["file"], oddity["line"]) if part is not None)
    hint = f" ({oddity['suggestion']})" if oddity["suggestion"] else ""
    return one_line(f"{place}: {oddity['message']}{hint}" if place else f"{oddity['message']}{hint}")
