"""Key phrases of gold and system matched: correct, incorrect, partial, and what is left on either side."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers
from scoring.errors import GoldError, Problem
from scoring.families.ehealthkd.spans import Covers, Flags, Text, near, overlapping, pieces, same_cover

CORRECT, INCORRECT, PARTIAL, MISSING, SPURIOUS = range(5)
_PAIRS_AT_A_TIME = 2**16
_FEW = 64


@dataclass(frozen=True)
class Side:
    """The phrases of one side in file order; labels are coded alike on both sides.

    `unit` is the row that each phrase counts in, -1 if its sentence is not scored.
    """

    label: Integers
    unit: Integers

    @property
    def scored(self) -> Flags:
        return self.unit >= 0


@dataclass(frozen=True)
class PhraseMatches:
    """`partner` of each gold phrase is the index of a system phrase or -1, and `kind` what the pair counts as.

    `system_partner` is the other direction. `repeated` are the gold phrases on the same spans as an earlier
    one.
    """

    partner: Integers
    kind: Integers
    system_partner: Integers
    repeated: Integers

    def spurious(self, system: Side) -> Integers:
        """The system phrases that are left over."""
        return np.flatnonzero(system.scored & (self.system_partner < 0))

    def carriers(self) -> Integers:
        """For each system phrase the gold phrase that its relations are read on, or -1.

        An incorrect phrase carries none.
        """
        carriers = np.full(len(self.system_partner), -1)
        carrying = np.flatnonzero((self.kind == CORRECT) | (self.kind == PARTIAL))
        carriers[self.partner[carrying]] = carrying
        return carriers


def match_phrases(
    gold: Side, system: Side, covers: tuple[Covers, Covers], text: Text, *, same_label: bool, gold_file: str
) -> PhraseMatches:
    """First equal spans with equal label, then equal spans, then, greedily in file order, any overlap.

    `covers` are those of both sides. With `same_label` a partial match needs equal labels as well.
    Only the first free gold phrase on equal spans is ever looked at, as in the challenge's own program,
    which fails where the second pass meets an equal label after all: two gold phrases on the same spans make
    that possible, and it is a GoldError here.
    """
    partner = np.full(len(gold.label), -1)
    kind = np.full(len(gold.label), MISSING)
    gold_key, system_key = same_cover(*covers)
    single, repeated = _only_with(gold_key, system_key)
    shared = gold_key[repeated]
    system_index = np.flatnonzero((single >= 0) & system.scored)
    gold_index = single[system_index]
    equal = gold.label[gold_index] == system.label[system_index]
    for chosen, verdict in ((equal, CORRECT), (~equal, INCORRECT)):
        free = partner[gold_index[chosen]] < 0
        taken, takers = gold_index[chosen][free], system_index[chosen][free]
        # The last assignment stays: backwards, that is the first system phrase in file order.
        partner[taken[::-1]] = takers[::-1]
        kind[taken] = verdict
    for golds, systems in _crowds(gold_key, system_key, shared, system.scored):
        _match_crowd(golds, systems, gold.label, system.label, partner, kind, gold_file)
    rest = system.scored.copy()
    rest[partner[partner >= 0]] = False
    _match_partially(gold, system, covers, text, same_label, rest, partner, kind)
    system_partner = np.full(len(system.label), -1)
    matched = np.flatnonzero(partner >= 0)
    system_partner[partner[matched]] = matched
    return PhraseMatches(partner, kind, system_partner, np.sort(repeated))


def _only_with(gold_key: Integers, system_key: Integers) -> tuple[Integers, Integers]:
    """For each system phrase the only gold phrase with its key, or -1; and the gold's that repeat a key."""
    order = np.argsort(gold_key, kind="stable")
    ordered = gold_key[order]
    repeated = order[1:][ordered[1:] == ordered[:-1]]
    if not len(ordered):
        return np.full(len(system_key), -1), repeated
    place = np.minimum(np.searchsorted(ordered, system_key), len(ordered) - 1)
    only = ordered[place] == system_key
    if len(repeated):
        only &= ~np.isin(system_key, gold_key[repeated])
    return np.where(only, order[place], -1), repeated


