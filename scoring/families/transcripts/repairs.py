"""Tells what an error rate would be if one kind of mistake, or all mistakes with one speaker, were mended."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Integers
from scoring.families.transcripts.scores import KINDS, metrics
from scoring.family import Options
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

SPEAKERS = Message.word("Errors by speaker")
_OF_WORDS = ("hits", "substitutions", "deletions", "insertions")
_NAMES = {
    "wer": (
        Message.word("Words taken for others made right"),
        Message.word("Missing words found"),
        Message.word("Added words left out"),
    ),
    "cer": (
        Message.word("Characters taken for others made right"),
        Message.word("Missing characters found"),
        Message.word("Added characters left out"),
    ),
}


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake, and of rates of words one for each speaker; none of whole utterances.

    What is mended becomes a hit, but that what was added is gone.
    """
    score = options["headline"]
    if score == "ser":
        return []
    # A rate is made of its own counts alone: those of another one may not be told.
    now = np.array([totals.counts.get(kind, 0) for kind in KINDS])
    mended = [*_kinds(now, is_of_characters=score == "cer"), *([] if score == "cer" else _speakers(now, totals))]
    return repairs_of(totals.score, mended, lambda counts: metrics(counts, options)[score], lower_is_better=True)


def _kinds(now: Integers, *, is_of_characters: bool) -> Iterator[Mended]:
    first = len(_OF_WORDS) if is_of_characters else 0
    for place, name in enumerate(_NAMES["cer" if is_of_characters else "wer"], start=1):
        wrong = np.zeros(len(_OF_WORDS), dtype=np.int64)
        wrong[place] = now[first + place]
        yield _mended(KINDS_OF_MISTAKE, name, now, wrong, first)


def _speakers(now: Integers, totals: Totals) -> Iterator[Mended]:
    for row in totals.tables.get("speakers", ()):
        wrong = np.array([0, *(row[kind] for kind in _OF_WORDS[1:])])
        yield _mended(SPEAKERS, row["speaker"], now, wrong, 0)


def _mended(group: str, name: str, now: Integers, wrong: Integers, first: int) -> Mended:
    """Take away these errors (4,), which stand from the kind `first` on."""
    counts = now.copy()
    counts[first : first + len(wrong)] -= wrong
    counts[first] += wrong[1] + wrong[2]
    return Mended(group, name, int(wrong.sum()), counts)
