"""The words that phrases cover: which phrases cover the same ones, and which overlap."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers
from scoring.readers.ehealthkd import Phrases

Flags = NDArray[np.bool_]

_PAIRS_AT_A_TIME = 2**18
_FLAGS_AT_A_TIME = 2**16


class Text:
    """The text that phrases are matched in, asked about the blanks at local positions of its sentences."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences
        self.lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        self._starts = np.cumsum(self.lengths + 1) - self.lengths - 1
        # The newline at the end keeps the look at a position from running out of the text.
        encoded = np.frombuffer(("\n".join(sentences) + "\n").encode(), dtype=np.uint8)
        begins_character = (encoded & 0xC0) != 0x80
        self._blank = encoded[begins_character] == ord(" ")
        self._before = _sums_before(self._blank)

    @cached_property
    def _word_starts_before(self) -> NDArray[np.int32]:
        word_starts = np.zeros_like(self._blank)
        word_starts[1:] = self._blank[:-1] & ~self._blank[1:]
        return _sums_before(word_starts)

    def is_blank(self, sentence: Integers, position: Integers) -> Flags:
        inside = (position >= 0) & (position < self.lengths[sentence])
        blank: Flags = self._blank[np.where(inside, self._starts[sentence] + position, 0)]
        return inside & blank

    def n_blanks(self, sentence: Integers, start: Integers, end: Integers) -> Integers:
        """Number of blanks in [start, end)."""
        return self._between(self._before, sentence, start, end)

    def n_word_starts(self, sentence: Integers, start: Integers, end: Integers) -> Integers:
        """Number of characters in [start, end) that are no blanks and follow one."""
        return self._between(self._word_starts_before, sentence, start, end)

    def _between(self, sums: NDArray[np.int32], sentence: Integers, start: Integers, end: Integers) -> Integers:
        length, origin = self.lengths[sentence], self._starts[sentence]
        from_, to = np.clip(start, 0, length), np.clip(end, 0, length)
        number: Integers = np.maximum(sums[origin + to] - sums[origin + from_], 0).astype(np.int64)
        return number


@dataclass(frozen=True)
class Covers:
    """What phrases cover: phrase k the spans from `first[k]` up to `first[k + 1]`.

    Most are runs of words: one span, understood as cut at its blanks and kept whole, because a long one
    would be thousands of words. The spans of the others are as they are. `low` and `high` enclose where the
    spans of a phrase begin and end.
    """

    sentence: Integers
    is_run: Flags
    first: Integers
    starts: Integers
    ends: Integers
    low: Integers
    high: Integers


def covers(phrases: Phrases, text: Text) -> Covers:
    """Phrases that list one span are cut into words; those that list the words of a run become the run."""
    head, tail = phrases.first[:-1], phrases.first[1:] - 1
    start, end = phrases.starts[head], phrases.ends[tail]
    inside = (start >= 0) & (start <= text.lengths[phrases.sentence]) & (start <= end)
    is_single = head == tail
    is_run = inside & (is_single | _lists_words(phrases, text))
    spans = {
        k: _cut(int(start[k]), int(end[k]), text.sentences[phrases.sentence[k]])
        for k in np.flatnonzero(is_single & ~inside).tolist()
    }
    first, starts, ends = _without_runs(phrases, is_run, start, end, spans)
    return Covers(
        sentence=phrases.sentence,
        is_run=is_run,
        first=first,
        starts=starts,
        ends=ends,
        low=_reduced(np.minimum, starts, first),
        high=_reduced(np.maximum, np.maximum(starts, ends), first),
    )