def _crowds(
    gold_key: Integers, system_key: Integers, shared: Integers, scored: Flags
) -> Iterator[tuple[list[int], list[int]]]:
    """Gold and system phrases of each key that several gold phrases share, in file order."""
    if not len(shared):
        return
    golds, systems = defaultdict(list), defaultdict(list)
    for k in np.flatnonzero(np.isin(gold_key, shared)).tolist():
        golds[gold_key[k]].append(k)
    for k in np.flatnonzero(np.isin(system_key, shared) & scored).tolist():
        systems[system_key[k]].append(k)
    for key, found in golds.items():
        yield found, systems[key]


def _match_crowd(
    golds: list[int],
    systems: list[int],
    gold_label: Integers,
    system_label: Integers,
    partner: Integers,
    kind: Integers,
    gold_file: str,
) -> None:
    free, rest = list(golds), []
    for s in systems:
        if free and gold_label[free[0]] == system_label[s]:
            _pair(free.pop(0), s, CORRECT, partner, kind)
        else:
            rest.append(s)
    for s in rest:
        if free and gold_label[free[0]] == system_label[s]:
            message = (
                "The phrase lies on the same spans as another one, so that a run cannot be scored: "
                "remove one of them, or give it other spans."
            )
            raise GoldError(Problem(message, gold_file, golds[1] + 1))
        if free:
            _pair(free.pop(0), s, INCORRECT, partner, kind)


def _pair(g: int, s: int, verdict: int, partner: Integers, kind: Integers) -> None:
    partner[g] = s
    kind[g] = verdict


def _match_partially(
    gold: Side,
    system: Side,
    covers: tuple[Covers, Covers],
    text: Text,
    same_label: bool,
    rest: Flags,
    partner: Integers,
    kind: Integers,
) -> None:
    """Each system phrase that is left takes the first free gold phrase that it overlaps.

    Where long phrases overlap nearly all others, the first few pairs of each settle nearly all of them, and
    the many others are looked at only if they do not.
    """
    for golds, systems in _pairs_in_sentence(covers, np.flatnonzero(partner < 0), rest):
        possible = (partner[golds] < 0) & near(covers[0], golds, covers[1], systems)
        if same_label:
            possible &= gold.label[golds] == system.label[systems]
        golds, systems = golds[possible], systems[possible]
        begin = np.flatnonzero(np.diff(systems, prepend=-1))
        number = np.diff(begin, append=len(systems))
        few = np.arange(len(systems)) - np.repeat(begin, number) < _FEW
        found = _by_system(golds[few], systems[few], covers, text)
        for k in np.flatnonzero((number > _FEW) | np.isin(systems[begin], list(found))).tolist():
            s = int(systems[begin[k]])
            g = _first_free(found[s], partner)
            if g is None and number[k] > _FEW:
                more = golds[begin[k] + _FEW : begin[k] + number[k]]
                more = more[partner[more] < 0]
                g = _first_free(_by_system(more, np.full(len(more), s), covers, text)[s], partner)
            if g is not None:
                _pair(g, s, PARTIAL, partner, kind)


def _by_system(
    golds: Integers, systems: Integers, covers: tuple[Covers, Covers], text: Text
) -> defaultdict[int, list[int]]:
    """The gold phrases of those pairs that overlap, for each system phrase."""
    overlap = overlapping(covers[0], golds, covers[1], systems, text)
    found = defaultdict(list)
    for g, s in zip(golds[overlap].tolist(), systems[overlap].tolist(), strict=True):
        found[s].append(g)
    return found


def _first_free(golds: list[int], partner: Integers) -> int | None:
    return next((g for g in golds if partner[g] < 0), None)


def _pairs_in_sentence(
    covers: tuple[Covers, Covers], free: Integers, rest: Flags
) -> Iterator[tuple[Integers, Integers]]:
    """All pairs of a free gold phrase and a system phrase of its sentence, some at a time.

    Both run in file order inside a sentence, the system phrases first.
    """
    gold_sentence, system_sentence = (side.sentence for side in covers)
    left = np.flatnonzero(rest)
    free = free[np.argsort(gold_sentence[free], kind="stable")]
    left = left[np.argsort(system_sentence[left], kind="stable")]
    wanted = system_sentence[left]
    low = np.searchsorted(gold_sentence[free], wanted, side="left")
    number = np.searchsorted(gold_sentence[free], wanted, side="right") - low
    for part in pieces(number, _PAIRS_AT_A_TIME):
        size = number[part]
        position = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        yield free[np.repeat(low[part], size) + position], np.repeat(left[part], size)
