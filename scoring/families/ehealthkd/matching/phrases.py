"""Key phrases of gold and system matched: correct, incorrect, partial, and what is left on either side.

The rules, in three passes over the system's phrases in file order, are drawn at the head of `counting.py`. The same
in plain Python: `match_phrases` of tests/scoring/plain/ehealthkd.py.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, owners, pieces, ranges, ranks, starts_run
from scoring.errors import GoldError
from scoring.families.ehealthkd.matching.overlap import SpanPairs
from scoring.families.ehealthkd.matching.spans import span_codes
from scoring.findings import Finding

# What a phrase counts as; also the column of the count in a row (`scores.KINDS`).
CORRECT, INCORRECT, PARTIAL, MISSING, SPURIOUS = range(5)

_PAIRS_AT_A_TIME = 2**16
# Candidates of a system phrase that are looked at first.
_FEW = 64

_Pair = tuple[int, int]  # index of a gold phrase, index of a system phrase
Ambiguous = Callable[[int], Finding]


@dataclass(frozen=True)
class Side:
    """The phrases of one side in file order, n of them."""

    label: Integers  # (n,) code of the label; both sides share the codes
    unit: Integers  # (n,) the row that the phrase counts in, -1 if its sentence is not scored

    @property
    def scored(self) -> Flags:
        return self.unit >= 0


@dataclass(frozen=True)
class PhraseMatches:
    """The pairs of g gold and s system phrases; each phrase is in one pair at most."""

    partner: Integers  # (g,) index of a system phrase, -1 without partner
    kind: Integers  # (g,) CORRECT, INCORRECT or PARTIAL with partner, else MISSING, also in sentences not scored
    system_partner: Integers  # (s,) index of a gold phrase, -1 without partner
    repeated: Integers  # indices of the gold phrases on the same spans as an earlier one, sorted

    def spurious(self, system: Side) -> Integers:
        """Return the system phrases of scored sentences that are left over."""
        return np.flatnonzero(system.scored & (self.system_partner < 0))

    def carriers(self) -> Integers:
        """Return for each system phrase the gold phrase that its relations are understood to be about, or -1: (s,).

        A partial match carries relations, even one with another label; an incorrect one carries none. That is the
        rule of the challenge's program.
        """
        carriers = np.full(len(self.system_partner), -1)
        carrying = np.flatnonzero((self.kind == CORRECT) | (self.kind == PARTIAL))
        carriers[self.partner[carrying]] = carrying
        return carriers


def match_phrases(
    gold: Side, system: Side, spans: SpanPairs, *, same_label: bool, ambiguous: Ambiguous
) -> PhraseMatches:
    """Match first equal spans with equal label, then equal spans, then, greedily in file order, any overlap.

    With `same_label` a partial match needs equal labels as well. A GoldError carries the problem that `ambiguous` makes
    of the index of a gold phrase on the spans of another one.

    >>> from scoring.families.ehealthkd.matching.spans import cut_spans
    >>> from scoring.families.ehealthkd.matching.text import Text
    >>> from scoring.readers.ehealthkd import Phrases
    >>> text, zeros = Text(["dolor de cabeza intenso y tos"]), np.zeros(4, dtype=np.int64)
    >>> def words(starts, ends):
    ...     phrases = Phrases(zeros, [], zeros, zeros, np.arange(5), np.array(starts), np.array(ends), zeros)
    ...     return cut_spans(phrases, text)
    >>> gold = words([0, 9, 16, 26], [5, 15, 23, 29])  # dolor, cabeza, intenso, tos
    >>> system = words([0, 9, 9, 24], [5, 15, 23, 25])  # dolor, cabeza, cabeza intenso, y
    >>> matches = match_phrases(
    ...     Side(label=np.array([0, 0, 0, 0]), unit=zeros),
    ...     Side(label=np.array([0, 1, 0, 0]), unit=zeros),
    ...     SpanPairs(gold, system, text),
    ...     same_label=False,
    ...     ambiguous=str,
    ... )
    >>> matches.partner, matches.kind  # correct, incorrect, partial, missing
    (array([ 0,  1,  2, -1]), array([0, 1, 2, 3]))
    >>> matches.spurious(Side(zeros, zeros))
    array([3])
    """
    gold_code, system_code = span_codes(spans.gold, spans.system)
    correct, incorrect, repeated = _match_equal_spans(gold, system, gold_code, system_code, ambiguous)
    # At least one of the two is -1.
    partner = np.maximum(correct, incorrect)
    left = system.scored
    left[partner[partner >= 0]] = False
    partial = _match_partially(gold, system, spans, free=partner < 0, left=left, same_label=same_label)
    kind = np.full(len(partner), MISSING)
    kind[correct >= 0] = CORRECT
    kind[incorrect >= 0] = INCORRECT
    for g, s in partial:
        partner[g], kind[g] = s, PARTIAL
    system_partner = np.full(len(system.label), -1)
    matched = np.flatnonzero(partner >= 0)
    system_partner[partner[matched]] = matched
    return PhraseMatches(partner, kind, system_partner, repeated)


def _match_equal_spans(
    gold: Side, system: Side, gold_code: Integers, system_code: Integers, ambiguous: Ambiguous
) -> tuple[Integers, Integers, Integers]:
    """Make the first two passes: for each gold phrase its correct and its incorrect partner, or -1.

    The third array are the gold phrases on the same spans as an earlier one. Codes are those of `span_codes`.
    """
    only, repeated = _only_with_code(gold_code, system_code)
    # Pairs of phrases on equal spans, where no other gold phrase has these spans: in file order of the system.
    systems = np.flatnonzero((only >= 0) & system.scored)
    golds = only[systems]
    equal = gold.label[golds] == system.label[systems]
    correct = _first_takers(golds[equal], systems[equal], len(gold.label))
    incorrect = _first_takers(golds[~equal], systems[~equal], len(gold.label))
    incorrect[correct >= 0] = -1
    # Gold phrases that share their spans are few, and their rule depends on the order: one group after the other.
    for group, takers in _groups_on_equal_spans(gold_code, system_code, gold_code[repeated], system.scored):
        correct_pairs, incorrect_pairs = _match_group(group, takers, gold.label, system.label, ambiguous)
        for g, s in correct_pairs:
            correct[g] = s
        for g, s in incorrect_pairs:
            incorrect[g] = s
    return correct, incorrect, repeated


def _first_takers(golds: Integers, systems: Integers, n_golds: int) -> Integers:
    """Return for each gold phrase the first system phrase paired with it, or -1: (pairs,), (pairs,) -> (n_golds,).

    >>> _first_takers(np.array([2, 0, 2]), np.array([5, 6, 7]), 3)
    array([ 6, -1,  5])
    """
    takers = np.full(n_golds, -1)
    # Of several assignments to one index the last one stays: backwards, that is the first in file order.
    takers[golds[::-1]] = systems[::-1]
    return takers


def _only_with_code(gold_code: Integers, system_code: Integers) -> tuple[Integers, Integers]:
    """Return each system phrase's only gold phrase with its code, or -1; and the gold's that repeat a code, sorted.

    >>> _only_with_code(np.array([7, 4, 7, 9]), np.array([4, 7, 1, 9]))
    (array([ 1, -1, -1,  3]), array([2]))
    """
    order = np.argsort(gold_code, kind="stable")
    ordered = gold_code[order]
    repeated = np.sort(order[~starts_run(ordered)])
    if not len(ordered):
        return np.full(len(system_code), -1), repeated
    rank = np.minimum(np.searchsorted(ordered, system_code), len(ordered) - 1)
    is_only = ordered[rank] == system_code
    if len(repeated):
        is_only &= ~np.isin(system_code, gold_code[repeated])
    return np.where(is_only, order[rank], -1), repeated


def _groups_on_equal_spans(
    gold_code: Integers, system_code: Integers, shared: Integers, scored: Flags
) -> Iterator[tuple[list[int], list[int]]]:
    """Return for each code shared by several gold phrases these and the system's with it, both in file order."""
    if not len(shared):
        return
    golds, systems = defaultdict(list), defaultdict(list)
    for k in np.flatnonzero(np.isin(gold_code, shared)).tolist():
        golds[gold_code[k]].append(k)
    for k in np.flatnonzero(np.isin(system_code, shared) & scored).tolist():
        systems[system_code[k]].append(k)
    for code, group in golds.items():
        yield group, systems[code]


