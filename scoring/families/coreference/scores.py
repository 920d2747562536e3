"""The 22 scores from counts: summed over documents, or averaged in scorch's way."""

import numpy as np
from numpy.typing import NDArray

from scoring.families.coreference.document_counts import KINDS as COUNTS
from scoring.families.coreference.scorch import CONLL, METRICS
from scoring.family import Array, Options
from scoring.prf import harmonic_mean, ratio

PARTS = ("recall", "precision", "f1")
# Scorch's averages: the weight of each part, and each metric's parts times their weights; 0 in `reference`.
WEIGHTS = tuple(f"{part}_weight" for part in PARTS)
WEIGHTED = tuple(f"weighted_{metric}_{part}" for metric in METRICS for part in PARTS)
KINDS = COUNTS + WEIGHTS + WEIGHTED
ALL_METRICS = (*METRICS, "lea", "mention")

_Scores = dict[str, NDArray[np.float64]]
_Part = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def metrics(counts: Array, options: Options) -> _Scores:
    """Recall, precision and F1 of every metric from counts (..., kinds); no score is ever undefined."""
    by_kind = dict(zip(KINDS, np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0), strict=True))
    scores = _summed(by_kind) if options["protocol"] == "reference" else _averaged(by_kind)
    scores |= _named("lea", _prf(by_kind, "lea_recall_sum", "gold_mentions", "lea_precision_sum", "system_mentions"))
    scores |= _named("mention", _prf(by_kind, "common_mentions", "gold_mentions", "common_mentions", "system_mentions"))
    return scores | {"conll_f1": np.mean([scores[f"{metric}_f1"] for metric in CONLL], axis=0)}


def _summed(counts: _Scores) -> _Scores:
    """As the reference scorer: the counts of all documents make one score (Pradhan et al. 2014)."""
    return (
        _named("muc", _prf(counts, "muc_correct", "muc_gold", "muc_correct", "muc_system"))
        | _named(
            "b_cubed", _prf(counts, "b_cubed_recall_sum", "gold_mentions", "b_cubed_precision_sum", "system_mentions")
        )
        | _named("ceaf_m", _prf(counts, "ceaf_m_sum", "gold_mentions", "ceaf_m_sum", "system_mentions"))
        | _named("ceaf_e", _prf(counts, "ceaf_e_sum", "gold_entities", "ceaf_e_sum", "system_entities"))
        | _named("blanc", _blanc(counts))
    )


def _averaged(counts: _Scores) -> _Scores:
    """As scorch: each part of each metric is an average of its own."""
    return {
        f"{metric}_{part}": ratio(counts[f"weighted_{metric}_{part}"], counts[f"{part}_weight"])
        for metric in METRICS
        for part in PARTS
    }


def _blanc(counts: _Scores) -> _Part:
    """The mean over both kinds of links; a kind that the gold lacks does not count, whatever the system has."""
    kinds = [f"blanc_{kind}" for kind in ("coreference", "non_coreference")]
    present = [counts[f"{kind}_gold"] > 0 for kind in kinds]
    parts = [_prf(counts, f"{kind}_correct", f"{kind}_gold", f"{kind}_correct", f"{kind}_system") for kind in kinds]
    n_present = np.add(*present, dtype=np.float64)
    recall, precision, f1 = (
        ratio(one * present[0] + other * present[1], n_present) for one, other in zip(*parts, strict=True)
    )
    return recall, precision, f1


def _prf(counts: _Scores, found: str, gold: str, right: str, system: str) -> _Part:
    recall, precision = ratio(counts[found], counts[gold]), ratio(counts[right], counts[system])
    return recall, precision, harmonic_mean(precision, recall)


def _named(metric: str, values: _Part) -> _Scores:
    return {f"{metric}_{part}": value for part, value in zip(PARTS, values, strict=True)}
