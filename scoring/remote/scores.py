"""Reads what a judge's program says of a run: units with scores, as JSON Lines, CSV or TSV."""

import csv
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

_MOST_TOLD = 10  # problems
_COLUMNS = ("unit", "score")
_AT = re.compile(r"scores\[(\d+)\]")
Row = tuple[str, float]


@dataclass(frozen=True)
class Scores:
    """The scores in the order in which they stand, and the line of each."""

    rows: list[Row]
    lines: list[int]

    def line_of(self, place: str) -> str:
        """Return how to begin a problem that the site tells at `place`, such as scores[3].score.

        >>> Scores([("a", 0.5)], [2]).line_of("scores[0].score")
        'line 2: '
        """
        match = _AT.match(place)
        is_there = match and int(match[1]) < len(self.lines)
        return f"line {self.lines[int(match[1])]}: " if match and is_there else ""


def read_scores(content: bytes) -> Scores:
    r"""Return the scores; ValueError with all problems, each behind its line.

    A table begins with a line of names, unit and score among them; of two columns the line may be left out.

    >>> read_scores(b'{"unit": "u1", "score": 0.5}\n').rows
    [('u1', 0.5)]
    >>> read_scores(b"unit\tscore\nu1\t0.5\n").rows, read_scores(b"u1,0.5\nu2,1\n").rows
    ([('u1', 0.5)], [('u1', 0.5), ('u2', 1.0)])
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 from byte {error.start} on") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ValueError("nothing was printed or written")
    read = _of_json if lines[0][1].lstrip().startswith("{") else _of_table
    rows, places, problems = [], [], []
    for number, row in read(lines):
        if isinstance(row, str):
            problems.append(f"line {number}: {row}")
        else:
            rows.append(row)
            places.append(number)
    if problems:
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        raise ValueError("\n  ".join([*problems[:_MOST_TOLD], *more]))
    return Scores(rows, places)


def _of_json(lines: list[tuple[int, str]]) -> Iterator[tuple[int, Row | str]]:
    """Yield of each line its number, and its row or what is wrong with it."""
    for number, line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            yield number, "not JSON"
            continue
        if not isinstance(record, dict) or not all(key in record for key in _COLUMNS):
            yield number, "an object with unit and score is needed"
            continue
        yield number, _row(record["unit"], record["score"])


def _of_table(lines: list[tuple[int, str]]) -> Iterator[tuple[int, Row | str]]:
    delimiter = "\t" if "\t" in lines[0][1] else ","
    cells = list(csv.reader([line for _, line in lines], delimiter=delimiter, strict=False))
    names = [name.strip().lower() for name in cells[0]]
    has_names = all(name in names for name in _COLUMNS)
    unit, score = (names.index(name) for name in _COLUMNS) if has_names else (0, 1)
    if not has_names and (len(names) != len(_COLUMNS) or _number(names[1]) is None):
        yield lines[0][0], f"columns unit and score are needed, found {', '.join(names)[:100]}"
        return
    # Fields with line ends in quotes are not possible here: a unit is told by its line.
    for (number, _), row in list(zip(lines, cells, strict=False))[has_names:]:
        if len(row) <= max(unit, score):
            yield number, f"{len(names)} columns are needed, found {len(row)}"
        else:
            yield number, _row(row[unit].strip(), row[score].strip())


def _row(unit: object, score: object) -> Row | str:
    number = _number(score)
    if number is None:
        return f"{score!r:.60} is no finite number"
    if isinstance(unit, bool) or not isinstance(unit, str | int) or unit == "":
        return f"{unit!r:.60} names no unit"
    return str(unit), number


def _number(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