def _match_group(
    golds: list[int], systems: list[int], gold_label: Integers, system_label: Integers, ambiguous: Ambiguous
) -> tuple[list[_Pair], list[_Pair]]:
    """Return the correct and the incorrect pairs among phrases that all lie on the same spans.

    As in the challenge's program only the *first* free gold phrase is ever looked at, so that of a gold (Concept,
    Action) a single system Action is incorrect. Where the second pass meets an equal label after all, as the system
    (Action, Concept) would there, that program stops with a failed assertion; here the gold is refused.

    >>> _match_group([0, 1], [2], np.array([0, 1]), np.array([0, 0, 1]), str)
    ([], [(0, 2)])
    """
    free, correct, incorrect, left = list(golds), [], [], []
    for s in systems:
        if free and gold_label[free[0]] == system_label[s]:
            correct.append((free.pop(0), s))
        else:
            left.append(s)
    for s in left:
        if free and gold_label[free[0]] == system_label[s]:
            raise GoldError(ambiguous(golds[1]))
        if free:
            incorrect.append((free.pop(0), s))
    return correct, incorrect


def _match_partially(
    gold: Side, system: Side, spans: SpanPairs, *, free: Flags, left: Flags, same_label: bool
) -> list[_Pair]:
    """Make the third pass: each system phrase that is `left` takes the first `free` gold phrase that it overlaps.

    The result depends on the order of both files, as in the challenge's program. Where long phrases overlap nearly
    all others, the first few candidates decide on nearly all of them; the many others are looked at only where
    none of these few is both free and overlapping.
    """
    free, overlaps = free.copy(), np.zeros(len(left), dtype=bool)
    pairs: list[_Pair] = []
    for golds, systems in _candidates(spans, np.flatnonzero(free), np.flatnonzero(left)):
        # Pairs (candidates,) in the order of the system phrases, and of the gold phrases for each of them.
        possible = free[golds] & spans.may_overlap(golds, systems)
        if same_label:
            possible &= gold.label[golds] == system.label[systems]
        golds, systems = golds[possible], systems[possible]
        first = np.flatnonzero(starts_run(systems))  # index of the first candidate of each system phrase
        number = np.diff(first, append=len(systems))  # of candidates of that system phrase
        is_among_few = ranks(number) < _FEW
        overlapping = _overlapping_by_system(spans, golds[is_among_few], systems[is_among_few])
        overlaps[list(overlapping)] = True
        undecided = (number > _FEW) | overlaps[systems[first]]
        for k in np.flatnonzero(undecided).tolist():
            s = int(systems[first[k]])
            g = _first_free(overlapping[s], free)
            if g is None and number[k] > _FEW:
                others = golds[first[k] + _FEW : first[k] + number[k]]
                others = others[free[others]]
                g = _first_free(_overlapping_by_system(spans, others, np.full(len(others), s))[s], free)
            if g is not None:
                free[g] = False
                pairs.append((g, s))
    return pairs


