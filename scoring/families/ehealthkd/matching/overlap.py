"""Finds which pairs of a gold and a system phrase overlap."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, owners, pieces, ranks
from scoring.families.ehealthkd.matching.spans import CutSpans
from scoring.families.ehealthkd.matching.text import Text

# Pairs of spans compared at a time: a dozen arrays of this length fit into the processor's cache.
_PAIRS_AT_A_TIME = 2**18


@dataclass(frozen=True)
class SpanPairs:
    """The spans of both sides in one text; pairs are given as two arrays (pairs,) of indices of phrases.

    The two phrases of a pair are of one sentence.
    """

    gold: CutSpans
    system: CutSpans
    text: Text

    def may_overlap(self, golds: Integers, systems: Integers) -> Flags:
        """Return False for pairs that lie too far apart to overlap, to judge by their outermost ends alone."""
        gold, system = self.gold, self.system
        reaches: Flags = gold.low[golds] <= system.high[systems]
        return reaches & (system.low[systems] <= gold.high[golds])

    def overlap(self, golds: Integers, systems: Integers) -> Flags:
        """Return whether the phrases overlap: a span of one begins inside a span of the other.

        Spans that only touch do not overlap, because ends are exclusive. An empty span overlaps another one when it
        lies inside it, which is what the comparison of the challenge's program comes to.
        """
        gold, system = self.gold, self.system
        overlaps = np.zeros(len(golds), dtype=bool)
        n_gold, n_system = np.diff(gold.first)[golds], np.diff(system.first)[systems]  # (pairs,) number of spans
        for part in pieces(n_gold * n_system, _PAIRS_AT_A_TIME):
            g, s = golds[part], systems[part]
            pair, p_index, q_index = _crossed(gold.first[g], n_gold[part], system.first[s], n_system[part])
            p = _Spans(gold.starts[p_index], gold.ends[p_index], gold.is_run[g][pair])
            q = _Spans(system.starts[q_index], system.ends[q_index], system.is_run[s][pair])
            sentence = gold.sentence[g][pair]
            begins = _begins_in(p, q, sentence, self.text) | _begins_in(q, p, sentence, self.text)
            overlaps[part.start + pair[begins]] = True
        return overlaps


@dataclass(frozen=True)
class _Spans:
    """One span of each of some pairs of spans."""

    start: Integers  # (pairs of spans,)
    end: Integers  # (pairs of spans,) end-exclusive
    is_run: Flags  # (pairs of spans,) the span stands for the words in it


def _crossed(
    first: Integers, n_spans: Integers, other_first: Integers, other_n_spans: Integers
) -> tuple[Integers, Integers, Integers]:
    """Cross every span of a phrase with every span of its partner: (pairs,) -> three arrays (pairs of spans,).

    They are the index of the pair of phrases, and the indices of both spans.

    >>> _crossed(np.array([0, 5]), np.array([2, 1]), np.array([3, 8]), np.array([2, 1]))
    (array([0, 0, 0, 0, 1]), array([0, 0, 1, 1, 5]), array([3, 4, 3, 4, 8]))
    """
    sizes = n_spans * other_n_spans
    pair = owners(sizes)
    one, other = np.divmod(ranks(sizes), other_n_spans[pair])
    return pair, first[pair] + one, other_first[pair] + other


def _begins_in(p: _Spans, q: _Spans, sentence: Integers, text: Text) -> Flags:
    """Tell whether `q`, or one of its words if it is a run, begins inside `p`, or inside a word of it if that is a run.

    Words of a run end before a blank and begin behind one, so a position inside of a run is inside one of its words
    unless it is a blank.
    """
    at_start = (p.start <= q.start) & (q.start < p.end) & ~(p.is_run & text.is_blank(sentence, q.start))
    # The further words of the run q begin at x + 1 for each blank x in [q.start, q.end): these beginnings lie in
    # [q.start + 1, q.end + 1). Which of them lie in [p.start, p.end) too?
    low, high = np.maximum(q.start + 1, p.start), np.minimum(q.end + 1, p.end)
    n_beginnings = np.where(
        p.is_run,
        text.n_word_starts(sentence, low, high),  # behind a blank, and no blank
        text.n_blanks(sentence, low - 1, high - 1),  # behind a blank
    )
    begins: Flags = at_start | (q.is_run & (n_beginnings > 0))
    return begins
