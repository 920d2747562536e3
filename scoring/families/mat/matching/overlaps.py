"""Which spans overlap, without a look at those that do not."""

from collections.abc import Iterator

import numpy as np

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Flags, Integers

PAIRS_AT_A_TIME = 2**21
_CELLS_AT_A_TIME = 2**18


def overlaps_any(spans: CorpusSpans, others: CorpusSpans) -> Flags:
    """Whether each span overlaps one of the others; spans that only touch do not."""
    before = np.searchsorted(others.start, spans.end)
    reach = np.concatenate([[-1], np.maximum.accumulate(others.end)])
    overlaps: Flags = reach[before] > spans.start
    return overlaps


def n_overlaps(spans: CorpusSpans, others: CorpusSpans) -> Integers:
    """How many of the others each span overlaps."""
    number: Integers = np.searchsorted(others.start, spans.end) - np.searchsorted(
        np.sort(others.end), spans.start, side="right"
    )
    return number


def overlapping_pairs(spans: CorpusSpans, others: CorpusSpans) -> tuple[Integers, Integers]:
    """The indices of all pairs that overlap, in no order; ask before how many they are."""
    # Of two spans that overlap one begins inside the other, and those that do so lie side by side.
    low = np.searchsorted(others.start, spans.start)
    index, other = ranges(low, np.searchsorted(others.start, spans.end) - low)
    low = np.searchsorted(spans.start, others.start, side="right")
    later_other, later = ranges(low, np.maximum(np.searchsorted(spans.start, others.end) - low, 0))
    return np.concatenate([index, later]), np.concatenate([other, later_other])


def blocks(spans: CorpusSpans, others: CorpusSpans) -> Iterator[tuple[Integers, Integers]]:
    """The indices of neighbouring spans, and of a stretch of others with all that one of them overlaps.

    A block is a matrix of a few hundred thousand pairs: the way to look at all where most overlap.
    """
    first = np.searchsorted(np.maximum.accumulate(others.end), spans.start, side="right")
    beyond = np.searchsorted(others.start, spans.end)
    start = 0
    while start < len(spans):
        stop = start + max(1, _CELLS_AT_A_TIME // max(1, int(beyond[start] - first[start])))
        end = int(beyond[start:stop].max())
        while stop > start + 1 and (stop - start) * (end - first[start]) > 2 * _CELLS_AT_A_TIME:
            stop = (start + min(stop, len(spans)) + 1) // 2
            end = int(beyond[start:stop].max())
        stop = min(stop, len(spans))
        if end > first[start]:
            yield np.arange(start, stop), np.arange(first[start], end)
        start = stop


def overlap(spans: CorpusSpans, index: Integers, others: CorpusSpans, other: Integers) -> Integers:
    """How many characters two spans share, of pairs that overlap; 0 or less of others."""
    shared: Integers = np.minimum(spans.end[index], others.end[other]) - np.maximum(
        spans.start[index], others.start[other]
    )
    return shared


def ranges(first: Integers, number: Integers) -> tuple[Integers, Integers]:
    """The numbers first, first + 1, … of each range one after the other, before them the index of their range."""
    owner = np.repeat(np.arange(len(first)), number)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(number) - number, number)
    return owner, first[owner] + position