def same_cover(gold: Covers, system: Covers) -> tuple[Integers, Integers]:
    """Codes of both sides' phrases: equal where sentence and spans are."""
    sentence = np.concatenate([gold.sentence, system.sentence])
    start = np.concatenate([side.starts[side.first[:-1]] for side in (gold, system)])
    end = np.concatenate([side.ends[side.first[:-1]] for side in (gold, system)])
    codes = folded(folded(sentence, start), end - start)
    beyond = int(codes.max(initial=-1)) + 1
    table: dict[tuple[int, bytes], int] = {}
    shift = 0
    for side in (gold, system):
        for k, spans in _listed(side):
            codes[shift + k] = beyond + table.setdefault((int(side.sentence[k]), spans), len(table))
        shift += len(side.sentence)
    return codes[: len(gold.sentence)], codes[len(gold.sentence) :]


def near(gold: Covers, gold_index: Integers, system: Covers, system_index: Integers) -> Flags:
    """Which of the pairs of phrases, both of one sentence, can overlap at all, to judge by where they lie."""
    reaches: Flags = gold.low[gold_index] <= system.high[system_index]
    return reaches & (system.low[system_index] <= gold.high[gold_index])


def overlapping(gold: Covers, gold_index: Integers, system: Covers, system_index: Integers, text: Text) -> Flags:
    """Which of the pairs of phrases, both of one sentence, overlap.

    They do if a span of one begins inside a span of the other; words that only touch do not.
    """
    found = np.zeros(len(gold_index), dtype=bool)
    n_spans = np.diff(gold.first)[gold_index], np.diff(system.first)[system_index]
    for part in pieces(n_spans[0] * n_spans[1], _PAIRS_AT_A_TIME):
        g, s = gold_index[part], system_index[part]
        owner, one, other = _span_pairs(gold.first[g], n_spans[0][part], system.first[s], n_spans[1][part])
        p = _Spans(gold.starts[one], gold.ends[one], gold.is_run[g][owner])
        q = _Spans(system.starts[other], system.ends[other], system.is_run[s][owner])
        sentence = gold.sentence[g][owner]
        overlap = _begins_in(p, q, sentence, text) | _begins_in(q, p, sentence, text)
        found[part.start + owner[overlap]] = True
    return found


def pieces(sizes: Integers, limit: int) -> Iterator[slice]:
    """Neighbours whose sizes come to the limit at most, or a single one that is larger."""
    before = np.concatenate([[0], np.cumsum(sizes)])
    start = 0
    while start < len(sizes):
        stop = int(np.searchsorted(before, before[start] + limit, side="right")) - 1
        stop = max(start + 1, stop)
        yield slice(start, stop)
        start = stop


def folded(first: Integers, second: Integers) -> Integers:
    """Two columns as one: equal where both are. `first` is not negative, nor is what comes back."""
    if not len(first):
        return first
    low = int(second.min())
    width = int(second.max()) - low + 1
    if (int(first.max()) + 1) * width >= 2**62:
        _, first = np.unique(first, return_inverse=True)
        _, second = np.unique(second, return_inverse=True)
        low, width = 0, int(second.max()) + 1
    return first * width + (second - low)


def _sums_before(flags: Flags) -> NDArray[np.int32]:
    """How many flags are set before each position, and in the end in all."""
    sums = np.zeros(len(flags) + 1, dtype=np.int32)
    # Piece by piece, because NumPy first makes integers of all the flags that it is given.
    for start in range(0, len(flags), _FLAGS_AT_A_TIME):
        piece = sums[start + 1 : start + 1 + _FLAGS_AT_A_TIME]
        np.cumsum(flags[start : start + _FLAGS_AT_A_TIME], dtype=np.int32, out=piece)
        piece += sums[start]
    return sums


def _lists_words(phrases: Phrases, text: Text) -> Flags:
    """Phrases whose spans are just those that their whole extent is cut into: one blank between two spans."""
    n_spans = np.diff(phrases.first)
    owner = np.repeat(np.arange(len(phrases)), n_spans)
    fits = phrases.starts <= phrases.ends
    is_last = np.zeros(len(owner), dtype=bool)
    is_last[phrases.first[1:] - 1] = True
    inner = np.flatnonzero(~is_last)
    gap = phrases.ends[inner]
    fits[inner] &= (phrases.starts[inner + 1] == gap + 1) & text.is_blank(phrases.sentence[owner[inner]], gap)
    all_fit = np.bincount(owner[~fits], minlength=len(phrases)) == 0
    start, end = phrases.starts[phrases.first[:-1]], phrases.ends[phrases.first[1:] - 1]
    fits_whole: Flags = all_fit & (text.n_blanks(phrases.sentence, start, end) == n_spans - 1)
    return fits_whole


