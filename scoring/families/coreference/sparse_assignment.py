"""Large components of a sparse table, matched by SciPy in memory that grows with the cells alone."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

_Table = dict[int, dict[int, float]]


def best_pairs(table: _Table) -> list[tuple[int, int]]:
    """(row, column) of the matching with the greatest sum of weights.

    SciPy matches every row, so each one also gets a column of its own of weight 0. All weights are raised by
    one, because SciPy leaves edges of weight 0 out; as every row is matched once, this changes no choice.
    """
    rows = list(table)
    columns = list(dict.fromkeys(column for cells in table.values() for column in cells))
    place = {column: k for k, column in enumerate(columns)}
    sizes = [len(cells) for cells in table.values()]
    row = np.repeat(np.arange(len(rows)), sizes)
    column = np.array([place[c] for cells in table.values() for c in cells])
    weight = np.array([w for cells in table.values() for w in cells.values()], dtype=np.float64)
    alone = np.arange(len(rows))
    graph = coo_array(
        (
            np.concatenate([weight, np.zeros(len(rows))]) + 1,
            (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone])),
        ),
        shape=(len(rows), len(columns) + len(rows)),
    ).tocsr()
    chosen_rows, chosen = min_weight_full_bipartite_matching(graph, maximize=True)
    return [
        (rows[r], columns[c]) for r, c in zip(chosen_rows.tolist(), chosen.tolist(), strict=True) if c < len(columns)
    ]
