"""The items of a gold that is a table, and what divides them: units of resampling, and slices."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers
from scoring.messages import Message
from scoring.readers.tables.cells import Cells
from scoring.readers.tables.table import Table


@dataclass(frozen=True)
class Groups:
    """Holds what divides n items: the groups that are drawn together, or the slices whose scores are told apart."""

    names: list[str]  # in the order of first sight
    code: Integers  # (n,) index into `names`


@dataclass(frozen=True)
class Items:
    """n items, of which each family's gold knows more."""

    table: Table
    ids: Cells  # (n,)
    groups: Groups | None  # what is resampled; None for the items themselves

    @property
    def paths(self) -> list[str]:
        """Return the file that was read."""
        return self.table.paths

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def units(self) -> Groups:
        """Return the units of resampling: the groups, or the items."""
        return self.groups or Groups(self.ids.texts(), np.arange(len(self)))

    def of_unit(self, name: str) -> list[int]:
        """Return the items of a unit, in the gold's order; KeyError if there is no such unit."""
        if name not in self.units.names:
            raise KeyError(name)
        return np.flatnonzero(self.units.code == self.units.names.index(name)).tolist()


def groups_of(table: Table, column: str | None, rows: NDArray[np.integer] | None = None) -> Groups | None:
    """Return the groups of these rows, or of all, by a column; an empty cell is a problem of the table."""
    if column is None:
        return None
    cells = table.columns[column]
    table.add_where(cells.is_blank(), Message("column-empty", "empty {column}", column=column))
    code, names = cells.values()
    return Groups(names, code if rows is None else code[rows])
