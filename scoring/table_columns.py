"""Columns of tables: how a page and a file call and write what the records of a table hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Column:
    """A column of a table, declared once by the family whose table it is.

    A column with the key of a score is written as that score, and any other number with three decimals.
    """

    key: str  # as in the table's records
    title: str = ""  # its heading in English; empty where the key, with blanks, says it
    # Whether it is a share as the score that ranks usually is, such as the F1 of a label: then both are written alike.
    is_share: bool = False
    is_main: bool = False  # whether it alone says how good a row is
    is_shown: bool = True  # False: for files and programs alone
    of: str = ""  # a score of the run without which the column has nothing to tell; empty for none
    # What a spreadsheet holds in place of the value, with {key} for the cell of another column; empty for the value.
    formula: str = ""

    @property
    def heading(self) -> str:
        """Return the heading in English."""
        return self.title or self.key.replace("_", " ")


Columns = Mapping[str, Sequence[Column]]  # {name of a table, or a pattern of names: its columns, in a page's order}


def unshown(*keys: str) -> tuple[Column, ...]:
    """Return columns that no page shows."""
    return tuple(Column(key, is_shown=False) for key in keys)


def columns_of(tables: Columns, name: str) -> Sequence[Column]:
    """Return the columns of the table of this name; none where nobody has declared them.

    >>> [column.heading for column in columns_of({"spans_*": [Column("tp", "right"), Column("auc")]}, "spans_sc")]
    ['right', 'auc']
    """
    return next((columns for pattern, columns in tables.items() if fnmatchcase(name, pattern)), ())


def formulas(columns: Iterable[Column]) -> dict[str, str]:
    """Return what a spreadsheet computes: {key of a column: its formula}."""
    return {column.key: column.formula for column in columns if column.formula}
