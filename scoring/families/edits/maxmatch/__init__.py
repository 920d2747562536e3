"""Scores corrected sentences as the M2 scorer 3.2 does: edits that fit each annotator best, and the best annotator.

Of each sentence that annotator counts with whom F = (1 + β²) right / (β² annotated + found), over all sentences so
far, is highest; then more right ones decide, a smaller found + β² annotated, the smaller number of the annotator.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from scoring.families.edits.matches import Counts, Matches, added
from scoring.families.edits.maxmatch.fitting import Correction, correction_of, fitted, matched, shortened
from scoring.family import Options
from scoring.labels import NOT_IN_GOLD
from scoring.messages import Message
from scoring.readers.edits import Annotated, Edits


class Choice(NamedTuple):
    """An annotator of a sentence, with the types of right, wrong and missed edits."""

    group: int
    types: tuple[list[str], list[str], list[str]]

    @property
    def counts(self) -> Counts:
        right, wrong, missed = self.types
        return len(right), len(wrong), len(missed)


def matches(gold: Annotated, system: Annotated, options: Options) -> Matches:
    """Return what becomes of all edits of both sides, each sentence beside the annotator who counts."""
    before: Counts = (0, 0, 0)
    chosen, rows, types = [], [], list[str]()
    n_cut = 0
    for sentence in range(len(gold.texts)):
        correction = correction_of(gold, system, sentence)
        choices = [_choice(correction, gold, group) for group in sorted(gold.groups(sentence), key=_number(gold))]
        best = _best(before, choices, options["beta"])
        before = added(before, best.counts)
        chosen.append(best.group)
        rows.append(best.counts)
        for types_of_sentence in best.types:
            types += types_of_sentence
        n_cut += correction.is_too_large
    number = {name: k for k, name in enumerate(dict.fromkeys(types))}
    by_kind = np.array(rows, dtype=np.int64).reshape(-1)
    cell = np.repeat(np.arange(len(by_kind)), by_kind)
    return Matches(
        gold,
        np.array(chosen, dtype=np.int64),
        sentence=cell // 3,
        kind=cell % 3,
        type=np.array([number[name] for name in types], dtype=np.int64),
        types=[*number],
        n_cut=n_cut,
    )


def found_edits(gold: Annotated, system: Annotated, group: int) -> Edits:
    """Return the edits of a corrected sentence that fit those of an annotator best.

    What wrong ones keep at their ends is left out, as the M2 scorer prints them.
    """
    annotated = gold.edits(group)
    of_gold = {(edit.start, edit.end, text) for edit in annotated for text in edit.corrections}
    correction = correction_of(gold, system, int(gold.sentence[group]))
    return [
        edit
        if (edit.start, edit.end, edit.corrections[0]) in of_gold
        else shortened(edit, correction.source[edit.start : edit.end])
        for edit in fitted(correction, annotated)
    ]


def warnings(matches: Matches) -> Iterable[str]:
    """Yield in how many sentences not all ways could be looked at."""
    if matches.n_cut:
        yield Message.counted(
            "correction-as-one-edit",
            "1 sentence is too long or differs too much to be aligned: all that differs counts as one edit",
            "{n} sentences are too long or differ too much to be aligned: of each all that differs counts as one edit",
            matches.n_cut,
        )


def _number(gold: Annotated) -> Callable[[int], tuple[bool, int, str]]:
    """Return what sorts groups by the numbers of their annotators; those without one stand behind all others."""

    def number(group: int) -> tuple[bool, int, str]:
        name = gold.annotators[group].lstrip("0")
        return bool(name) and not name.isdigit(), len(name), name

    return number


def _choice(correction: Correction, gold: Annotated, group: int) -> Choice:
    annotated = gold.edits(group)
    edits = fitted(correction, annotated)
    right = matched(edits, annotated)
    missed = sorted({*range(len(annotated))} - {*right})
    wrong = [NOT_IN_GOLD] * (len(edits) - len(right))
    return Choice(group, ([annotated[k].type for k in right], wrong, [annotated[k].type for k in missed]))


def _best(before: Counts, choices: Iterable[Choice], beta: float) -> Choice:
    """Return the annotator of a sentence who fits best, after these counts; of equal ones the first."""

    def rank(choice: Choice) -> tuple[float, int, float]:
        right, wrong, missed = added(before, choice.counts)
        n_found, annotated = right + wrong, right + missed
        weighted = beta * beta * annotated + n_found
        f = (1 + beta * beta) * right / weighted if weighted else 1.0
        return f, right, -(n_found + beta * beta * annotated)

    return max(choices, key=rank)