def _overlapping_by_system(spans: SpanPairs, golds: Integers, systems: Integers) -> defaultdict[int, list[int]]:
    """Return for each system phrase the gold phrases of those of its pairs that overlap, in the order of the pairs."""
    overlap = spans.overlap(golds, systems)
    by_system = defaultdict(list)
    for g, s in zip(golds[overlap].tolist(), systems[overlap].tolist(), strict=True):
        by_system[s].append(g)
    return by_system


def _first_free(golds: list[int], free: Flags) -> int | None:
    return next((g for g in golds if free[g]), None)


def _candidates(spans: SpanPairs, free: Integers, left: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield all pairs of a free gold phrase and a system phrase that is left in its sentence, some at a time.

    Sentences follow each other in order; in each, the system phrases are in file order, and for each system phrase
    the gold phrases are.
    """
    gold_sentence, system_sentence = spans.gold.sentence, spans.system.sentence
    free = free[np.argsort(gold_sentence[free], kind="stable")]
    left = left[np.argsort(system_sentence[left], kind="stable")]
    # For each system phrase the range of the gold phrases of its sentence, in `free` as it is sorted now.
    start = np.searchsorted(gold_sentence[free], system_sentence[left], side="left")
    number = np.searchsorted(gold_sentence[free], system_sentence[left], side="right") - start
    for part in pieces(number, _PAIRS_AT_A_TIME):
        yield free[ranges(start[part], number[part])], left[part][owners(number[part])]
