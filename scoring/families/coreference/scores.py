"""The 22 scores from counts: summed over documents, or averaged in scorch's way.

Three protocols give different numbers from the same files, so a score is to be read with its protocol:

* `reference` adds up each count over the documents and computes each metric once.
* `scorch` and `scorch-functions` score each document alone (`scorch.py`) and average the scores with weights.

LEA and the detection of mentions are computed in the first way in every protocol.
"""

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.coreference.document_counts import COUNT_KINDS
from scoring.families.coreference.scorch import CONLL, METRICS
from scoring.family import Options
from scoring.prf import harmonic_mean, ratio

PARTS = ("recall", "precision", "f1")
# The weights of a document in scorch's averages, one for each part, and each part of each metric times its weight: a
# weighted mean becomes a ratio of sums, which resamples can add up. All are 0 in the protocol `reference`.
WEIGHTS = tuple(f"{part}_weight" for part in PARTS)
WEIGHTED = tuple(f"weighted_{metric}_{part}" for metric in METRICS for part in PARTS)
KINDS = COUNT_KINDS + WEIGHTS + WEIGHTED
ALL_METRICS = (*METRICS, "lea", "mention")

# {kind of count, or score: (...)}.
_Columns = dict[str, Floats]
# Recall, precision and F1 of one metric, each (...).
_Prf = tuple[Floats, Floats, Floats]


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute recall, precision and F1 of each metric and the CoNLL average, from counts (..., kinds): {score: (...)}.

    No score is ever undefined: a ratio whose denominator is 0 is 0, as in the reference scorer.
    """
    by_kind = dict(zip(KINDS, np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0), strict=True))
    scores = _summed(by_kind) if options["protocol"] == "reference" else _averaged(by_kind)
    scores |= _named(
        "lea",
        _prf(by_kind, recall=("lea_recall_sum", "gold_mentions"), precision=("lea_precision_sum", "system_mentions")),
    )
    scores |= _named(
        "mention",
        _prf(by_kind, recall=("common_mentions", "gold_mentions"), precision=("common_mentions", "system_mentions")),
    )
    return scores | {"conll_f1": np.mean([scores[f"{metric}_f1"] for metric in CONLL], axis=0)}


def count_scores(count: str) -> list[str]:
    """Return the scores that a total is made for: sums of recall and precision have each a score of their own.

    >>> count_scores("muc_gold"), count_scores("lea_recall_sum"), count_scores("gold_entities")
    (['muc_f1'], ['lea_recall'], [])
    """
    if count == "common_mentions":
        return ["mention_f1"]
    metric = next((metric for metric in ALL_METRICS if count.startswith(f"{metric}_")), None)
    part = next((part for part in PARTS if count.endswith(f"_{part}_sum")), "f1")
    return [f"{metric}_{part}"] if metric else []


def _summed(counts: _Columns) -> _Columns:
    """Score as the reference scorer: the counts of all documents make one score (Pradhan et al. 2014)."""
    muc = _prf(counts, recall=("muc_correct", "muc_gold"), precision=("muc_correct", "muc_system"))
    b_cubed = _prf(
        counts,
        recall=("b_cubed_recall_sum", "gold_mentions"),
        precision=("b_cubed_precision_sum", "system_mentions"),
    )
    ceaf_m = _prf(counts, recall=("ceaf_m_sum", "gold_mentions"), precision=("ceaf_m_sum", "system_mentions"))
    # The best sum that a side could reach with itself is 1 for each of its entities.
    ceaf_e = _prf(counts, recall=("ceaf_e_sum", "gold_entities"), precision=("ceaf_e_sum", "system_entities"))
    return (
        _named("muc", muc)
        | _named("b_cubed", b_cubed)
        | _named("ceaf_m", ceaf_m)
        | _named("ceaf_e", ceaf_e)
        | _named("blanc", _blanc(counts))
    )


def _averaged(counts: _Columns) -> _Columns:
    """Score as scorch: each part of each metric is an average of its own, and 0 if nothing has any weight."""
    return {
        f"{metric}_{part}": ratio(counts[f"weighted_{metric}_{part}"], counts[f"{part}_weight"])
        for metric in METRICS
        for part in PARTS
    }


def _blanc(counts: _Columns) -> _Prf:
    """Average both kinds of links; a kind that the gold lacks does not count, whatever the system has.

    F1 too is the mean of two F1, not the harmonic mean of the mean recall and precision. The CorefUD scorer asks both
    sides which kinds there are; the reference scorer, and we, the gold alone.
    """
    kinds = [f"blanc_{kind}" for kind in ("coreference", "non_coreference")]
    # For each kind of link (...): whether the gold has any, then recall, precision and F1.
    is_present = [counts[f"{kind}_gold"] > 0 for kind in kinds]
    parts = [
        _prf(counts, recall=(f"{kind}_correct", f"{kind}_gold"), precision=(f"{kind}_correct", f"{kind}_system"))
        for kind in kinds
    ]
    # 0 for a gold of a single mention, or of none: BLANC is 0 then.
    n_present = np.add(*is_present, dtype=np.float64)
    recall, precision, f1 = (
        ratio(one * is_present[0] + other * is_present[1], n_present) for one, other in zip(*parts, strict=True)
    )
    return recall, precision, f1


def _prf(counts: _Columns, *, recall: tuple[str, str], precision: tuple[str, str]) -> _Prf:
    """Compute recall, precision and F1 from the kinds of count that are numerator and denominator of the first two."""
    recall_values = ratio(counts[recall[0]], counts[recall[1]])
    precision_values = ratio(counts[precision[0]], counts[precision[1]])
    return recall_values, precision_values, harmonic_mean(precision_values, recall_values)


def _named(metric: str, values: _Prf) -> _Columns:
    """Return the parts of a metric under the names of their scores, as `muc_f1`."""
    return {f"{metric}_{part}": value for part, value in zip(PARTS, values, strict=True)}
