"""The two ways to compare the spans of gold and system: the option `pairing`.

What they do, with an example, stands at the head of scoring/families/mat/counting.py.
The same in plain Python: `count_tags` and `count_assigned` in tests/scoring/plain/mat.py.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.families.mat.matching.one_to_one import one_to_one
from scoring.families.mat.matching.overlaps import overlaps_any
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS


@dataclass(frozen=True)
class SpanMatches:
    """Holds what became of each of the n spans of the gold and the m of the system, and which are partners.

    With pairing 1.2 the p pairs are the matches alone, and the spans are distinct; with 2.x they are all pairs.
    """

    gold: CorpusSpans  # the n spans that count
    system: CorpusSpans  # the m spans that count
    paired_gold: Integers  # (p,) index of each pair's gold span, ascending
    paired_system: Integers  # (p,) index of each pair's system span
    gold_kind: Integers  # (n,) MATCH, REFCLASH or MISSING
    system_kind: Integers  # (m,) MATCH, HYPCLASH or SPURIOUS


def pair_1_2(gold: CorpusSpans, system: CorpusSpans) -> SpanMatches:
    """Judge each span by itself: it matches an equal one, else clashes if it overlaps anything, else has nothing there.

    Distinct spans are expected on both sides. A span clashes with whatever it overlaps, also with spans that match
    others, so nothing is used up: one gold span over two system spans is one refclash and two hypclashes.

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> from scoring.families.mat.scores import BASIC
    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 7), (0, 1, 13, 28)]).T, np.array([(0, 0, 0, 7), (0, 1, 13, 20), (0, 2, 21, 28)]).T
    ... )
    >>> matches = pair_1_2(gold, system)
    >>> [BASIC[kind] for kind in matches.gold_kind], [BASIC[kind] for kind in matches.system_kind]
    (['match', 'refclash'], ['match', 'hypclash', 'hypclash'])
    """
    _, paired_gold, paired_system = np.intersect1d(gold.key, system.key, assume_unique=True, return_indices=True)
    gold_kind = np.where(overlaps_any(gold, system), REFCLASH, MISSING)
    system_kind = np.where(overlaps_any(system, gold), HYPCLASH, SPURIOUS)
    # Equal spans overlap too: a match goes before any clash.
    gold_kind[paired_gold] = system_kind[paired_system] = MATCH
    return SpanMatches(gold, system, paired_gold, paired_system, gold_kind, system_kind)


def pair_2_x(gold: CorpusSpans, system: CorpusSpans) -> SpanMatches:
    """Give each span one partner at most: the two match or clash with each other, and the others have nothing there.

    Duplicates stay: each of them needs a partner of its own. The spans of `pair_1_2` give another result, because
    the one gold span can be the partner of one system span only:

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> from scoring.families.mat.scores import BASIC
    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 7), (0, 1, 13, 28)]).T, np.array([(0, 0, 0, 7), (0, 1, 13, 20), (0, 2, 21, 28)]).T
    ... )
    >>> matches = pair_2_x(gold, system)
    >>> [BASIC[kind] for kind in matches.gold_kind], [BASIC[kind] for kind in matches.system_kind]
    (['match', 'refclash'], ['match', 'hypclash', 'spurious'])

    Since the greatest sum decides, even equal spans can go to other partners. Here the system's [0, 10) is paired
    with [9, 10), as 0.91 + 0.19 is more than the 1 of a match that leaves the two other spans alone:

    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 10), (0, 0, 9, 10)]).T, np.array([(0, 0, 0, 9), (0, 0, 0, 10)]).T
    ... )
    >>> matches = pair_2_x(gold, system)
    >>> matches.paired_gold, matches.paired_system
    (array([0, 1]), array([0, 1]))
    >>> [BASIC[kind] for kind in matches.gold_kind], [BASIC[kind] for kind in matches.system_kind]
    (['refclash', 'refclash'], ['hypclash', 'hypclash'])
    """
    g, s = one_to_one(gold, system)
    equal = gold.key[g] == system.key[s]
    # A clash is counted on both sides: for the gold's label, and for the system's.
    gold_kind, system_kind = np.full(len(gold), MISSING), np.full(len(system), SPURIOUS)
    gold_kind[g], system_kind[s] = np.where(equal, MATCH, REFCLASH), np.where(equal, MATCH, HYPCLASH)
    return SpanMatches(gold, system, g, s, gold_kind, system_kind)
