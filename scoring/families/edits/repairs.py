"""Tells what F would be if missed edits were made, wrong ones left out, or all of one type were right."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Integers
from scoring.families.edits.matches import FN, FP, TP
from scoring.families.edits.scores import KINDS, metrics
from scoring.family import Options
from scoring.labels import NOT_IN_GOLD
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

TYPES = Message.word("Edits by type")


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake and each type of the gold; each sentence's annotator stays as chosen."""
    now = np.array([totals.counts[kind] for kind in KINDS])
    return repairs_of(
        totals.score, [*_kinds(now), *_types(now, totals)], lambda counts: metrics(counts, options)["fbeta"]
    )


def _kinds(now: Integers) -> Iterator[Mended]:
    made, left_out = now.copy(), now.copy()
    made[TP], made[FN], left_out[FP] = now[TP] + now[FN], 0, 0
    yield Mended(KINDS_OF_MISTAKE, Message.word("Missed edits made"), int(now[FN]), made)
    yield Mended(KINDS_OF_MISTAKE, Message.word("Wrong edits left out"), int(now[FP]), left_out)


def _types(now: Integers, totals: Totals) -> Iterator[Mended]:
    for row in totals.tables.get("types", ()):
        if row["type"] != NOT_IN_GOLD:
            missed, wrong = row["fn"], row["fp"]
            yield Mended(TYPES, row["type"], missed + wrong, now + np.array([missed, -wrong, -missed]))
