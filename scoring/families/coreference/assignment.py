"""The one-to-one matching of greatest weight in a sparse table, solved exactly in small pieces.

What is certain is matched first, the rest falls apart into connected components, and each is solved by
shortest augmenting paths: in plain Python where it is small, by SciPy where it is large.
"""

import importlib
from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

Edge = tuple[int, int, float]
Pair = tuple[int, int]
_Table = dict[int, dict[int, float]]

_MOST_PLAIN_ROWS = 100
# Certain edges are looked for as long as a round leaves no more than this share of the edges.
_WORTHWHILE = 0.9


def best_pairs(edges: list[Edge]) -> list[Pair]:
    """(row, column) of the matching with the greatest sum; every edge (row, column, weight) weighs more than 0."""
    pairs: list[Pair] = []
    left = edges
    while left:
        certain = _certain(left)
        pairs += certain
        rows, columns = {row for row, _ in certain}, {column for _, column in certain}
        edges, left = left, [edge for edge in left if edge[0] not in rows and edge[1] not in columns]
        if len(left) > _WORTHWHILE * len(edges):
            break
    for component in _components(left):
        pairs += _solved(component)
    return pairs


def _certain(edges: list[Edge]) -> list[Pair]:
    """Edges that weigh as much as the next best ones of both their ends together.

    No matching can gain by giving such an edge up. Once they are taken, others become certain.
    """
    best_of_row: dict[int, float] = {}
    next_of_row: dict[int, float] = {}
    best_of_column: dict[int, float] = {}
    next_of_column: dict[int, float] = {}
    for row, column, weight in edges:
        if weight > (best := best_of_row.get(row, 0)):
            best_of_row[row], next_of_row[row] = weight, best
        elif weight > next_of_row[row]:
            next_of_row[row] = weight
        if weight > (best := best_of_column.get(column, 0)):
            best_of_column[column], next_of_column[column] = weight, best
        elif weight > next_of_column[column]:
            next_of_column[column] = weight
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for row, column, weight in edges:
        if (
            weight == best_of_row[row]
            and weight >= next_of_row[row] + next_of_column[column]
            and weight == best_of_column[column]
            and row not in pairs
            and column not in taken
        ):
            pairs[row] = column
            taken.add(column)
    return list(pairs.items())


def _components(edges: list[Edge]) -> Iterator[_Table]:
    """The connected components as row -> column -> weight."""
    table: _Table = {}
    rows_of: dict[int, list[int]] = {}
    for row, column, weight in edges:
        table.setdefault(row, {})[column] = weight
        rows_of.setdefault(column, []).append(row)
    for start in list(table):
        waiting = [start]
        component: _Table = {}
        while waiting:
            row = waiting.pop()
            if row in table:
                component[row] = table.pop(row)
                for column in component[row]:
                    waiting += rows_of.pop(column, ())
        if component:
            yield component


def _solved(table: _Table) -> list[Pair]:
    if len(table) <= _MOST_PLAIN_ROWS:
        return _augmented(table)
    # By name: SciPy alone takes longer to load than most evaluations take.
    sparse = importlib.import_module("scoring.families.coreference.sparse_assignment")
    pairs: list[Pair] = sparse.best_pairs(table)
    return pairs


def _augmented(table: _Table) -> list[Pair]:
    paths = _AugmentingPaths(table)
    for row in table:
        paths.match(row)
    return [(row, column) for row, column in paths.column_of.items() if column >= 0]


class _AugmentingPaths:
    """Shortest augmenting paths with prices (Jonker and Volgenant 1987), from one row after the other.

    Costs are weights with the sign turned. Each row also has a column of its own, -1 - row, that costs
    nothing: to be matched with it is to stay alone.
    """

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._row_of: dict[int, int] = {}
        self._row_price: dict[int, float] = dict.fromkeys(table, 0)
        self._column_price: dict[int, float] = {}
        self.column_of: dict[int, int] = {}

    def match(self, first: int) -> None:
        """The row matched too, and the others again where that is better."""
        cost: dict[int, float] = {}
        before: dict[int, int] = {}
        done: set[int] = set()
        heap: list[tuple[float, int]] = []
        row, reached = first, 0.0
        while True:
            base = reached - self._row_price[row]
            for column, weight in (*self._table[row].items(), (-1 - row, 0)):
                new = base - weight - self._column_price.get(column, 0)
                if column not in done and new < cost.get(column, inf):
                    cost[column], before[column] = new, row
                    heappush(heap, (new, column))
            reached, column = heappop(heap)
            while column in done:
                reached, column = heappop(heap)
            if column not in self._row_of:
                break
            done.add(column)
            row = self._row_of[column]
        self._row_price[first] += reached
        for old in done:
            self._column_price[old] = self._column_price.get(old, 0) + cost[old] - reached
            self._row_price[self._row_of[old]] += reached - cost[old]
        self._augment(first, column, before)

    def _augment(self, first: int, column: int, before: dict[int, int]) -> None:
        """Each row on the path takes the column that it was reached for, back to the first row."""
        while True:
            row = before[column]
            given_up = self.column_of.get(row)
            self._row_of[column], self.column_of[row] = row, column
            if row == first or given_up is None:
                return
            column = given_up
