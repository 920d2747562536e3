"""The spans of phrases as they are compared: a phrase that lists one span is cut at its blanks.

The challenge's program cuts `4 22` over "vías respiratorias" into the words `4 8` and `9 22`, so that it equals
`4 8;9 22`. We do it the other way round and keep most phrases uncut, as *runs*: the words of a run are known from its
two ends and the text. A phrase over a sentence of 10,000 words would otherwise be 10,000 spans, and 2,000 such
phrases 20 million.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from scoring.columns import Flags, Integers, coded_together, owners, starts_from_sizes
from scoring.families.ehealthkd.matching.text import Text
from scoring.readers.ehealthkd import Phrases
from scoring.readers.ehealthkd.words import words_between


@dataclass(frozen=True)
class CutSpans:
    """The spans of one side's phrases in file order: n phrases with m spans in all.

    A run has a single span, which stands for the words in it; the spans of the other phrases are as they are.
    """

    sentence: Integers  # (n,) index of the sentence, from 0
    is_run: Flags  # (n,)
    first: Integers  # (n + 1,) the spans of phrase k are those from first[k] up to first[k + 1]
    starts: Integers  # (m,) code points from the beginning of the sentence
    ends: Integers  # (m,) end-exclusive
    low: Integers  # (n,) the least start of the phrase
    high: Integers  # (n,) its greatest start or end


def cut_spans(phrases: Phrases, text: Text, own_texts: Mapping[int, str] | None = None) -> CutSpans:
    """Cut runs: phrases that list one span inside their sentence, or several that are just the words of a run.

    A single span that leaves its sentence or is reversed is cut one by one, as Python's slices do it in the
    challenge's program, and so is one whose blanks are others in its side's `own_texts` {sentence: text}.

    >>> text = Text(["las vías respiratorias"])
    >>> nothing = np.zeros(3, dtype=np.int64)
    >>> first, starts, ends = np.array([0, 1, 3, 5]), np.array([4, 4, 9, 0, 9]), np.array([22, 8, 22, 3, 22])
    >>> spans = cut_spans(Phrases(np.arange(3), ["Concept"], nothing, nothing, first, starts, ends, nothing), text)
    >>> spans.is_run  # 4 22, then 4 8;9 22, which is the same, then 0 3;9 22, which leaves a word out
    array([ True,  True, False])
    >>> spans.starts, spans.ends
    (array([4, 4, 0, 9]), array([22, 22,  3, 22]))
    """
    head, tail = phrases.first[:-1], phrases.first[1:] - 1  # (n,) index of each phrase's first and last span
    start, end = phrases.starts[head], phrases.ends[tail]
    inside = (start >= 0) & (start <= text.lengths[phrases.sentence]) & (start <= end)
    is_single = head == tail
    is_run = inside & (is_single | _lists_words(phrases, text))
    texts = own_texts or {}
    if texts:
        is_run &= ~(is_single & _has_other_blanks(phrases, text, texts))
    cut = {
        k: words_between(int(start[k]), int(end[k]), texts.get(i := int(phrases.sentence[k]), text.sentences[i]))
        for k in np.flatnonzero(is_single & ~is_run).tolist()
    }
    first, starts, ends = _with_runs(phrases, is_run, start, end, cut)
    return CutSpans(
        sentence=phrases.sentence,
        is_run=is_run,
        first=first,
        starts=starts,
        ends=ends,
        low=_reduced(np.minimum, starts, first),
        high=_reduced(np.maximum, np.maximum(starts, ends), first),
    )


def span_codes(gold: CutSpans, system: CutSpans) -> tuple[Integers, Integers]:
    """Code both sides' phrases: equal where sentence and list of spans are equal."""
    # Runs are equal where both ends are. Other phrases get a code here as well, which is then replaced.
    gold_codes, system_codes = coded_together(*(_ends(side) for side in (gold, system)))
    beyond = 1 + max(int(gold_codes.max(initial=-1)), int(system_codes.max(initial=-1)))
    code_of: dict[tuple[int, bytes], int] = {}
    for side, codes in ((gold, gold_codes), (system, system_codes)):
        for k, spans in _span_lists(side):
            codes[k] = beyond + code_of.setdefault((int(side.sentence[k]), spans), len(code_of))
    return gold_codes, system_codes


def _ends(side: CutSpans) -> tuple[Integers, Integers, Integers]:
    """Return sentence, start and length of each phrase's first span."""
    start = side.starts[side.first[:-1]]
    return side.sentence, start, side.ends[side.first[:-1]] - start


