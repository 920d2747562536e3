"""Makes the lattice of a sentence and its correction: all shortest ways between them, and the phrases along these.

    source      a  b  c          a vertex (i, j) stands behind i tokens of the source and j of the correction; a step
    correction  x  b             leaves a token out, puts one in, replaces one or keeps one

    (0,0) --a→x-- (1,1) --b-- (2,2) --c→∅-- (3,2)      steps
    (0,0) --a b→x b-- (2,2), (1,1) --b c→b-- (3,2), (0,0) --a b c→x b-- (3,2)      phrases, of two steps and of three

Ways are shortest where a replacement costs 1, or where it costs 2; steps of both stand side by side. Phrases join steps
one after the other, with at most `most_kept` kept tokens: Dahlmeier & Ng 2012, sections 3.1 and 3.2. Arcs stand in the
order of the M2 scorer 3.2, and as often, since both decide between ways that are equally good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.columns import Array, Flags, Integers, numbered

_MOST_CELLS, _MOST_VERTICES, _MOST_ARCS = 2**22, 2**12, 2**16
_NONE = np.iinfo(np.int16).max  # the length of no arc
Vertex = tuple[int, int]  # tokens of the source and of the correction before it


@dataclass(frozen=True)
class Lattice:
    """Arcs by the vertices that they join, which are numbered in their order."""

    vertices: list[Vertex]
    source: Integers  # (arcs,) the vertex where each begins
    target: Integers  # (arcs,) and where it ends
    length: Integers  # (arcs,) its number of steps
    is_kept: Flags  # (arcs,) whether it keeps all tokens
    n_equal: Integers  # (arcs,) how often it stands in `order`
    order: Integers  # (n,) arcs by the first vertex, then the second; behind all steps phrases as they come about

    def ends(self, arc: int) -> tuple[int, int, int, int]:
        """Return first token and the one behind the last, of the source and then of the correction."""
        (start, first), (end, last) = self.vertices[self.source[arc]], self.vertices[self.target[arc]]
        return start, end, first, last

    def between(self, start: int, end: int) -> list[int]:
        """Return the arcs of these tokens of the source, the first and the one behind the last."""
        asked = start * (self.vertices[-1][0] + 1) + end
        low, high = np.searchsorted(self._places, [asked, asked + 1], sorter=self._by_place)
        return list(self._by_place[low:high].tolist())

    @cached_property
    def _places(self) -> Integers:
        """Return (arcs,) one number for first token and the one behind the last, of the source."""
        token: Integers = np.array(self.vertices)[:, 0]
        return token[self.source] * (self.vertices[-1][0] + 1) + token[self.target]

    @cached_property
    def _by_place(self) -> Integers:
        return np.argsort(self._places, kind="stable")


def lattice(source: Sequence[str], corrected: Sequence[str], most_kept: int) -> Lattice | None:
    """Return the lattice of two different sentences; None where it would be too large."""
    if (len(source) + 1) * (len(corrected) + 1) > _MOST_CELLS:
        return None
    codes = numbered([*source, *corrected])
    of_source, other = codes[: len(source)], codes[len(source) :]
    steps: list[tuple[Vertex, Vertex]] = []
    for cost in (1, 2):
        steps += _shortest_steps(_distances(of_source, other, cost), of_source.tolist(), other.tolist(), cost)
    steps.sort()
    vertices = sorted({vertex for step in steps for vertex in step})
    if len(vertices) > _MOST_VERTICES:
        return None
    number = {vertex: k for k, vertex in enumerate(vertices)}
    pairs = np.array([(number[before], number[after]) for before, after in steps])
    is_kept = [i - h == j - g == 1 and source[h] == corrected[g] for (h, g), (i, j) in steps]
    return _joined(vertices, pairs, np.array(is_kept), most_kept)


def _distances(source: Integers, other: Integers, cost: int) -> Array:
    """Return how many tokens have to be edited, (tokens + 1, tokens of the other + 1), where replacing costs `cost`.

    Of (a b c, x b) with cost 1:  0 1 2 / 1 1 2 / 2 2 1 / 3 3 2.
    """
    along = np.arange(len(other) + 1, dtype=np.int32)
    table = np.empty((len(source) + 1, len(other) + 1), dtype=np.int32)
    table[0] = along
    for i, token in enumerate(source.tolist(), start=1):
        before, row = table[i - 1], table[i]
        row[0] = i
        np.minimum(before[:-1] + cost * (other != token), before[1:] + 1, out=row[1:])
        row -= along  # what is put in costs 1 each: the least of what stands before, with the distance to it
        np.minimum.accumulate(row, out=row)
        row += along
    return table


def _shortest_steps(table: Array, source: list[int], other: list[int], cost: int) -> Iterator[tuple[Vertex, Vertex]]:
    """Yield each step that lies on a shortest way, from the end backwards."""
    distance = table.data
    last = (len(source), len(other))
    reached, waiting = {last}, [last]
    while waiting and len(reached) <= _MOST_VERTICES:
        i, j = vertex = waiting.pop()
        here = distance[vertex]
        for before in ((i - 1, j - 1), (i - 1, j), (i, j - 1)):
            if min(before) < 0:
                continue
            is_both = before == (i - 1, j - 1)
            price = cost * (source[i - 1] != other[j - 1]) if is_both else 1
            if distance[before] + price == here:
                yield before, vertex
                if before not in reached:
                    reached.add(before)
                    waiting.append(before)


def _joined(vertices: list[Vertex], steps: Integers, is_kept: Flags, most_kept: int) -> Lattice | None:
    """Return steps and phrases: of each vertex all arcs that end there, prolonged by each step that begins there.

    A phrase is made anew where it is shorter than before, and then stands in the order twice.
    """
    n = len(vertices)
    length = np.full((n, n), _NONE, dtype=np.int16)  # (vertices, vertices): of the arc into the row's from the column's
    kept = np.zeros((n, n), dtype=np.int16)  # of its tokens
    length[steps[:, 1], steps[:, 0]] = 1
    kept[steps[:, 1], steps[:, 0]] = is_kept
    after: list[list[int]] = [[] for _ in vertices]
    for before, vertex in dict.fromkeys(map(tuple, steps.tolist())):
        after[before].append(vertex)
    phrases = [steps[:0]]
    n_arcs = len(steps)
    for k, ends in enumerate(after[:-1]):
        begins = np.flatnonzero(length[k] != _NONE)
        cells = np.ix_(np.array(ends), begins)
        longer = length[k, begins] + np.int16(1)
        more_kept = kept[k, begins] + kept[ends, k][:, None]
        is_better = (longer < length[cells]) & (more_kept <= most_kept)
        begin, end = is_better.T.nonzero()
        made = np.stack([begins[begin], np.array(ends, dtype=np.int64)[end]], axis=1)
        length[made[:, 1], made[:, 0]] = longer[begin]
        kept[made[:, 1], made[:, 0]] = more_kept[end, begin]
        phrases.append(made)
        n_arcs += len(made)
        if n_arcs > _MOST_ARCS:
            return None
    order = np.concatenate([steps, _without_kept(np.concatenate(phrases), length, kept)])
    arc, place, n_equal = np.unique(order[:, 1] * n + order[:, 0], return_inverse=True, return_counts=True)
    target, source = arc // n, arc % n
    steps_of_arc = length[target, source]
    return Lattice(vertices, source, target, steps_of_arc, kept[target, source] == steps_of_arc, n_equal, place)


def _without_kept(phrases: Integers, length: Array, kept: Array) -> Integers:
    """Return all phrases but those that keep all tokens.

    The M2 scorer takes these off a list while it walks along it, and so passes over each that follows one.
    """
    target, source = phrases[:, 1], phrases[:, 0]
    is_kept = kept[target, source] == length[target, source]
    place = np.arange(len(phrases))
    since_other = place - np.maximum.accumulate(np.where(is_kept, -1, place))
    stays: Flags = ~is_kept | (since_other % 2 == 0)
    return phrases[stays]
