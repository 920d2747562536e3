"""Cells of a column, and what can be asked of all of them at once."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers
from scoring.spelling.strings import composed


class Cells(tuple[str, ...]):
    """The texts of n cells."""

    __slots__ = ()

    def taken(self, rows: NDArray[np.integer] | Flags) -> "Cells":
        """Return some of them, by index or flag."""
        return Cells(map(self.__getitem__, np.arange(len(self))[rows].tolist()))

    def texts(self) -> list[str]:
        """Return all in a list."""
        return [*self]

    def codes(self) -> tuple[Integers, Integers]:
        """Return the number of each one's value, in the order of first sight, (n,).

        Also the first row of each value, (values,).

        >>> Cells(["b", "a", "b"]).codes()
        (array([0, 1, 0]), array([0, 1]))
        """
        first: dict[str, int] = {}
        row_of = np.fromiter(map(first.setdefault, self, range(len(self))), np.int64, len(self))
        rows = np.fromiter(first.values(), np.int64, len(first))
        return np.searchsorted(rows, row_of), rows

    def values(self) -> tuple[Integers, list[str]]:
        """Return the number of each one's value, (n,), and the texts of these values in the order of first sight.

        >>> Cells(["b", "a", "b"]).values()
        (array([0, 1, 0]), ['b', 'a'])
        """
        code, row = self.codes()
        return code, [self[first] for first in row.tolist()]

    def firsts(self) -> Integers | None:
        """Return for each the first row with an equal cell, (n,); None if all cells differ.

        >>> Cells(["b", "a", "b"]).firsts()
        array([0, 1, 0])
        """
        code, row = self.codes()
        return row[code] if len(row) < len(self) else None

    def is_blank(self) -> Flags:
        """Return whether it is empty, (n,); cells of a table have no blanks around them."""
        return np.array([not text for text in self], dtype=bool)


def tidied(texts: Iterable[str]) -> Cells:
    """Make cells of these texts, each as `tidy` makes it."""
    # Without a call for each of the usual ones: text in ASCII is composed.
    return Cells([text.strip() if text.isascii() else tidy(text) for text in texts])


def tidy(text: str) -> str:
    r"""Return a cell without the blanks around it, in Unicode's composed form (NFC): cells are equal if this is.

    >>> tidy(" nin\u0303o\t")
    'niño'
    """
    return composed(text.strip())
