"""Tells what F of spans would be if one kind of mistake, or all mistakes with one tag, were mended."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Integers
from scoring.families.mat.scores import BASIC, HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS, headline, span_scores
from scoring.families.mat.tables import ALL
from scoring.family import Options
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

TAGS = Message.word("Spans by tag")


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake and each tag.

    A clash is mended when the gold's span is matched and the system's spans that overlap it are gone. A tag is mended
    when all its spans in the gold are matched and the system has no others; spans of other tags stay as they are.
    Nothing is said where another score ranks.
    """
    if options.get("headline") not in (None, "f1", "fbeta"):
        return []
    now = np.array([totals.counts[kind] for kind in BASIC])
    return repairs_of(
        totals.score,
        [*_kinds(now), *_tags(now, totals)],
        lambda counts: span_scores(counts, options)[headline(options)],
    )


def _kinds(now: Integers) -> Iterator[Mended]:
    clashes = (REFCLASH, HYPCLASH)
    yield _mended(
        KINDS_OF_MISTAKE, Message.word("Clashing spans made right"), now, now * np.isin(np.arange(len(BASIC)), clashes)
    )
    yield _mended(KINDS_OF_MISTAKE, Message.word("Missing spans found"), now, now * (np.arange(len(BASIC)) == MISSING))
    yield _mended(
        KINDS_OF_MISTAKE, Message.word("Spurious spans left out"), now, now * (np.arange(len(BASIC)) == SPURIOUS)
    )


def _tags(now: Integers, totals: Totals) -> Iterator[Mended]:
    for row in totals.tables.get("by_tag", ()):
        if row["tag"] != ALL:
            counts_of_tag = np.array([row[kind] for kind in BASIC])
            counts_of_tag[MATCH] = 0
            yield _mended(TAGS, row["tag"], now, counts_of_tag)


def _mended(group: str, name: str, now: Integers, wrong: Integers) -> Mended:
    """Take away these wrong spans of both sides (kinds,); those of the gold among them become matches."""
    counts = now - wrong
    counts[MATCH] += wrong[REFCLASH] + wrong[MISSING]
    return Mended(group, name, int(wrong.sum()), counts)
