"""Spans counted by the tokens that they cover."""

from dataclasses import dataclass

import numpy as np

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Flags, Integers
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS
from scoring.families.mat.tally import Tally
from scoring.readers.mat import Tokens


@dataclass(frozen=True)
class Covered:
    """Spans as the tokens [start, stop) that lie wholly inside them, all tokens of the corpus in one row.

    `fits` if both edges of a span are edges of tokens.
    """

    document: Integers
    label: Integers
    start: Integers
    stop: Integers
    fits: Flags


def covered(spans: CorpusSpans, tokens: Tokens, starts: Integers) -> Covered:
    """What each span covers; `starts` is where the documents begin on the axis of the spans."""
    origin = starts[tokens.document]
    begins = np.append(origin + tokens.start, -1)
    ends = np.append(origin + tokens.end, -1)
    start = np.searchsorted(begins[:-1], spans.start)
    stop = np.searchsorted(ends[:-1], spans.end, side="right")
    # Behind the last token, and before the first, stands a -1, which is no position.
    fits = (begins[start] == spans.start) | (ends[start - 1] == spans.start)
    fits &= (ends[stop - 1] == spans.end) | (begins[stop] == spans.end)
    return Covered(spans.document, spans.label, start, stop, fits)


def token_counts(gold: Covered, system: Covered, n_tokens: int) -> Tally:
    """Each token's labels as sets, counted without looking at the single tokens.

    A label's tokens are runs of neighbours; what two sets of runs share follows from where they begin and end.
    """
    gold, system = _runs(gold, n_tokens), _runs(system, n_tokens)
    return Tally.joined(
        [
            *_compared(gold, system, n_tokens, (MATCH, REFCLASH, MISSING)),
            *_compared(system, gold, n_tokens, (MATCH, HYPCLASH, SPURIOUS))[1:],
        ]
    )


def _runs(spans: Covered, n_tokens: int) -> Covered:
    """The tokens of each label as runs that do not overlap, in order of label and start."""
    order = np.argsort(spans.label * (n_tokens + 1) + spans.start, kind="stable")
    order = order[spans.start[order] < spans.stop[order]]
    origin = spans.label[order] * n_tokens
    start, reach = origin + spans.start[order], np.maximum.accumulate(origin + spans.stop[order])
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = start[1:] >= reach[:-1]
    first = order[begins]
    last = np.append(begins[1:], True)[: len(begins)]
    return Covered(
        document=spans.document[first],
        label=spans.label[first],
        start=spans.start[first],
        stop=(reach - origin)[last],
        fits=spans.fits[first],
    )


def _compared(own: Covered, others: Covered, n_tokens: int, kinds: tuple[int, int, int]) -> list[Tally]:
    """The tokens of each run that bear its label on the other side too, another label there, or none."""
    some = _some_label_before(others, n_tokens)
    same = _shared(own, others, n_tokens)
    any_ = some[own.stop] - some[own.start]
    numbers = (same, any_ - same, own.stop - own.start - any_)
    return [Tally.of(own.document, own.label, kind, number) for kind, number in zip(kinds, numbers, strict=True)]


def _some_label_before(spans: Covered, n_tokens: int) -> Integers:
    """How many of the tokens before each one, and in the end of all, bear a label."""
    change = np.bincount(spans.start, minlength=n_tokens + 1) - np.bincount(spans.stop, minlength=n_tokens + 1)
    return np.concatenate([[0], np.cumsum(np.cumsum(change[:-1]) > 0)])


def _shared(own: Covered, others: Covered, n_tokens: int) -> Integers:
    """How many tokens of each run lie in runs of the same label on the other side."""
    start, stop = (others.label * n_tokens + edge for edge in (others.start, others.stop))
    before = np.concatenate([[0], np.cumsum(stop - start)])

    def up_to(edge: Integers) -> Integers:
        n_begun = np.searchsorted(start, edge)
        # The last run that has begun may go on behind the edge.
        beyond = np.append(stop, 0)[n_begun - 1] - edge
        number: Integers = before[n_begun] - np.maximum(beyond, 0)
        return number

    origin = own.label * n_tokens
    return up_to(origin + own.stop) - up_to(origin + own.start)
