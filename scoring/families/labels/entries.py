"""Counts of the corpus as they are found, entry by entry, and the rows of units that they add up to."""

from dataclasses import dataclass, field

import numpy as np

from scoring.columns import Array, Integers
from scoring.rows import Rows, rows_of_entries


@dataclass
class Entries:
    """Holds what single items add to the columns of their units."""

    unit: Integers | None  # (n,) of each item; None where each is its own
    slice: Integers | None  # (n,) of each item; None where there is one
    shape: tuple[int, int, int]  # (units, slices, kinds)
    _cells: list[tuple[Array, Array, Array]] = field(default_factory=list)  # units, columns, values

    def add(self, kind: int | Integers, items: Integers, values: Array | None = None) -> None:
        """Add `values`, or 1, of these items (m,) to the column `kind`, which may be one for each item."""
        column = np.full(len(items), kind, dtype=np.int32) if isinstance(kind, int) else kind.astype(np.int32)
        if self.slice is not None:
            column += (self.slice[items] * self.shape[2]).astype(np.int32)
        unit = items if self.unit is None else self.unit[items]
        self._cells.append(
            (unit.astype(np.int32), column, np.ones(len(items), dtype=np.int8) if values is None else values)
        )

    def rows(self) -> Array | Rows:
        """Return the sums: (units, slices, kinds)."""
        return rows_of_entries(self.shape, self._cells)
