"""The order in which the editions of 2020 and 2021 match the phrases of a sentence: by their spans, not by the file.

Their program cuts a phrase that lists one span at its blanks, and then sorts the phrases of each sentence by the list
of all starts followed by all ends. Phrases with one list keep the order of the file.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, cmp_to_key, partial
from itertools import chain, islice

import numpy as np

from scoring.columns import Integers, ranges, starts_from_sizes, starts_run
from scoring.readers.ehealthkd.columns import Phrases
from scoring.readers.ehealthkd.sentences import Sentences
from scoring.readers.ehealthkd.words import words_between


def in_order_of_spans(phrases: Phrases, sentences: Sentences) -> Phrases:
    """Sort the phrases sentence by sentence, and in each of them by their spans.

    >>> zeros = np.zeros(3, dtype=np.int64)
    >>> first, starts, ends = np.array([0, 1, 3, 4]), np.array([4, 0, 4, 0]), np.array([8, 3, 8, 3])
    >>> phrases = Phrases(np.arange(3), ["Concept"], zeros, zeros, first, starts, ends, np.arange(3))
    >>> in_order_of_spans(phrases, Sentences(["tos seca"])).line  # "seca", "tos seca", "tos"
    array([2, 1, 0])
    """
    head = phrases.first[:-1]
    n_spans = np.diff(phrases.first)
    start = phrases.starts[head]
    # Among phrases of one span that begin at one place, the order of their ends is that of their words; so it is where
    # phrases of several spans begin elsewhere. `end` decides nothing for those.
    end = np.where(n_spans == 1, phrases.ends[head], 0)
    order = np.lexsort((end, start, phrases.sentence))
    for tied in _ties(phrases, order, n_spans, start):
        texts = _Words(sentences.texts[int(phrases.sentence[order[tied.start]])])
        # Back to the order of the file first, which is to stay among equal phrases.
        group = np.sort(order[tied]).tolist()
        order[tied] = sorted(group, key=cmp_to_key(partial(texts.compared, phrases)))
    return _taken(phrases, order, n_spans)


def _ties(phrases: Phrases, order: Integers, n_spans: Integers, start: Integers) -> Iterator[slice]:
    """Yield the stretches of `order` whose phrases begin at one place, one of them with several spans or an odd one."""
    first = np.flatnonzero(starts_run(phrases.sentence[order], start[order]))
    number = np.diff(first, append=len(order))
    end = phrases.ends[phrases.first[:-1]]
    is_odd = (n_spans > 1) | (start < 0) | (end < start)
    n_odd = np.add.reduceat(is_odd[order].astype(np.int64), first) if len(first) else first
    for k in np.flatnonzero((number > 1) & (n_odd > 0)).tolist():
        yield slice(int(first[k]), int(first[k] + number[k]))


def _taken(phrases: Phrases, order: Integers, n_spans: Integers) -> Phrases:
    spans = ranges(phrases.first[:-1][order], n_spans[order])
    return Phrases(
        ids=phrases.ids[order],
        labels=phrases.labels,
        label=phrases.label[order],
        sentence=phrases.sentence[order],
        first=starts_from_sizes(n_spans[order]),
        starts=phrases.starts[spans],
        ends=phrases.ends[spans],
        line=phrases.line[order],
    )


class _Words:
    """The words of one sentence, for comparing phrases that begin at one place."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _blanks(self) -> list[int]:
        return [place for place, char in enumerate(self._text) if char == " "]

    def compared(self, phrases: Phrases, a: int, b: int) -> int:
        """Return a number below 0, 0 or above, as the one phrase comes before, is equal to or follows the other."""
        one, other = phrases.spans(a), phrases.spans(b)
        listed = [self._listed(spans) for spans in (one, other)]
        if listed[0] is None and listed[1] is None:
            return one[0][1] - other[0][1]
        # What lies beyond the end of a list that is known decides nothing.
        limit = 2 * max(len(words) for words in listed if words is not None) + 1
        left, right = (
            _starts_and_ends(self._cut(*spans[0], limit) if words is None else words, limit)
            for spans, words in zip((one, other), listed, strict=True)
        )
        return (left > right) - (left < right)

    def _listed(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
        """Return the words of a phrase that lists several spans, or an odd one; None for a usual one."""
        if len(spans) > 1:
            return spans
        [(start, end)] = spans
        return words_between(start, end, self._text) if start < 0 or end < start else None

    def _cut(self, start: int, end: int, limit: int) -> list[tuple[int, int]]:
        """Return the words of a usual phrase, of which only so many may be told that their starts reach the limit."""
        low = bisect_left(self._blanks, start)
        blanks = self._blanks[low : min(bisect_left(self._blanks, end), low + limit)]
        return list(zip([start, *(blank + 1 for blank in blanks)], [*blanks, end], strict=True))


def _starts_and_ends(words: list[tuple[int, int]], limit: int) -> list[int]:
    return list(islice(chain((start for start, _ in words), (end for _, end in words)), limit))
