"""Finds which spans overlap, found by sorting, so that spans far from each other are never compared.

Two spans overlap if each starts before the other ends: `a.start < b.end and b.start < a.end`. Spans that only touch
do not overlap, because an end is the position behind the last character.

The spans of a side are sorted by their start, as CorpusSpans are. Below, `spans` are n and `others` are m of them.
"""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags, Integers, owners, ranges
from scoring.families.mat.matching.corpus_spans import CorpusSpans

# More pairs than this are never listed; whoever needs them takes `blocks` instead. About 50 MB in three columns.
PAIRS_AT_A_TIME = 2**21
_CELLS_AT_A_TIME = 2**18


def overlaps_any(spans: CorpusSpans, others: CorpusSpans) -> Flags:
    """Return whether each span overlaps one of the others: (n,).

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> spans, others = sorted_spans(np.array([(0, 0, 0, 7), (0, 0, 8, 12)]).T, np.array([(0, 1, 5, 8)]).T)
    >>> overlaps_any(spans, others)
    array([ True, False])
    """
    # Of the others that start before the span ends (n,), one overlaps it if the furthest end lies behind its start.
    n_begun = np.searchsorted(others.start, spans.end)
    # furthest[k] is the furthest end among the first k others (m + 1,); -1, before every start, if k is 0.
    furthest = np.concatenate([[-1], np.maximum.accumulate(others.end)])
    is_overlapped: Flags = furthest[n_begun] > spans.start
    return is_overlapped


def n_overlaps(spans: CorpusSpans, others: CorpusSpans) -> Integers:
    """Return how many of the others each span overlaps: (n,).

    They are those that start before the span ends, less those that have ended when it starts.
    """
    n_begun = np.searchsorted(others.start, spans.end)
    n_ended = np.searchsorted(np.sort(others.end), spans.start, side="right")
    number: Integers = n_begun - n_ended
    return number


def overlapping_pairs(spans: CorpusSpans, others: CorpusSpans) -> tuple[Integers, Integers]:
    """Return the indices of all p pairs that overlap, each once, in no order: (p,) and (p,).

    They may be n times m: look at the sum of `n_overlaps` before.

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> spans, others = sorted_spans(
    ...     np.array([(0, 0, 0, 7), (0, 0, 8, 12)]).T, np.array([(0, 1, 5, 8), (0, 1, 6, 9)]).T
    ... )
    >>> index, other = overlapping_pairs(spans, others)
    >>> sorted(zip(index.tolist(), other.tolist()))
    [(0, 0), (0, 1), (1, 1)]
    """
    # Of two spans that overlap, one starts inside the other; and the spans that start inside a given one are
    # neighbours, because they are sorted by their start. First the others that start inside a span, or with it:
    low = np.searchsorted(others.start, spans.start)
    sizes = np.searchsorted(others.start, spans.end) - low
    index, other = owners(sizes), ranges(low, sizes)
    # Then the spans that start inside one of the others; not with it, because that pair is there already.
    low = np.searchsorted(spans.start, others.start, side="right")
    sizes = np.maximum(np.searchsorted(spans.start, others.end) - low, 0)
    later_other, later_index = owners(sizes), ranges(low, sizes)
    return np.concatenate([index, later_index]), np.concatenate([other, later_other])


def blocks(spans: CorpusSpans, others: CorpusSpans) -> Iterator[tuple[Integers, Integers]]:
    """Yield rectangles of the matrix of all pairs (n, m) that together hold every pair that overlaps.

    A rectangle is given by the indices of its rows, which are neighbouring spans, and of its columns, a stretch of
    others that holds all that one of the rows overlaps. It has a few hundred thousand cells, so this is the way to
    look at all pairs where most spans overlap most others. A row is in one rectangle only.
    """
    # The others that the span i overlaps lie in [first[i], beyond[i]); not all others in there overlap it.
    first = np.searchsorted(np.maximum.accumulate(others.end), spans.start, side="right")
    beyond = np.searchsorted(others.start, spans.end)
    start = 0
    while start < len(spans):
        # As many rows as fit if all are as wide as the first one; halved as long as some are too wide for that.
        stop = start + max(1, _CELLS_AT_A_TIME // max(1, int(beyond[start] - first[start])))
        end = int(beyond[start:stop].max())
        while stop > start + 1 and (stop - start) * (end - first[start]) > 2 * _CELLS_AT_A_TIME:
            stop = (start + min(stop, len(spans)) + 1) // 2
            end = int(beyond[start:stop].max())
        stop = min(stop, len(spans))
        # `first` never falls from one span to the next, so that of the first row does for all rows.
        if end > first[start]:
            yield np.arange(start, stop), np.arange(first[start], end)
        start = stop


def overlap_lengths(spans: CorpusSpans, index: Integers, others: CorpusSpans, other: Integers) -> Integers:
    """Return how many characters two spans share; 0 or less, down to the negative gap, where they do not overlap.

    The indices are of any shapes that fit together, as those of NumPy do: (p,) and (p,), or (rows, 1) and (columns,).
    """
    shared: Integers = np.minimum(spans.end[index], others.end[other]) - np.maximum(
        spans.start[index], others.start[other]
    )
    return shared