def _cut(start: int, end: int, sentence: str) -> list[tuple[int, int]]:
    """The words of a span; `sentence[start:end]` as Python understands it, negative numbers included."""
    blanks = [start + k for k, char in enumerate(sentence[start:end]) if char == " "]
    return list(zip([start, *(blank + 1 for blank in blanks)], [*blanks, end], strict=True))


def _without_runs(
    phrases: Phrases,
    is_run: Flags,
    start: Integers,
    end: Integers,
    replaced: dict[int, list[tuple[int, int]]],
) -> tuple[Integers, Integers, Integers]:
    """The spans once more, with a single one for each run and with those of some phrases replaced."""
    number = np.where(is_run, 1, np.diff(phrases.first))
    for k, spans in replaced.items():
        number[k] = len(spans)
    first = np.concatenate([[0], np.cumsum(number)])
    starts, ends = np.empty((2, first[-1]), dtype=np.int64)
    starts[first[:-1][is_run]], ends[first[:-1][is_run]] = start[is_run], end[is_run]
    as_listed = ~is_run
    as_listed[list(replaced)] = False
    source = np.repeat(as_listed, np.diff(phrases.first))
    target = np.repeat(as_listed, number)
    starts[target], ends[target] = phrases.starts[source], phrases.ends[source]
    for k, spans in replaced.items():
        starts[first[k] : first[k + 1]], ends[first[k] : first[k + 1]] = zip(*spans, strict=True)
    return first, starts, ends


def _reduced(function: np.ufunc, values: Integers, first: Integers) -> Integers:
    """The least or the greatest value of each phrase; every phrase has one."""
    reduced: Integers = function.reduceat(values, first[:-1]) if len(values) else values
    return reduced


def _listed(side: Covers) -> Iterator[tuple[int, bytes]]:
    """The phrases that are no runs, each with its spans as bytes that can be compared."""
    others = np.flatnonzero(~side.is_run)
    kept = np.repeat(~side.is_run, np.diff(side.first))
    spans = np.column_stack([side.starts[kept], side.ends[kept]]).tobytes()
    stops = (np.cumsum(np.diff(side.first)[others]) * 16).tolist()
    return zip(others.tolist(), map(spans.__getitem__, map(slice, [0, *stops], stops)), strict=True)


@dataclass(frozen=True)
class _Spans:
    """Spans [start, end) of one phrase each; those of runs are understood as cut at their blanks."""

    start: Integers
    end: Integers
    is_run: Flags


def _span_pairs(
    first: Integers, number: Integers, other_first: Integers, other_number: Integers
) -> tuple[Integers, Integers, Integers]:
    """Every span of a phrase with every span of its partner: the pair's place, and both spans' indices."""
    sizes = number * other_number
    owner = np.repeat(np.arange(len(sizes)), sizes)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    one, other = np.divmod(position, other_number[owner])
    return owner, first[owner] + one, other_first[owner] + other


def _begins_in(p: _Spans, q: _Spans, sentence: Integers, text: Text) -> Flags:
    """Whether `q`, or if it is a run one of its words, begins inside `p`, or inside a word of that run."""
    at_start = (p.start <= q.start) & (q.start < p.end) & ~(p.is_run & text.is_blank(sentence, q.start))
    low, high = np.maximum(q.start + 1, p.start), np.minimum(q.end + 1, p.end)
    behind_blanks = np.where(
        p.is_run,
        text.n_word_starts(sentence, low, high),
        text.n_blanks(sentence, low - 1, high - 1),
    )
    begins: Flags = at_start | (q.is_run & (behind_blanks > 0))
    return begins
