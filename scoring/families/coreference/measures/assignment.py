"""The one-to-one matching of greatest weight in a sparse table, solved exactly in small pieces.

CEAF needs it for the entities of gold (rows) and system (columns), where most cells are empty. The steps:

1. Edges that some best matching must contain are taken, and with them their rows and columns. In real data few
   entities are left then.
2. What is left falls apart into connected components, which can be solved one by one.
3. Each component is solved by shortest augmenting paths: in plain Python where it is small, by SciPy where it is large.

Memory grows with the cells, never with rows times columns: 100,000 mentions may make 25,000 entities on each side.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

from scoring import lazy

# Row, column, weight.
Edge = tuple[int, int, float]
# Row, column.
Pair = tuple[int, int]
# {row: {column: weight}}.
_Table = dict[int, dict[int, float]]

# The largest component that is solved in plain Python, which takes less time than to import SciPy.
_MOST_PLAIN_ROWS = 100
# Certain edges are looked for again as long as a round leaves no more than this share of the edges.
_WORTHWHILE_SHARE = 0.9


def best_pairs(edges: list[Edge]) -> list[Pair]:
    """Return the edges of the one-to-one matching with the greatest sum of weights, in no particular order.

    Every weight must be greater than 0, and no two edges may join the same row and column. If several matchings are
    best, it is one of them. To take the heaviest edges one by one would not do: here that gives 3 + 1.

    >>> sorted(best_pairs([(0, 0, 3), (0, 1, 2), (1, 0, 2.5), (1, 1, 1)]))
    [(0, 1), (1, 0)]
    """
    pairs: list[Pair] = []
    left = edges
    while left:
        certain = _certain(left)
        pairs += certain
        rows, columns = {row for row, _ in certain}, {column for _, column in certain}
        edges, left = left, [edge for edge in left if edge[0] not in rows and edge[1] not in columns]
        if len(left) > _WORTHWHILE_SHARE * len(edges):
            break
    for component in _components(left):
        pairs += _solved(component)
    return pairs


def _certain(edges: list[Edge]) -> list[Pair]:
    """Return edges that weigh at least as much as the second best edges of their row and column together.

    A matching without such an edge can have at most one other edge in its row and one in its column. These weigh no
    more than it does, so putting it in their place loses nothing. Once such edges are taken, others become certain.

    >>> _certain([(0, 0, 5), (0, 1, 1), (1, 0, 2), (1, 1, 1)])
    [(0, 0)]
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
        # The edge is the best one of its row and its column, and of several equal ones the first.
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
    """Yield the connected components: rows that share columns with each other, but with no row outside."""
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
    """Return the best matching of one component."""
    if len(table) <= _MOST_PLAIN_ROWS:
        return _augmented(table)
    # SciPy alone takes longer to import than most evaluations take.
    best_sparse_pairs = lazy.load("scoring.families.coreference.measures.sparse_assignment", "best_pairs")
    pairs: list[Pair] = best_sparse_pairs(table)
    return pairs


def _augmented(table: _Table) -> list[Pair]:
    """Return the best matching, made by letting in one row after the other.

    Row 0 takes column 0. Row 1 wants it too, and gains more by it (2.5 instead of 1) than row 0 loses by going to
    column 1 (2 instead of 3), so row 0 gives way: the path 1 - column 0 - row 0 - column 1 is an augmenting path.

    >>> _augmented({0: {0: 3, 1: 2}, 1: {0: 2.5, 1: 1}})
    [(0, 1), (1, 0)]
    """
    paths = _AugmentingPaths(table)
    for row in table:
        paths.match(row)
    return [(row, column) for row, column in paths.column_of.items() if column >= 0]


class _AugmentingPaths:
    """Shortest augmenting paths with prices (Jonker and Volgenant 1987), from one row after the other.

    Costs are weights with the sign turned, because shortest paths minimise. Prices of rows and columns are kept so
    that cost - row price - column price, the reduced cost, is never negative for rows that are matched, and 0 where a
    row has its column; so paths can be searched as by Dijkstra. Each row also has a column of its own, -1 - row, that
    costs nothing: to be matched with it is to stay alone.
    """

    def __init__(self, table: _Table) -> None:
        self._table = table
        # Of each column that is taken its row.
        self._row_of: dict[int, int] = {}
        self._row_price: dict[int, float] = dict.fromkeys(table, 0)
        # 0 where there is none.
        self._column_price: dict[int, float] = {}
        # Of each row that has been let in its column; below 0 if it stays alone.
        self.column_of: dict[int, int] = {}

    def match(self, first: int) -> None:
        """Let the row `first` in: it gets a column, and others change theirs where the sum gains by it."""
        # Of each column that the search has seen: the cost of the cheapest path to it, and the row before it.
        cost: dict[int, float] = {}
        before: dict[int, int] = {}
        # Columns whose cost is final; their rows are looked at in turn.
        done: set[int] = set()
        # Costs with their columns. A column may stand there several times: all but the first are passed over.
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
                # A free column: the cheapest path ends here.
                break
            done.add(column)
            row = self._row_of[column]
        # What was reached more cheaply than the end becomes dearer by the difference; so reduced costs stay as
        # promised, and those on the path become 0.
        self._row_price[first] += reached
        for old in done:
            self._column_price[old] = self._column_price.get(old, 0) + cost[old] - reached
            self._row_price[self._row_of[old]] += reached - cost[old]
        self._augment(first, column, before)

    def _augment(self, first: int, column: int, before: dict[int, int]) -> None:
        """Give each row on the path the column that was reached from it, back from the free column to `first`."""
        while True:
            row = before[column]
            given_up = self.column_of.get(row)
            self._row_of[column], self.column_of[row] = row, column
            if row == first or given_up is None:
                return
            column = given_up
