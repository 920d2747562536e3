"""Finds where judged documents stand in the rankings of a run.

Documents are ordered by falling score, and equal scores by falling name, as trec_eval does it: by the bytes, so that
`b` stands before `a` and `9` before `10`. Names are looked at only where a score that is equal to another one belongs
to a document whose rank is asked for.
"""

from collections.abc import Sequence

import numpy as np

from scoring.columns import Flags, Floats, Integers, starts_from_sizes, starts_run
from scoring.readers.ranking.columns import Name


def ranks_of(wanted: Integers, names: Sequence[Name], scores: Floats, owner: Integers) -> Integers:
    """Return the rank, from 1, of each wanted document (w,), an index into the n documents of all rankings.

    `scores` (n,) are finite or infinite; `owner` (n,) says whose ranking a document stands in, rising.

    >>> names, scores = [b"a", b"b", b"c", b"a"], np.array([1.0, 2.0, 1.0, 5.0])
    >>> ranks_of(np.array([0, 2, 3]), names, scores, np.array([0, 0, 0, 1]))
    array([3, 2, 1])
    """
    # Of a single ranking, the usual case of long ones, sorting by one column is several times as fast.
    order = np.lexsort((-scores, owner)) if owner[0] != owner[-1] else np.argsort(-scores)
    is_new = starts_run(owner[order], scores[order])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    if not is_new.all():
        _order_ties(order, place, is_new, wanted, names)
    first = np.searchsorted(owner, owner[wanted])  # where the ranking of each begins
    return place[wanted] - first + 1


def _order_ties(order: Integers, place: Integers, is_new: Flags, wanted: Integers, names: Sequence[Name]) -> None:
    """Put the runs of equal scores that have a wanted document in the order of their names, in place."""
    run = np.cumsum(is_new) - 1
    sizes = np.bincount(run)
    starts = starts_from_sizes(sizes)
    has_wanted = np.zeros(len(sizes), dtype=bool)
    has_wanted[run[place[wanted]]] = True
    for tied in np.flatnonzero(has_wanted & (sizes > 1)).tolist():
        start, stop = int(starts[tied]), int(starts[tied + 1])
        members = sorted(order[start:stop].tolist(), key=names.__getitem__, reverse=True)
        order[start:stop] = members
        place[members] = np.arange(start, stop)


def ordered(names: Sequence[Name], scores: Floats) -> list[int]:
    """Return the indices of all documents of one ranking, the best first.

    >>> ordered([b"a", b"b", b"c"], np.array([1.0, 2.0, 1.0]))
    [1, 2, 0]
    """
    by_name = sorted(range(len(names)), key=names.__getitem__, reverse=True)
    return np.asarray(by_name)[np.argsort(-scores[by_name], kind="stable")].tolist() if by_name else []


def as_single(scores: Floats) -> Floats:
    """Round to IEEE single precision; what is too large is infinite, and so ties with other such scores."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)
