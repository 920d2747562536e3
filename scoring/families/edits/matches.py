"""Holds what became of each edit: of a sentence beside the annotator who counts, and of all sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoring.columns import Integers
from scoring.families.edits.scores import KINDS
from scoring.readers.edits import Annotated

Counts = tuple[int, int, int]  # of right, wrong and missed edits
TP, FP, FN = range(3)


class Outcomes(NamedTuple):
    """The types of the edits of a sentence, the gold's where it has the edit."""

    right: list[str]
    wrong: list[str]
    missed: list[str]


class Chosen(NamedTuple):
    """The annotator who counts in a sentence, and what became of the edits."""

    annotator: str
    outcomes: Outcomes
    is_cut: bool = False  # whether all that differs was counted as one edit, as there was too much


@dataclass(frozen=True)
class Matches:
    """The edits of all sentences, each once, with what became of it."""

    gold: Annotated
    rows: Integers  # (sentences, kinds)
    chosen: list[str]  # (sentences,) the annotator
    sentence: Integers  # (n,) index
    kind: Integers  # (n,) index into KINDS
    types: list[str]  # (n,) of the gold where it has the edit, else of the run
    n_cut: int  # sentences in which all that differs was counted as one edit


def sizes(outcomes: Outcomes) -> Counts:
    """Return how many edits are right, wrong and missed."""
    return len(outcomes.right), len(outcomes.wrong), len(outcomes.missed)


def added(counts: Counts, outcomes: Outcomes) -> Counts:
    """Return the counts with those of one more sentence."""
    right, wrong, missed = sizes(outcomes)
    return counts[TP] + right, counts[FP] + wrong, counts[FN] + missed


def collected(gold: Annotated, chosen: Iterable[Chosen]) -> Matches:
    """Return the choices of all sentences as columns."""
    rows: list[Counts] = []
    annotators: list[str] = []
    types: list[str] = []
    n_cut = 0
    for annotator, outcomes, is_cut in chosen:
        rows.append(sizes(outcomes))
        annotators.append(annotator)
        for own in outcomes:
            types += own
        n_cut += is_cut
    by_kind = np.array(rows, dtype=np.int64).reshape(-1)
    cell = np.repeat(np.arange(len(by_kind)), by_kind)
    n = len(KINDS)
    return Matches(gold, by_kind.reshape(-1, n), annotators, cell // n, cell % n, types, n_cut)
