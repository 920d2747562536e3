"""Means and variances over the resamples, as columns of a table.

MATScore prints them as "confidence data". They come from the same draws as the intervals, always from the first 1,000,
which is the number of the original.
"""

import math
from collections.abc import Iterable, Mapping

from scoring.columns import Floats
from scoring.family import Record, Table
from scoring.significance import Block, moments, resampled
from scoring.table_columns import Column, unshown

_RESAMPLES = 1_000
_SUFFIXES = ("mean", "variance", "stddev")

Moments = tuple[Floats, Floats, Floats]  # mean, variance and standard deviation, each (groups,)


def records_with_moments(table: Table, seed: int) -> list[Record]:
    """Return the rows of a table; if it asks for them, with moments over 1,000 resamples behind its scores."""
    if table.moments is None or table.rows is None:
        return table.records
    values = resampled(Block(table.rows, table.moments), seed, _RESAMPLES)
    return with_columns(table.records, {name: moments(drawn, len(table.rows)) for name, drawn in values.items()})


def moments_columns(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns that stand behind these in files with moments; no page shows them."""
    return unshown(*(f"{column.key}_{suffix}" for column in columns for suffix in _SUFFIXES))


def with_columns(records: list[Record], by_column: Mapping[str, Moments]) -> list[Record]:
    """Put three columns more behind each that `by_column` names; None stands for NaN.

    >>> import numpy as np
    >>> by_column = {"f1": tuple(np.array([value]) for value in (0.5, 0.04, 0.2))}
    >>> with_columns([{"tag": "PER", "f1": 0.6, "gold": 9}], by_column)
    [{'tag': 'PER', 'f1': 0.6, 'f1_mean': 0.5, 'f1_variance': 0.04, 'f1_stddev': 0.2, 'gold': 9}]
    """
    # {column: for each record the three values}
    more = {
        name: list(zip(*(map(_value, part.tolist()) for part in parts), strict=True))
        for name, parts in by_column.items()
    }
    return [
        {
            column: cell
            for name, value in record.items()
            for column, cell in [(name, value), *_columns(name, more[name][row] if name in more else ())]
        }
        for row, record in enumerate(records)
    ]


def _columns(name: str, values: tuple[float | None, ...]) -> list[tuple[str, float | None]]:
    """Return the further columns behind one column; none if there are no values for it."""
    return [(f"{name}_{suffix}", value) for suffix, value in zip(_SUFFIXES, values, strict=False)]


def _value(value: float) -> float | None:
    return None if math.isnan(value) else value
