"""Tells what F1 would be if one kind of mistake, or all mistakes with one label, were mended."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scoring.columns import Array, Integers
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.family import Options
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

PHRASES = Message.word("Key phrases by label")
RELATIONS = Message.word("Relations by label")

# Each kind of mistake: the count that it stands in, and the one that it would stand in if it were mended.
_MOVES: tuple[tuple[str, str, str | None], ...] = (
    (Message.word("Phrases with another extent made exact"), "partial_A", "correct_A"),
    (Message.word("Phrases with another label given the right one"), "incorrect_A", "correct_A"),
    (Message.word("Missing phrases found"), "missing_A", "correct_A"),
    (Message.word("Spurious phrases left out"), "spurious_A", None),
    (Message.word("Missing relations found"), "missing_B", "correct_B"),
    (Message.word("Spurious relations left out"), "spurious_B", None),
)


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake and each label that the scenario scores.

    A label is mended when each of its phrases in the gold is found exactly, and no spurious one bears it. A system's
    phrase of that label that was paired with one of another label stays: it is a mistake with that other label.
    """
    now = np.array([totals.counts[kind] for kind in KINDS])
    mended = [*_kinds(now), *_phrases(now, totals), *_relations(now, totals)]
    return repairs_of(totals.score, mended, lambda counts: metrics(counts, options)[totals.headline])


def _kinds(now: Integers) -> Iterator[Mended]:
    for name, wrong, right in _MOVES:
        number = int(now[KINDS.index(wrong)])
        yield Mended(KINDS_OF_MISTAKE, name, number, _moved(now, {wrong: (number, right)}))


def _phrases(now: Integers, totals: Totals) -> Iterator[Mended]:
    for row in totals.tables.get("entity_labels", ()):
        moves = {
            "incorrect_A": (row["incorrect_gold"], "correct_A"),
            "partial_A": (row["partial_gold"], "correct_A"),
            "missing_A": (row["missing"], "correct_A"),
            "spurious_A": (row["spurious"], None),
        }
        yield _label(PHRASES, row, now, moves)


def _relations(now: Integers, totals: Totals) -> Iterator[Mended]:
    for row in totals.tables.get("relation_labels", ()):
        moves = {"missing_B": (row["missing"], "correct_B"), "spurious_B": (row["spurious"], None)}
        yield _label(RELATIONS, row, now, moves)


def _label(group: str, row: Mapping[str, Any], now: Integers, moves: dict[str, tuple[int, str | None]]) -> Mended:
    return Mended(group, row["label"], sum(number for number, _ in moves.values()), _moved(now, moves))


def _moved(now: Integers, moves: dict[str, tuple[int, str | None]]) -> Array:
    """Return the counts after so many of each kind have become another one, or nothing."""
    counts = now.copy()
    for wrong, (number, right) in moves.items():
        counts[KINDS.index(wrong)] -= number
        if right:
            counts[KINDS.index(right)] += number
    return counts
