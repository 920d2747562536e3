"""A row of counts for each document."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat.clashes import overlaps_any
from scoring.families.mat.kinds import (
    BASIC,
    HYPCLASH,
    KINDS,
    MATCH,
    MISSING,
    PARTIAL,
    REFCLASH,
    SPURIOUS,
    Tally,
    summed,
)
from scoring.families.mat.marks import Integers, Marks, axis_starts, both_marks, sorted_labels
from scoring.families.mat.one_to_one import one_to_one
from scoring.families.mat.partial import PartialPairs, partial_pairs
from scoring.families.mat.token_pairs import paired_token_counts
from scoring.families.mat.tokens import covered, token_counts
from scoring.family import Options
from scoring.readers.mat import Gold, System, Tokens


@dataclass(frozen=True)
class SpanMatches:
    """The spans that count, the pairs among them by index, and each span's kind.

    Pairs are matches alone, or with one-to-one pairing all pairs.
    """

    gold: Marks
    system: Marks
    paired_gold: Integers
    paired_system: Integers
    gold_kind: Integers
    system_kind: Integers


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from.

    `starts` is where each document begins on the axis of the spans. `once` are both sides' spans without
    repeated ones. `misfit` is the first document whose spans and tokens do not fit together, None if there
    are counts by token.
    """

    gold: Gold
    system: System
    labels: list[str]
    starts: Integers
    spans: SpanMatches
    once: tuple[Marks, Marks]
    pairs: PartialPairs
    tags: Tally
    n_tokens: Integers
    tokens: Tally | None
    misfit: int | None
    n_repeated: tuple[int, int]
    rows: NDArray[np.int64]


def match(gold: Gold, system: System, options: Options) -> Matches:
    """Both sides' spans compared, with the tokens of the gold or of the system."""
    one_to_one_pairs = options["pairing"] == "2.x"
    labels, starts = sorted_labels(gold, system), axis_starts(gold.signals)
    marks = both_marks(gold, system, labels, starts)
    once = marks[0].distinct(), marks[1].distinct()
    spans = _paired(*marks) if one_to_one_pairs else _compared(*once)
    tags = _tags(spans)
    pairs = partial_pairs(*once)
    tokens = system.tokens if options["tokens"] == "system" else gold.tokens
    n_tokens = np.bincount(tokens.document, minlength=len(gold.documents))
    counts, misfit = _tokens(spans, tokens, starts, one_to_one_pairs)
    return Matches(
        gold=gold,
        system=system,
        labels=labels,
        starts=starts,
        spans=spans,
        once=once,
        pairs=pairs,
        tags=tags,
        n_tokens=n_tokens,
        tokens=counts,
        misfit=misfit,
        n_repeated=(len(marks[0]) - len(once[0]), len(marks[1]) - len(once[1])),
        rows=_rows(gold.labels, labels, tags, counts, n_tokens, _pair_counts(*once, pairs, len(n_tokens))),
    )


def _compared(gold: Marks, system: Marks) -> SpanMatches:
    """Equal spans match; the others clash if they overlap any span of the other side."""
    _, paired_gold, paired_system = np.intersect1d(gold.key, system.key, assume_unique=True, return_indices=True)
    gold_kind = np.where(overlaps_any(gold, system), REFCLASH, MISSING)
    system_kind = np.where(overlaps_any(system, gold), HYPCLASH, SPURIOUS)
    gold_kind[paired_gold] = system_kind[paired_system] = MATCH
    return SpanMatches(gold, system, paired_gold, paired_system, gold_kind, system_kind)


def _paired(gold: Marks, system: Marks) -> SpanMatches:
    g, s = one_to_one(gold, system)
    equal = gold.key[g] == system.key[s]
    gold_kind, system_kind = np.full(len(gold), MISSING), np.full(len(system), SPURIOUS)
    gold_kind[g], system_kind[s] = np.where(equal, MATCH, REFCLASH), np.where(equal, MATCH, HYPCLASH)
    return SpanMatches(gold, system, g, s, gold_kind, system_kind)


def _tags(spans: SpanMatches) -> Tally:
    others = spans.system_kind != MATCH
    left = spans.system.at(others)
    return Tally.joined(
        [
            Tally(spans.gold.document, spans.gold.label, spans.gold_kind, np.ones(len(spans.gold), dtype=np.int64)),
            Tally(left.document, left.label, spans.system_kind[others], np.ones(len(left), dtype=np.int64)),
        ]
    )


def _tokens(
    spans: SpanMatches, tokens: Tokens, starts: Integers, one_to_one_pairs: bool
) -> tuple[Tally | None, int | None]:
    """Counts by token, or the first document that forbids them."""
    sides = covered(spans.gold, tokens, starts), covered(spans.system, tokens, starts)
    misfits = np.concatenate([side.document[~side.fits] for side in sides])
    if len(misfits):
        return None, int(misfits.min())
    if not len(tokens):
        return None, 0
    if one_to_one_pairs:
        return paired_token_counts(*sides, spans.paired_gold, spans.paired_system), None
    return token_counts(*sides, len(tokens)), None


def _pair_counts(gold: Marks, system: Marks, pairs: PartialPairs, n_documents: int) -> NDArray[np.int64]:
    """Pairs by what they have in common, and spans without a partner: (documents, 6)."""
    kind = 2 * ~pairs.same_extent + ~pairs.same_label
    alone = np.ones(len(gold), dtype=bool), np.ones(len(system), dtype=bool)
    alone[0][pairs.gold] = alone[1][pairs.system] = False
    cell = np.concatenate(
        [
            gold.document[pairs.gold] * len(PARTIAL) + kind,
            gold.document[alone[0]] * len(PARTIAL) + len(PARTIAL) - 2,
            system.document[alone[1]] * len(PARTIAL) + len(PARTIAL) - 1,
        ]
    )
    return summed(cell, np.ones_like(cell), (n_documents, len(PARTIAL)))


def _rows(
    gold_labels: list[str],
    labels: list[str],
    tags: Tally,
    tokens: Tally | None,
    n_tokens: Integers,
    pairs: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Counts (documents, groups, kinds).

    The groups are the labels of the gold in their order; labels that a system invents share the last one,
    so that thousands of them take no room. There are also the counts that belong to no label.
    """
    places = {label: place for place, label in enumerate(sorted(gold_labels))}
    group = np.array([places.get(label, len(places)) for label in labels], dtype=np.int64)
    shape = len(n_tokens), len(places) + 1
    rows = np.zeros((*shape, len(KINDS)), dtype=np.int64)
    rows[..., : len(BASIC)] = tags.by_group(group, shape)
    if tokens is not None:
        rows[..., len(BASIC) : 2 * len(BASIC)] = tokens.by_group(group, shape)
        rows[:, -1, 2 * len(BASIC) + 1] = 1
    rows[:, -1, 2 * len(BASIC)] = n_tokens
    rows[:, -1, -len(PARTIAL) :] = pairs
    return rows
