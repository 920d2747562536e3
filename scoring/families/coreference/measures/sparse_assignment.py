"""Large components of a sparse table, matched by SciPy in memory that grows with the cells alone.

A module of its own, because importing SciPy's sparse matrices takes longer than most evaluations.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

_Table = dict[int, dict[int, float]]


def best_pairs(table: _Table) -> list[tuple[int, int]]:
    """Match rows and columns so that the weights' sum is the greatest, from {row: {column: weight}}.

    SciPy matches every row, so each one also gets a column of its own of weight 0, which means that it stays alone. All
    weights are raised by one, because SciPy leaves edges of weight 0 out; as every row is matched once, this adds the
    same to each matching and changes no choice.

    >>> sorted(best_pairs({0: {0: 3, 1: 2}, 1: {0: 2.5, 1: 1}, 2: {0: 1}}))
    [(0, 1), (1, 0)]
    """
    rows = list(table)
    columns = list(dict.fromkeys(column for cells in table.values() for column in cells))
    index_of = {column: index for index, column in enumerate(columns)}
    sizes = [len(cells) for cells in table.values()]
    # Of each edge (edges,): the index of its row, that of its column, its weight.
    row = np.repeat(np.arange(len(rows)), sizes)
    column = np.array([index_of[c] for cells in table.values() for c in cells])
    weight = np.array([w for cells in table.values() for w in cells.values()], dtype=np.float64)
    # Row i's own column stands behind all others, at len(columns) + i.
    alone = np.arange(len(rows))
    graph = coo_array(
        (
            np.concatenate([weight, np.zeros(len(rows))]) + 1,
            (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone])),
        ),
        shape=(len(rows), len(columns) + len(rows)),
    ).tocsr()
    # Both (rows,): a row and the column that it is matched with.
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph, maximize=True)
    pairs = zip(matched_rows.tolist(), matched_columns.tolist(), strict=True)
    return [(rows[r], columns[c]) for r, c in pairs if c < len(columns)]
