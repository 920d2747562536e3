"""The one-to-one matching of greatest weight in a sparse table, solved exactly in small pieces.

What is certain is matched first, the rest falls apart into connected components, and each is solved by
shortest augmenting paths: in plain Python where it is small, by SciPy where it is large.
"""

import importlib
from collections.abc import Iterable
from heapq import heappop, heappush
from math import inf

Edge = tuple[int, int, float]
Pair = tuple[int, int]
_Table = dict[int, dict[int, float]]

_MOST_PLAIN_ROWS = 100


def best_pairs(edges: Iterable[Edge]) -> list[Pair]:
    """(row, column) of the matching with the greatest sum; every edge (row, column, weight) weighs more than 0."""
    matching = _Matching(edges)
    pairs = matching.certain()
    for component in matching.components():
        pairs += _solved(component)
    return pairs


class _Matching:
    """What is left of a table while edges that belong to some best matching are taken out.

    Nodes are 2 · row and 2 · column + 1.
    """

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._neighbours: dict[int, list[tuple[float, int]]] = {}
        for row, column, weight in edges:
            self._neighbours.setdefault(2 * row, []).append((weight, 2 * column + 1))
            self._neighbours.setdefault(2 * column + 1, []).append((weight, 2 * row))
        for neighbours in self._neighbours.values():
            if len(neighbours) > 1:
                neighbours.sort()
        self._matched: set[int] = set()

    def certain(self) -> list[Pair]:
        """Edges that weigh as much as the next best ones of both their ends together.

        No matching can gain by giving such an edge up. Each one taken may make others certain.
        """
        pairs: list[Pair] = []
        waiting = list(self._neighbours)
        while waiting:
            node = waiting.pop()
            if node in self._matched:
                continue
            weight, other = self._best(node)
            if weight and weight >= self._best_but(node, other) + self._best_but(other, node):
                pairs.append((node // 2, other // 2) if node % 2 == 0 else (other // 2, node // 2))
                self._matched |= {node, other}
                waiting += self._left(node)
                waiting += self._left(other)
        return pairs

    def components(self) -> Iterable[_Table]:
        """The connected components of the rest as row -> column -> weight."""
        seen = set(self._matched)
        for start in self._neighbours:
            if start not in seen:
                seen.add(start)
                table: _Table = {}
                waiting = [start]
                while waiting:
                    node = waiting.pop()
                    for weight, other in self._neighbours[node]:
                        if other in self._matched:
                            continue
                        if node % 2 == 0:
                            table.setdefault(node // 2, {})[other // 2] = weight
                        if other not in seen:
                            seen.add(other)
                            waiting.append(other)
                if table:
                    yield table

    def _left(self, node: int) -> list[int]:
        return [other for _, other in self._neighbours[node] if other not in self._matched]

    def _best(self, node: int) -> tuple[float, int]:
        """The heaviest edge that is left, (0, -1) if none is; what is matched is dropped from the end for good."""
        neighbours = self._neighbours[node]
        while neighbours and neighbours[-1][1] in self._matched:
            neighbours.pop()
        return neighbours[-1] if neighbours else (0, -1)

    def _best_but(self, node: int, other: int) -> float:
        """The weight of the heaviest edge that is left and does not lead to `other`."""
        weight, best = self._best(node)
        if best != other:
            return weight
        neighbours = self._neighbours[node]
        while len(neighbours) > 1 and neighbours[-2][1] in self._matched:
            del neighbours[-2]
        return neighbours[-2][0] if len(neighbours) > 1 else 0


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
