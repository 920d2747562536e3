"""The scores of single documents as scorch 0.2.0 computes them, and its averages."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.families.coreference.document_counts import Counts, metric_counts
from scoring.families.coreference.overlap import Overlap

METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
CONLL = ("muc", "b_cubed", "ceaf_e")


class Score(NamedTuple):
    recall: float
    precision: float
    f1: float


_NONE = Score(0.0, 0.0, 0.0)
_ALL = Score(1.0, 1.0, 1.0)


class Scored(NamedTuple):
    """The five scores of one document, and the mentions that weigh them in an average."""

    scores: dict[str, Score]
    gold_mentions: int
    system_mentions: int


def score(overlap: Overlap, *, adds_singletons: bool) -> Scored:
    """With `adds_singletons` as scorch's command does, otherwise as its functions do."""
    counts = metric_counts(overlap.with_singletons() if adds_singletons else overlap)
    gold, system = int(counts["gold_mentions"]), int(counts["system_mentions"])
    found = {
        "muc": _muc(counts),
        "b_cubed": _score(counts["b_cubed_recall_sum"], gold, counts["b_cubed_precision_sum"], system),
        "ceaf_m": _ceaf(counts, counts["ceaf_m_sum"], gold, system),
        "ceaf_e": _ceaf(counts, counts["ceaf_e_sum"], counts["gold_entities"], counts["system_entities"]),
        "blanc": _blanc(counts),
    }
    return Scored(found, gold, system)


def average(documents: Sequence[Scored]) -> dict[str, Score]:
    """Recall weighted by gold mentions, precision by system mentions, F1 by both: three means of their own.

    So the averaged F1 is not the harmonic mean of the other two. There must be mentions on both sides.
    """
    gold = [document.gold_mentions for document in documents]
    system = [document.system_mentions for document in documents]
    both = [g + s for g, s in zip(gold, system, strict=True)]
    return {
        metric: Score(
            mean([document.scores[metric].recall for document in documents], gold),
            mean([document.scores[metric].precision for document in documents], system),
            mean([document.scores[metric].f1 for document in documents], both),
        )
        for metric in METRICS
    }


def flood(added: float, gold_mentions: float) -> list[str]:
    """A warning if inventing mentions pays: those that the gold lacks have become singletons of the gold."""
    if added <= gold_mentions:
        return []
    return [
        f"most of the extended gold was made by the system: {added} singletons were added to {gold_mentions}"
        " mentions of the gold"
    ]


def conll_f1(scores: dict[str, Score]) -> float:
    return mean([scores[metric].f1 for metric in CONLL], [1] * len(CONLL))


def mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """The weighted mean, exact until it is rounded once."""
    ratios = [value.as_integer_ratio() for value in values]
    # Denominators of floats are powers of two: the largest is a multiple of all.
    common = max(denominator for _, denominator in ratios)
    total = sum(
        weight * numerator * (common // denominator)
        for weight, (numerator, denominator) in zip(weights, ratios, strict=True)
    )
    return total / (common * sum(weights))


def _muc(counts: Counts) -> Score:
    if not counts["muc_gold"] or not counts["muc_system"]:
        return _NONE
    return _score(counts["muc_correct"], counts["muc_gold"], counts["muc_correct"], counts["muc_system"])


def _ceaf(counts: Counts, total: float, gold: float, system: float) -> Score:
    if not counts["gold_entities"] or not counts["system_entities"]:
        return _NONE
    return _score(total, gold, total, system)


def _blanc(counts: Counts) -> Score:
    sizes = ("gold_entities", "system_entities", "gold_mentions", "system_mentions")
    if all(counts[size] == 1 for size in sizes):
        return _ALL if counts["common_mentions"] else _NONE
    coreference = _links(counts, "coreference")
    others = _links(counts, "non_coreference")
    if not counts["blanc_coreference_gold"]:
        return others
    if not counts["blanc_non_coreference_gold"]:
        return coreference
    return Score(*((one + other) / 2 for one, other in zip(coreference, others, strict=True)))


def _links(counts: Counts, kind: str) -> Score:
    correct, gold, system = (counts[f"blanc_{kind}_{part}"] for part in ("correct", "gold", "system"))
    if not gold and not system:
        return _ALL
    if not gold or not system:
        return _NONE
    return Score(correct / gold, correct / system, 2 * correct / (gold + system))


def _score(recall_sum: float, gold: float, precision_sum: float, system: float) -> Score:
    recall = recall_sum / gold if gold else 0.0
    precision = precision_sum / system if system else 0.0
    return Score(recall, precision, _f1(recall, precision))


def _f1(recall: float, precision: float) -> float:
    """2 / (1/R + 1/P) with the two quotients rounded and the rest exact, as scorch's comes out."""
    if not recall or not precision:
        return 0.0
    (a, b), (c, d) = (1 / recall).as_integer_ratio(), (1 / precision).as_integer_ratio()
    return 2 * b * d / (a * d + b * c)
