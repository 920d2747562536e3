"""Finds the edits of a corrected sentence that fit those of an annotator best (MaxMatch, Dahlmeier & Ng 2012).

Of all ways through the lattice that one counts which holds most edits of the annotator; then that with fewest steps,
then with fewest edits. So edits beside each other, or with two kept tokens between them, are one unless the annotator
parts them. They may keep tokens at their ends, which are not said here:

    S The boat lay at pier .                  run  A boat lay on the pier .
    annotator 0   at → on, ∅ → the                 The → A, at → on, ∅ → the
    annotator 1   lay at → lay on the              The → A, lay at → lay on the
    annotator 2   (none)                           The boat lay at → A boat lay on the

As the M2 scorer 3.2 does: where ways are equally good, its sums of weights and the order of its arcs decide.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf

import numpy as np

from scoring.columns import Floats
from scoring.families.edits.maxmatch.lattice import Lattice, lattice
from scoring.readers.edits import Annotated, Edit, Edits

_MOST_KEPT = 2  # tokens between two changes that may be one edit: max_unchanged_words of the M2 scorer
_PER_EDIT = 0.001  # what an edit costs beside its steps
_NO_TYPE = ""


@dataclass(frozen=True)
class Correction:
    """A sentence and what a run makes of it."""

    source: Sequence[str]  # tokens
    corrected: Sequence[str]
    line: int  # of the run's file
    arcs: Lattice | None  # None where nothing differs, or too much

    @property
    def is_too_large(self) -> bool:
        """Return whether too many ways lead from the one to the other; all that differs then counts as one edit."""
        return self.arcs is None and self.source != self.corrected

    def edit(self, start: int, end: int, first: int, last: int) -> Edit:
        """Return what replaces these tokens of the source by those of the correction."""
        return Edit(start, end, _NO_TYPE, (" ".join(self.corrected[first:last]),), self.line)


def correction_of(gold: Annotated, system: Annotated, sentence: int) -> Correction:
    """Return a sentence of both sides with what may lead from one to the other."""
    source, corrected = gold.texts[sentence].split(), system.texts[sentence].split()
    arcs = lattice(source, corrected, _MOST_KEPT) if source != corrected else None
    return Correction(source, corrected, system.lines[sentence], arcs)


def fitted(correction: Correction, annotated: Edits) -> Edits:
    """Return the edits of the correction that fit these best, in the order of the sentence."""
    arcs = correction.arcs
    if arcs is None:
        ends = _differing(correction.source, correction.corrected)
        return [correction.edit(*ends)] if correction.is_too_large else []
    way = _best_way(arcs, _weights(arcs, correction, annotated))
    return [correction.edit(*arcs.ends(arc)) for arc in way if not arcs.is_kept[arc]]


def matched(edits: Edits, annotated: Edits) -> list[int]:
    """Return the places of the annotator's edits that were found.

    Each is looked for behind the one before, as the M2 scorer does: of edits that are not in the order of the sentence
    some are missed.
    """
    places: defaultdict[tuple[int, int, str], list[int]] = defaultdict(list)
    for k, edit in enumerate(annotated):
        for text in dict.fromkeys(edit.corrections):
            places[edit.start, edit.end, text].append(k)
    right = [-1]
    for edit in edits:
        several = places.get((edit.start, edit.end, edit.corrections[0]), [])
        later = bisect_left(several, right[-1] + 1)
        right += several[later : later + 1]
    return right[1:]


def shortened(edit: Edit, tokens: Sequence[str]) -> Edit:
    """Return the edit of these tokens without what it keeps at its ends.

    >>> shortened(Edit(2, 5, "", ("on the pier",), 1), ["at", "pier", "."])[:4]
    (2, 5, '', ('on the pier',))
    >>> shortened(Edit(2, 4, "", ("on the pier",), 1), ["at", "pier"])[:4]
    (2, 3, '', ('on the',))
    """
    text = edit.corrections[0].split()
    start, end, first, last = _differing(tokens, text)
    return edit._replace(start=edit.start + start, end=edit.start + end, corrections=(" ".join(text[first:last]),))


def _differing(source: Sequence[str], corrected: Sequence[str]) -> tuple[int, int, int, int]:
    """Return the ends, on both sides, of what lies between what both begin with and what both end with."""
    first = _n_common(source, corrected)
    last = _n_common(source[first:][::-1], corrected[first:][::-1])
    return first, len(source) - last, first, len(corrected) - last


def _n_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return with how many equal tokens both begin."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (ours, theirs) in enumerate(pairs) if ours != theirs), min(len(one), len(other)))


def _weights(arcs: Lattice, correction: Correction, annotated: Edits) -> Floats:
    """Return (arcs,) the steps of each, a little for an edit as often as it stands in the order, and −n for a match."""
    weights = arcs.length.astype(np.float64)
    for times in range(int(arcs.n_equal.max())):
        weights[~arcs.is_kept & (arcs.n_equal > times)] += _PER_EDIT
    wanted: defaultdict[tuple[int, int], list[tuple[str, ...]]] = defaultdict(list)
    for edit in annotated:
        wanted[edit.start, edit.end].append(edit.corrections)
    match = -float(len(arcs.order))
    for (start, end), several in wanted.items():
        between = arcs.between(start, end)
        texts = {arc: correction.edit(*arcs.ends(arc)).corrections[0] for arc in between}
        if start == end:
            _weigh_insertions(arcs, weights, texts, several, match)
        else:
            right = {text for corrections in several for text in corrections}
            weights[[arc for arc in between if texts[arc] in right]] = match
    return weights


def _weigh_insertions(
    arcs: Lattice, weights: Floats, texts: dict[int, str], several: Sequence[Sequence[str]], match: float
) -> None:
    """Weigh what is put in at one place, where the annotator puts in `several`, each with its corrections.

    Equal tokens may be put in twice, and each of the annotator's edits is to be found once: from both sides in turn
    arcs and edits are used up, and with an arc that matches those up to the next one that goes on from it.
    """
    row = sorted(texts, key=lambda arc: (arcs.source[arc], arcs.target[arc]))
    row = [arc for arc in row for _ in range(arcs.n_equal[arc])]
    weights[row] = arcs.length[row]
    low, high = 0, len(row) - 1
    first, last = 0, len(several) - 1
    at = low
    while low <= high:
        arc, is_front = row[at], at == low
        places = range(first, last + 1) if is_front else range(last, first - 1, -1)
        place = next((k for k in places if texts[arc] in several[k]), None)
        if is_front:
            low += 1
        else:
            high -= 1
        if place is None:
            weights[arc] += _PER_EDIT
            at = high if is_front else low
        elif is_front:
            weights[arc], first = match, place + 1
            while low < len(row) and arcs.source[row[low]] != arcs.target[arc]:
                weights[row[low]] += _PER_EDIT
                low += 1
            at = low
        else:
            weights[arc], last = match, place - 1
            while high >= 0 and arcs.target[row[high]] != arcs.source[arc]:
                weights[row[high]] += _PER_EDIT
                high -= 1
            at = high


def _best_way(arcs: Lattice, weights: Floats) -> list[int]:
    """Return the arcs of the way from the first vertex to the last whose weights have the least sum.

    As in the M2 scorer each arc has its turn in the order, round after round, and of equal sums the first one stays
    (Bellman & Ford); but arcs wait for their turn only where the sum at their beginning has changed.
    """
    source, target, weight = (column[arcs.order].tolist() for column in (arcs.source, arcs.target, weights))
    leaving: list[list[int]] = [[] for _ in arcs.vertices]  # places in the order
    for place, vertex in enumerate(source):
        leaving[vertex].append(place)
    total = [0.0] + [inf] * (len(leaving) - 1)
    best = [-1] * len(leaving)  # the place of the arc that ends the way to each vertex
    this_round, next_round = leaving[0].copy(), list[int]()
    is_waiting = bytearray(len(source))
    while this_round:
        place = heappop(this_round)
        is_waiting[place] = False
        vertex, weight_of_way = target[place], total[source[place]] + weight[place]
        if weight_of_way < total[vertex]:
            total[vertex], best[vertex] = weight_of_way, place
            for other in leaving[vertex]:
                if not is_waiting[other]:
                    is_waiting[other] = True
                    if other > place:
                        heappush(this_round, other)
                    else:
                        next_round.append(other)
        if not this_round:
            this_round, next_round = sorted(next_round), []
    return [int(arcs.order[place]) for place in _backwards(best, source)][::-1]


def _backwards(best: list[int], source: list[int]) -> Iterator[int]:
    """Yield the place of the best arc into the last vertex, of that into the vertex where it begins, and so on."""
    place = best[-1]
    while place >= 0:
        yield place
        place = best[source[place]]
