"""The two ways to pair spans: by identity as in 1.2, or one-to-one as in 2.x."""

from dataclasses import dataclass

import numpy as np

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers
from scoring.families.mat.matching.one_to_one import one_to_one
from scoring.families.mat.matching.overlaps import overlaps_any
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS


@dataclass(frozen=True)
class SpanMatches:
    """The spans that count, the pairs among them by index, and each span's kind.

    Pairs are matches alone, or with one-to-one pairing all pairs.
    """

    gold: CorpusSpans
    system: CorpusSpans
    paired_gold: Integers
    paired_system: Integers
    gold_kind: Integers
    system_kind: Integers


def pair_1_2(gold: CorpusSpans, system: CorpusSpans) -> SpanMatches:
    """Equal spans match; the others clash if they overlap any span of the other side."""
    _, paired_gold, paired_system = np.intersect1d(gold.key, system.key, assume_unique=True, return_indices=True)
    gold_kind = np.where(overlaps_any(gold, system), REFCLASH, MISSING)
    system_kind = np.where(overlaps_any(system, gold), HYPCLASH, SPURIOUS)
    gold_kind[paired_gold] = system_kind[paired_system] = MATCH
    return SpanMatches(gold, system, paired_gold, paired_system, gold_kind, system_kind)


def pair_2_x(gold: CorpusSpans, system: CorpusSpans) -> SpanMatches:
    g, s = one_to_one(gold, system)
    equal = gold.key[g] == system.key[s]
    gold_kind, system_kind = np.full(len(gold), MISSING), np.full(len(system), SPURIOUS)
    gold_kind[g], system_kind[s] = np.where(equal, MATCH, REFCLASH), np.where(equal, MATCH, HYPCLASH)
    return SpanMatches(gold, system, g, s, gold_kind, system_kind)