def _has_other_blanks(phrases: Phrases, text: Text, own_texts: Mapping[int, str]) -> Flags:
    """Return whether between a phrase's first start and last end the own text has other blanks than the common one.

    Of each phrase: (n,).
    """
    has_others = np.zeros(len(phrases), dtype=bool)
    starts, ends = phrases.starts[phrases.first[:-1]], phrases.ends[phrases.first[1:] - 1]
    in_these = np.flatnonzero(np.isin(phrases.sentence, list(own_texts)))
    in_these = in_these[np.argsort(phrases.sentence[in_these], kind="stable")]
    for of_sentence in np.split(in_these, np.flatnonzero(np.diff(phrases.sentence[in_these])) + 1):
        if len(of_sentence):
            i = int(phrases.sentence[of_sentence[0]])
            pairs = zip_longest(own_texts[i], text.sentences[i])
            others = [place for place, (one, other) in enumerate(pairs) if (one == " ") != (other == " ")]
            has_others[of_sentence] = np.searchsorted(others, ends[of_sentence]) > np.searchsorted(
                others, starts[of_sentence]
            )
    return has_others


def _lists_words(phrases: Phrases, text: Text) -> Flags:
    """Return whether a phrase's spans are just the words of its extent, one blank between two spans: (n,)."""
    n_spans = np.diff(phrases.first)
    owner = owners(n_spans)  # (m,) the phrase of each span
    fits = phrases.starts <= phrases.ends  # (m,)
    is_last = np.zeros(len(owner), dtype=bool)
    is_last[phrases.first[1:] - 1] = True
    # Each span but the last of its phrase ends at a blank, and the next one begins right behind that.
    followed = np.flatnonzero(~is_last)
    gap = phrases.ends[followed]
    fits[followed] &= (phrases.starts[followed + 1] == gap + 1) & text.is_blank(phrases.sentence[owner[followed]], gap)
    all_fit = np.bincount(owner[~fits], minlength=len(phrases)) == 0
    # No span holds a blank itself: a phrase that lists two or more spans is never cut, so it would not be a run.
    start, end = phrases.starts[phrases.first[:-1]], phrases.ends[phrases.first[1:] - 1]
    are_words: Flags = all_fit & (text.n_blanks(phrases.sentence, start, end) == n_spans - 1)
    return are_words


def _with_runs(
    phrases: Phrases,
    is_run: Flags,
    start: Integers,
    end: Integers,
    cut: dict[int, list[tuple[int, int]]],
) -> tuple[Integers, Integers, Integers]:
    """Return `first`, `starts` and `ends` of the phrases with one span from `start` to `end` for each run.

    `cut` gives the spans of some other phrases, by index; the remaining phrases keep theirs.
    """
    n_spans = np.where(is_run, 1, np.diff(phrases.first))
    for k, spans in cut.items():
        n_spans[k] = len(spans)
    first = starts_from_sizes(n_spans)
    starts, ends = np.empty((2, first[-1]), dtype=np.int64)
    starts[first[:-1][is_run]], ends[first[:-1][is_run]] = start[is_run], end[is_run]
    is_kept = ~is_run
    is_kept[list(cut)] = False
    # The same phrases in the same order, so that the spans of one array go to the other as they stand.
    old = np.repeat(is_kept, np.diff(phrases.first))
    new = np.repeat(is_kept, n_spans)
    starts[new], ends[new] = phrases.starts[old], phrases.ends[old]
    for k, spans in cut.items():
        starts[first[k] : first[k + 1]], ends[first[k] : first[k + 1]] = zip(*spans, strict=True)
    return first, starts, ends


def _reduced(function: np.ufunc, values: Integers, first: Integers) -> Integers:
    """Return the least or the greatest of each phrase's values (m,) -> (n,); every phrase has at least one."""
    reduced: Integers = function.reduceat(values, first[:-1]) if len(values) else values
    return reduced


def _span_lists(side: CutSpans) -> Iterator[tuple[int, bytes]]:
    """Yield the phrases that are no runs, each with its spans as bytes, which can be compared and hashed."""
    others = np.flatnonzero(~side.is_run)
    is_kept = np.repeat(~side.is_run, np.diff(side.first))
    # Start and end of a span are sixteen bytes; those of one phrase stand beside each other.
    spans = np.column_stack([side.starts[is_kept], side.ends[is_kept]]).tobytes()
    stops = (np.cumsum(np.diff(side.first)[others]) * 16).tolist()
    return zip(others.tolist(), map(spans.__getitem__, map(slice, [0, *stops], stops)), strict=True)
