"""Scores corrected sentences as the M2 scorer 3.2 does: edits that fit each annotator best, and the best annotator.

Of each sentence that annotator counts with whom F = (1 + β²) right / (β² annotated + found), over all sentences so
far, is highest; then more right ones decide, a smaller found + β² annotated, the smaller number of the annotator.
"""

from collections.abc import Iterable, Iterator

from scoring.families.edits.matches import Chosen, Counts, Matches, Outcomes, added
from scoring.families.edits.maxmatch.fitting import Correction, correction_of, fitted, matched, shortened
from scoring.family import Options
from scoring.labels import NOT_IN_GOLD
from scoring.messages import Message
from scoring.readers.edits import Annotated, Edits, Sentence


def chosen(gold: Annotated, system: Annotated, options: Options) -> Iterator[Chosen]:
    """Yield of each sentence the annotator who counts."""
    before: Counts = (0, 0, 0)
    for theirs, ours in zip(gold.sentences, system.sentences, strict=True):
        best = _best(before, list(_choices(theirs, ours)), options["beta"])
        before = added(before, best.outcomes)
        yield best


def found_edits(theirs: Sentence, ours: Sentence, annotator: str) -> Edits:
    """Return the edits of a corrected sentence that fit those of an annotator best.

    What wrong ones keep at their ends is left out, as the M2 scorer prints them.
    """
    annotated, tokens = theirs.annotators[annotator], theirs.text.split()
    known = {(edit.start, edit.end, text) for edit in annotated for text in edit.corrections}
    return [
        edit if (edit.start, edit.end, edit.corrections[0]) in known else shortened(edit, tokens[edit.start : edit.end])
        for edit in fitted(correction_of(theirs, ours), annotated)
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


def _choices(theirs: Sentence, ours: Sentence) -> Iterator[Chosen]:
    correction = correction_of(theirs, ours)
    for name, edits in sorted(theirs.annotators.items(), key=_number):
        yield Chosen(name, _outcomes(correction, edits), correction.is_too_large)


def _number(annotator: tuple[str, Edits]) -> tuple[bool, int, str]:
    """Return what sorts annotators by number; those without one stand behind all others."""
    name = annotator[0].lstrip("0")
    return bool(name) and not name.isdigit(), len(name), name


def _outcomes(correction: Correction, annotated: Edits) -> Outcomes:
    found = fitted(correction, annotated)
    right = matched(found, annotated)
    missed = sorted({*range(len(annotated))} - {*right})
    return Outcomes(
        [annotated[k].type for k in right],
        [NOT_IN_GOLD] * (len(found) - len(right)),
        [annotated[k].type for k in missed],
    )


def _best(before: Counts, choices: list[Chosen], beta: float) -> Chosen:
    """Return the annotator of a sentence who fits best, after these counts; of equal ones the first."""

    def rank(choice: Chosen) -> tuple[float, int, float]:
        right, wrong, missed = added(before, choice.outcomes)
        found, annotated = right + wrong, right + missed
        weighted = beta * beta * annotated + found
        f = (1 + beta * beta) * right / weighted if weighted else 1.0
        return f, right, -(found + beta * beta * annotated)

    return max(choices, key=rank)
