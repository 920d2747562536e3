"""Several labels in one cell: a set of them, or guesses in order."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Integers, ranges, starts_from_sizes
from scoring.messages import Message
from scoring.readers.tables import Cells, shown, tidy

# A text or an integer of a list as Python writes it, and what stands behind it.
_PYTHON_ITEM = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?[0-9]{1,18})\s*([,\]])""")


@dataclass(frozen=True)
class Sets:
    """Label codes of n rows, those of a row beside each other and in its order."""

    starts: Integers  # (n + 1,)
    codes: Integers  # (sum of sizes,)

    @property
    def sizes(self) -> Integers:
        """Return how many labels each row has: (n,)."""
        return np.diff(self.starts)

    def taken(self, rows: Integers) -> "Sets":
        """Return the sets of some rows; a row of −1 has none.

        >>> Sets(np.array([0, 2, 3]), np.array([7, 8, 9])).taken(np.array([1, -1, 0])).codes
        array([9, 7, 8])
        """
        sizes = np.append(self.sizes, 0)[rows]
        return Sets(starts_from_sizes(sizes), self.codes[ranges(np.append(self.starts[:-1], 0)[rows], sizes)])


@dataclass(frozen=True)
class Parsed:
    """Holds what the different cells of a column say."""

    which: Integers  # (n,) which of them each row has
    labels: list[list[str]]  # of each of them
    problems: list[str | None]  # what is wrong with it


def parsed(cells: Cells, separator: str) -> Parsed:
    """Parse the labels of each cell; each different text is parsed once.

    >>> found = parsed(Cells(["a; b", '["a", 1]', ""]), ";")
    >>> [found.labels[each] for each in found.which]
    [['a', 'b'], ['a', '1'], []]
    """
    which, texts = cells.values()
    labels, problems = [], []
    for text in texts:
        parts = [*labels_in(text, separator)]
        problems.append(_problem(parts))
        labels.append([part for part in parts if part is not None])
    return Parsed(which, labels, problems)


def sets_of(which: Integers, codes: list[list[int]]) -> Sets:
    """Make the sets of rows (n,) of which each has one of these lists of codes."""
    sizes = np.fromiter(map(len, codes), np.int64, len(codes))
    flat = np.fromiter((code for of_item in codes for code in of_item), np.int64, int(sizes.sum()))
    return Sets(starts_from_sizes(sizes), flat).taken(which)


def first_codes(sets: Sets, none: int) -> Integers:
    """Return the first label of each row, `none` where it has none: (n,).

    >>> first_codes(Sets(np.array([0, 2, 2]), np.array([3, 1])), none=9)
    array([3, 9])
    """
    return np.where(sets.sizes > 0, np.append(sets.codes, none)[sets.starts[:-1]], none)


def labels_in(text: str, separator: str) -> Iterator[str | None]:
    """Yield the labels of a cell, also one several times; None for what cannot be one."""
    if not text:
        return
    listed = list_in_cell(text)
    yield from map(tidy, text.split(separator)) if listed is None else map(_label, listed)


def list_in_cell(text: str) -> list[Any] | None:
    """Return the list that a cell holds, as JSON or Python writes it; None of any other text.

    >>> list_in_cell('["a", 1]'), list_in_cell("['a', 'b']"), list_in_cell("a;b")
    (['a', 1], ['a', 'b'], None)
    """
    if not text.startswith("["):
        return None
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return _python_list(text)
    return listed if isinstance(listed, list) else None


def _python_list(text: str) -> list[Any] | None:
    """Return a list of texts and integers in the syntax of Python, literal by literal, so that nothing nests."""
    listed, place = [], 1
    while item := _PYTHON_ITEM.match(text, place):
        try:
            listed.append(ast.literal_eval(item[1]))
        except (ValueError, SyntaxError):
            return None
        place = item.end()
        if item[2] == "]":
            return listed if place == len(text) else None
    return None


def _label(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return tidy(str(value)) if isinstance(value, str | int) else None
    except ValueError:  # more digits than Python writes
        return None


def _problem(parts: list[str | None]) -> str | None:
    if None in parts:
        return Message("label-must-string-integer", "label must be a string or an integer")
    if "" in parts:
        return Message("empty-label", "empty label")
    if len(set(parts)) < len(parts):
        return Message("label-twice", "label {own} twice", own=shown(_repeated(parts)))
    return None


def _repeated(parts: list[str | None]) -> str:
    seen: set[str | None] = set()
    return next(part or "" for part in parts if part in seen or seen.add(part))  # type: ignore[func-returns-value]
