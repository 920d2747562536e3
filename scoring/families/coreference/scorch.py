"""The scores of single documents as scorch 0.2.0 computes them, and its averages.

Where the protocol `reference` sums the counts of all documents, scorch scores each document alone and averages the
scores. Its command, though not its functions, first adds each system mention that the gold lacks to the gold as a
singleton, which raises the scores of systems that invent mentions.

Plain Python, because the command `scorch` ends before NumPy would be imported. The arithmetic is arranged so that
even the last digits are scorch's, as far as these do not depend on its hash seed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.families.coreference.document_counts import Counts, metric_counts
from scoring.families.coreference.measures.overlap import Overlap
from scoring.messages import Message

METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
# The metrics whose mean F1 is the CoNLL average (Pradhan et al. 2012).
CONLL = ("muc", "b_cubed", "ceaf_e")


class Score(NamedTuple):
    """One metric of a document, or of an average."""

    recall: float
    precision: float
    f1: float


_NONE = Score(0.0, 0.0, 0.0)
_ALL = Score(1.0, 1.0, 1.0)


class DocumentScores(NamedTuple):
    """The scores of one document."""

    # For each of METRICS.
    scores: dict[str, Score]
    # The weight of the document's recall in an average, added singletons included.
    gold_mentions: int
    # The weight of its precision. Both together are the weight of its F1.
    system_mentions: int


def document_scores(overlap: Overlap, *, adds_singletons: bool) -> DocumentScores:
    """Return the scores of a document: with `adds_singletons` as scorch's command has them, else as its functions do.

    Where the functions fail, as that of CEAF by entities does for sides without a common mention, the score is 0.
    """
    counts = metric_counts(overlap.with_singletons() if adds_singletons else overlap)
    gold, system = int(counts["gold_mentions"]), int(counts["system_mentions"])
    scores = {
        "muc": _muc(counts),
        "b_cubed": _score(counts["b_cubed_recall_sum"], gold, counts["b_cubed_precision_sum"], system),
        "ceaf_m": _ceaf(counts, counts["ceaf_m_sum"], gold, system),
        "ceaf_e": _ceaf(counts, counts["ceaf_e_sum"], counts["gold_entities"], counts["system_entities"]),
        "blanc": _blanc(counts),
    }
    return DocumentScores(scores, gold, system)


def average(documents: Sequence[DocumentScores]) -> dict[str, Score]:
    """Average recall weighted by gold mentions, precision by system mentions, F1 by both: three means of their own.

    So an averaged F1 is not the harmonic mean of the averaged recall and precision.
    """
    gold = [document.gold_mentions for document in documents]
    system = [document.system_mentions for document in documents]
    both = [one + other for one, other in zip(gold, system, strict=True)]
    return {
        metric: Score(
            mean([document.scores[metric].recall for document in documents], gold),
            mean([document.scores[metric].precision for document in documents], system),
            mean([document.scores[metric].f1 for document in documents], both),
        )
        for metric in METRICS
    }


def flood_warnings(added: float, gold_mentions: float) -> list[str]:
    """Warn if more mentions were added to the gold than it has: then inventing mentions pays."""
    if added <= gold_mentions:
        return []
    return [
        Message(
            "gold-mostly-extended",
            "most of the extended gold was made by the system: {n} singletons were added to {of} mentions of the gold",
            n=added,
            of=gold_mentions,
        )
    ]


def conll_f1(scores: dict[str, Score]) -> float:
    """Return the CoNLL average of a document, or of the averages of all documents."""
    return mean([scores[metric].f1 for metric in CONLL], [1] * len(CONLL))


def mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return the weighted mean, exact until it is rounded once; the weights must not all be 0.

    >>> mean([0.25, 1.0], [3, 1])
    0.4375
    """
    ratios = [value.as_integer_ratio() for value in values]
    # Denominators of floats are powers of two: the largest is a multiple of all.
    common = max(denominator for _, denominator in ratios)
    total = sum(
        weight * numerator * (common // denominator)
        for weight, (numerator, denominator) in zip(weights, ratios, strict=True)
    )
    return total / (common * sum(weights))


def _muc(counts: Counts) -> Score:
    # Only singletons on a side, or nothing at all: there are no links, and by tradition that is 0, even if both sides
    # are equal.
    if not counts["muc_gold"] or not counts["muc_system"]:
        return _NONE
    return _score(counts["muc_correct"], counts["muc_gold"], counts["muc_correct"], counts["muc_system"])


def _ceaf(counts: Counts, total: float, gold: float, system: float) -> Score:
    # Scorch would divide by zero.
    if not counts["gold_entities"] or not counts["system_entities"]:
        return _NONE
    return _score(total, gold, total, system)


def _blanc(counts: Counts) -> Score:
    """Average both kinds of links; a kind that the gold lacks does not count, whatever the system has."""
    sizes = ("gold_entities", "system_entities", "gold_mentions", "system_mentions")
    # One mention on each side has no link of either kind: the two are right if they are the same.
    if all(counts[size] == 1 for size in sizes):
        return _ALL if counts["common_mentions"] else _NONE
    coreference = _links(counts, "coreference")
    non_coreference = _links(counts, "non_coreference")
    if not counts["blanc_coreference_gold"]:
        return non_coreference
    if not counts["blanc_non_coreference_gold"]:
        return coreference
    # F1 too is a mean of two, not the harmonic mean of the other means.
    return Score(*((one + other) / 2 for one, other in zip(coreference, non_coreference, strict=True)))


def _links(counts: Counts, kind: str) -> Score:
    """Return BLANC of one kind of links, "coreference" or "non_coreference"."""
    correct, gold, system = (counts[f"blanc_{kind}_{part}"] for part in ("correct", "gold", "system"))
    # Neither side has such links: they agree. (The protocol `reference` gives 0 to documents without any link.)
    if not gold and not system:
        return _ALL
    if not gold or not system:
        return _NONE
    return Score(correct / gold, correct / system, 2 * correct / (gold + system))


def _score(recall_sum: float, gold: float, precision_sum: float, system: float) -> Score:
    """Return recall and precision, each a sum of what is right divided by the size of its side, and their F1."""
    recall = recall_sum / gold if gold else 0.0
    precision = precision_sum / system if system else 0.0
    return Score(recall, precision, _f1(recall, precision))


def _f1(recall: float, precision: float) -> float:
    """Compute 2 / (1/R + 1/P) with the two quotients rounded and the rest exact: the last digit is scorch's.

    Scorch takes Python's `statistics.harmonic_mean`, which computes so.
    """
    if not recall or not precision:
        return 0.0
    # 1/R = a/b and 1/P = c/d, and 2 / (a/b + c/d) = 2bd / (ad + bc).
    (a, b), (c, d) = (1 / recall).as_integer_ratio(), (1 / precision).as_integer_ratio()
    return 2 * b * d / (a * d + b * c)
