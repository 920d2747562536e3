"""Spans counted by the tokens that they cover, and the counts by token of pairing 1.2.

With pairing 1.2 each token bears a set of labels on either side, those of all spans that cover it:

    each label on both sides              match
    each label of the gold alone          refclash if the system has any label there, else missing
    each label of the system alone        hypclash if the gold has any label there, else spurious

Example, of the words "Mirelle left Gorloin harbour": gold PER on word 0 and LOC on words 2 and 3, system PER on
word 0 and ORG on word 3. Word 0 is a match for PER; word 2 is missing for LOC; word 3 is a refclash for LOC and a
hypclash for ORG.

All tokens of the corpus stand in one row, so that a span is a range of tokens, and numbers of tokens follow from
where ranges begin and end; no step looks at the single token.
The same in plain Python: `count_tokens` in tests/scoring/plain/mat.py.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, starts_from_sizes
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.families.mat.matching.tally import Tally
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS
from scoring.readers.mat import Tokens


@dataclass(frozen=True)
class Covered:
    """n ranges [start, stop) of tokens that bear a label, such as those that lie wholly inside a span."""

    document: Integers  # (n,) index of the document
    label: Integers  # (n,) index into the labels of both sides
    start: Integers  # (n,) number of tokens in the corpus before the first one
    stop: Integers  # (n,) number of tokens in the corpus up to the last one; not above start if there is none
    fits: Flags  # (n,) whether both edges of the span are edges of tokens, so that it covers no token in part


def covered(spans: CorpusSpans, tokens: Tokens, starts: Integers) -> Covered:
    """Return what each span covers; `starts` is where the documents begin on the corpus axis.

    >>> from scoring.families.mat.matching.corpus_spans import axis_starts, sorted_spans
    >>> tokens = Tokens(np.array([0, 0, 0]), np.array([0, 8, 13]), np.array([7, 12, 20]))
    >>> spans, _ = sorted_spans(np.array([(0, 0, 0, 12), (0, 0, 9, 20)]).T, np.empty((4, 0), int))
    >>> ranges_of_tokens = covered(spans, tokens, axis_starts(["Mirelle left Gorloin"]))
    >>> ranges_of_tokens.start, ranges_of_tokens.stop, ranges_of_tokens.fits
    (array([0, 2]), array([2, 3]), array([ True, False]))
    """
    origin = starts[tokens.document]
    # Where the tokens begin and end on the corpus axis, both ascending because tokens do not overlap; and last a -1,
    # which is no position. Before the first token, at index -1, stands the same -1, so no edge is compared in vain.
    begins = np.append(origin + tokens.start, -1)
    ends = np.append(origin + tokens.end, -1)
    # The first token that begins in the span or behind it, and the first one that ends behind it.
    start = np.searchsorted(begins[:-1], spans.start)
    stop = np.searchsorted(ends[:-1], spans.end, side="right")
    # An edge may be one of the tokens inside the span, or of the neighbour that touches it from outside.
    fits = (begins[start] == spans.start) | (ends[start - 1] == spans.start)
    fits &= (ends[stop - 1] == spans.end) | (begins[stop] == spans.end)
    return Covered(spans.document, spans.label, start, stop, fits)


def token_counts(gold: Covered, system: Covered, n_tokens: int) -> Tally:
    """Count by token of pairing 1.2, for a corpus of `n_tokens` tokens; the spans may overlap.

    The example of the head of this module, with PER, LOC and ORG as the labels 0, 1 and 2:

    >>> def cover(*ranges):
    ...     label, start, stop = np.array(ranges).T
    ...     return Covered(np.zeros_like(label), label, start, stop, np.ones_like(label, bool))
    >>> token_counts(cover((0, 0, 1), (1, 2, 4)), cover((0, 0, 1), (2, 3, 4)), n_tokens=4).by_label(3)
    array([[1, 0, 0, 0, 0],
           [0, 1, 1, 0, 0],
           [0, 0, 0, 1, 0]])
    """
    gold, system = _runs(gold, n_tokens), _runs(system, n_tokens)
    of_gold = _compared(gold, system, n_tokens, (MATCH, REFCLASH, MISSING))
    of_system = _compared(system, gold, n_tokens, (MATCH, HYPCLASH, SPURIOUS))
    # A match is counted once, at the gold.
    return Tally.joined([*of_gold, *of_system[1:]])


def _runs(spans: Covered, n_tokens: int) -> Covered:
    """Return the tokens of each label as runs that do not overlap, in order of label and start.

    So a token counts once for a label, however many spans of the label cover it.
    """
    order = np.argsort(spans.label * (n_tokens + 1) + spans.start, kind="stable")
    order = order[spans.start[order] < spans.stop[order]]
    # As in `_shared`, the labels follow one another on an axis on which each has room for all tokens.
    origin = spans.label[order] * n_tokens
    start, furthest = origin + spans.start[order], np.maximum.accumulate(origin + spans.stop[order])
    # A range that starts where all before it have ended begins a run, and the range before it is the last of its run.
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = start[1:] >= furthest[:-1]
    first = order[begins]
    last = np.append(begins[1:], True)[: len(begins)]
    return Covered(
        document=spans.document[first],
        label=spans.label[first],
        start=spans.start[first],
        stop=(furthest - origin)[last],
        fits=spans.fits[first],
    )


def _compared(runs: Covered, others: Covered, n_tokens: int, kinds: tuple[int, int, int]) -> list[Tally]:
    """Count each run's tokens by `kinds`: with its label on the other side too, with other labels alone, with none."""
    n_labelled = _n_labelled_before(others, n_tokens)
    same = _shared(runs, others, n_tokens)
    any_label = n_labelled[runs.stop] - n_labelled[runs.start]
    numbers = (same, any_label - same, runs.stop - runs.start - any_label)
    return [Tally.of(runs.document, runs.label, kind, number) for kind, number in zip(kinds, numbers, strict=True)]


def _n_labelled_before(spans: Covered, n_tokens: int) -> Integers:
    """Return how many of the tokens before each one bear any label, and last how many of all: (n_tokens + 1,)."""
    # By how much the number of labels changes at each token, and summed up the number of labels that it bears.
    change = np.bincount(spans.start, minlength=n_tokens + 1) - np.bincount(spans.stop, minlength=n_tokens + 1)
    n_labels = np.cumsum(change[:-1])
    return starts_from_sizes(n_labels > 0)


def _shared(runs: Covered, others: Covered, n_tokens: int) -> Integers:
    """Return how many tokens of each of n runs lie in runs of the same label on the other side: (n,)."""
    # The runs of all labels on one axis, label after label; as `_runs` gives them, they ascend and do not overlap.
    start, stop = (others.label * n_tokens + edge for edge in (others.start, others.stop))
    n_before = starts_from_sizes(stop - start)

    def up_to(edge: Integers) -> Integers:
        """Return how many tokens of the other side's runs lie before each edge."""
        n_begun = np.searchsorted(start, edge)
        # All of the runs that have begun, less what the last of them has beyond the edge; at index -1 stands a 0,
        # which is not beyond any edge, for the case that none has begun.
        beyond = np.append(stop, 0)[n_begun - 1] - edge
        number: Integers = n_before[n_begun] - np.maximum(beyond, 0)
        return number

    origin = runs.label * n_tokens
    return up_to(origin + runs.stop) - up_to(origin + runs.start)
