"""The words that phrases cover: which phrases cover the same ones, and which overlap."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.readers.ehealthkd_text import Phrases
from scoring.readers.ehealthkd_text.columns import Integers

Flags = NDArray[np.bool_]
Spans = tuple[tuple[int, int], ...]


class Text:
    """The text that phrases are matched in, asked about the blanks at local positions of its sentences."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences
        joined = "\n".join(sentences) + "\n"
        self._blank = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32) == ord(" ")
        self.lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        self._starts = np.cumsum(self.lengths + 1) - self.lengths - 1
        self._before = _sums_before(self._blank)
        word_starts = np.zeros(len(joined), dtype=bool)
        word_starts[1:] = self._blank[:-1] & ~self._blank[1:]
        self._word_starts_before = _sums_before(word_starts)

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

    def _between(self, sums: Integers, sentence: Integers, start: Integers, end: Integers) -> Integers:
        length, origin = self.lengths[sentence], self._starts[sentence]
        from_, to = np.clip(start, 0, length), np.clip(end, 0, length)
        number: Integers = np.maximum(sums[origin + to] - sums[origin + from_], 0)
        return number


@dataclass(frozen=True)
class Covers:
    """What phrases cover. Most are runs of words: one span, understood as cut at its blanks.

    Such a run is kept as its `start` and `end`, because a long one would be thousands of words. Where
    `is_run` is False, the spans are in `others`, by index of the phrase.
    """

    sentence: Integers
    start: Integers
    end: Integers
    is_run: Flags
    others: dict[int, Spans]

    @cached_property
    def low(self) -> Integers:
        """No span of the phrase begins before this."""
        low = self.start.copy()
        for k, spans in self.others.items():
            low[k] = min(start for start, _ in spans)
        return low

    @cached_property
    def high(self) -> Integers:
        """Every span of the phrase begins and ends before this."""
        high = np.maximum(self.end, self.start) + 1
        for k, spans in self.others.items():
            high[k] = max(max(span) for span in spans) + 1
        return high

    def spans(self, k: int, sentence: str) -> Spans:
        return self.others.get(k) or _cut((int(self.start[k]), int(self.end[k])), sentence)


def covers(phrases: Phrases, text: Text) -> Covers:
    """Phrases that list one span are cut into words; those that list the words of a run become the run."""
    head, tail = phrases.first[:-1], phrases.first[1:] - 1
    start, end = phrases.starts[head], phrases.ends[tail]
    inside = (start >= 0) & (start <= text.lengths[phrases.sentence]) & (start <= end)
    is_single = head == tail
    is_run = inside & (is_single | _lists_words(phrases, text))
    others = {}
    for k in np.flatnonzero(~is_run).tolist():
        spans = tuple(phrases.spans(k))
        others[k] = _cut(spans[0], text.sentences[phrases.sentence[k]]) if is_single[k] else spans
    return Covers(phrases.sentence, start, end, is_run, others)


def same_cover(gold: Covers, system: Covers) -> tuple[Integers, Integers]:
    """Codes of both sides' phrases: equal where sentence and spans are."""
    n_gold = len(gold.start)
    sentence = np.concatenate([gold.sentence, system.sentence])
    start = np.concatenate([gold.start, system.start])
    width = np.concatenate([gold.end, system.end]) - start
    codes = folded(folded(sentence, start), width)
    beyond = int(codes.max(initial=-1)) + 1
    table: dict[tuple[int, Spans], int] = {}
    for shift, side in ((0, gold), (n_gold, system)):
        for k, spans in side.others.items():
            codes[shift + k] = beyond + table.setdefault((int(side.sentence[k]), spans), len(table))
    return codes[:n_gold], codes[n_gold:]


def overlapping(gold: Covers, gold_index: Integers, system: Covers, system_index: Integers, text: Text) -> Flags:
    """Which of the pairs of phrases, all of one sentence each, overlap.

    They do if a span of one begins inside a span of the other; words that only touch do not.
    """
    near = np.flatnonzero(
        (gold.low[gold_index] < system.high[system_index]) & (system.low[system_index] < gold.high[gold_index])
    )
    found = np.zeros(len(gold_index), dtype=bool)
    near_gold, near_system = gold_index[near], system_index[near]
    both_runs = gold.is_run[near_gold] & system.is_run[near_system]
    runs_gold, runs_system = near_gold[both_runs], near_system[both_runs]
    sentence = gold.sentence[runs_gold]
    p = (gold.start[runs_gold], gold.end[runs_gold])
    q = (system.start[runs_system], system.end[runs_system])
    found[near[both_runs]] = _run_begins_in(p, q, sentence, text) | _run_begins_in(q, p, sentence, text)
    for place in near[~both_runs].tolist():
        found[place] = _overlap(gold, int(gold_index[place]), system, int(system_index[place]), text)
    return found


def _sums_before(flags: Flags) -> Integers:
    """How many flags are set before each position, and in the end in all."""
    sums = np.zeros(len(flags) + 1, dtype=np.int64)
    np.cumsum(flags, out=sums[1:])
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
    return all_fit & (text.n_blanks(phrases.sentence, start, end) == n_spans - 1)


def _cut(span: tuple[int, int], sentence: str) -> Spans:
    """The words of a span; `sentence[start:end]` as Python understands it, negative numbers included."""
    start, end = span
    blanks = [start + k for k, char in enumerate(sentence[start:end]) if char == " "]
    return tuple(zip([start, *(blank + 1 for blank in blanks)], [*blanks, end], strict=True))


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


def _run_begins_in(p: tuple[Integers, Integers], q: tuple[Integers, Integers], sentence: Integers, text: Text) -> Flags:
    """Whether a word of the run `q` begins inside a word of the run `p`."""
    (a, b), (c, d) = p, q
    first = (a <= c) & (c < b) & ~text.is_blank(sentence, c)
    begins: Flags = first | (text.n_word_starts(sentence, np.maximum(c + 1, a), np.minimum(d + 1, b)) > 0)
    return begins


def _overlap(gold: Covers, g: int, system: Covers, s: int, text: Text) -> bool:
    sentence = text.sentences[gold.sentence[g]]
    ours, theirs = gold.spans(g, sentence), system.spans(s, sentence)
    return _begins_in(ours, theirs) or _begins_in(theirs, ours)


def _begins_in(spans: Spans, others: Spans) -> bool:
    return any(start <= begin < end for start, end in spans for begin, _ in others)
