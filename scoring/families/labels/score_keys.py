"""The keys of the scores that a task and its options bring, in the order of display, and what people call them."""

from collections.abc import Mapping
from typing import Any

from scoring.families.f_beta import beside_f1, f_beta_titles
from scoring.families.labels.kinds import GOLD_INFORMATION, OF_ORDER, SHARE_SCORES, share_kinds
from scoring.families.labels.measures.hierarchy import HIERARCHY_TITLES, hierarchy_keys
from scoring.families.labels.measures.second import SECOND_TITLES, second_keys
from scoring.families.labels.measures.variants import VARIANT_TITLES, variant_keys
from scoring.messages import Message
from scoring.scale import Scale

AVERAGES = ("macro", "micro", "weighted")
PRF = ("precision", "recall", "f1")
AVERAGED = tuple(f"{average}_{score}" for average in AVERAGES for score in PRF)
OF_PROBABILITIES = ("log_loss", "brier", "roc_auc", "ece")
OF_SLICES = ("slice_mean", "slice_min")
OF_ICM = ("icm", "icm_norm")
_LOSSES = frozenset({"group_error", "hamming_loss", "log_loss", "brier", "ece", OF_ORDER, *SHARE_SCORES} - {"icm_soft"})
_UNBOUNDED = ("cross_entropy", "smoothed_cross_entropy", "icm_soft", "icm")  # what is perfect depends on the gold


def _right_among(k: int) -> Message:
    return Message("right-among-first", "Right among the first {k}", k=k)


TITLES = {
    "manhattan": "Manhattan distance",
    "wasserstein": "Wasserstein distance",
    "jensen_shannon": "Jensen–Shannon divergence",
    "cross_entropy": "Cross-entropy",
    "smoothed_cross_entropy": "Smoothed cross-entropy",
    "icm_soft": "ICM-soft",
    "icm_soft_norm": "Normalised ICM-soft",
    "accuracy": "Accuracy",
    "macro_f1": "Macro F1",
    "micro_f1": "Micro F1",
    "weighted_f1": "Weighted F1",
    "balanced_accuracy": "Balanced accuracy",
    "mcc": "Matthews correlation",
    "kappa": "Cohen's kappa",
    "quadratic_kappa": "Quadratic kappa",
    "icm": "ICM",
    "icm_norm": "Normalised ICM",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "macro_precision": "Macro precision",
    "macro_recall": "Macro recall",
    "micro_precision": "Micro precision",
    "micro_recall": "Micro recall",
    "weighted_precision": "Weighted precision",
    "weighted_recall": "Weighted recall",
    "subset_accuracy": "Exact sets",
    "jaccard": "Jaccard index",
    "samples_f1": "F1 by item",
    "hamming_loss": "Hamming loss",
    "partial_credit": "Partial credit",
    **{f"top_{k}_accuracy": _right_among(k) for k in (*range(2, 11), 20, 50, 100)},
    "mrr": "Mean reciprocal rank",
    "credit": "Credit",
    "log_loss": "Log loss",
    "brier": "Brier score",
    "roc_auc": "Area under the ROC curve",
    "ece": "Calibration error",
    "slice_mean": "Mean over slices",
    "slice_min": "Worst slice",
    **SECOND_TITLES,
    **VARIANT_TITLES,
    **HIERARCHY_TITLES,
}
_F_BETA = {
    "macro_fbeta": lambda beta: Message("macro-f-beta", "Macro F{beta}", beta=beta),
    "micro_fbeta": lambda beta: Message("micro-f-beta", "Micro F{beta}", beta=beta),
    "weighted_fbeta": lambda beta: Message("weighted-f-beta", "Weighted F{beta}", beta=beta),
    "fbeta": lambda beta: Message("f-beta", "F{beta}", beta=beta),
    "h_fbeta": lambda beta: Message("hierarchical-f-beta", "Hierarchical F{beta}", beta=beta),
    "samples_fbeta": lambda beta: Message("f-beta-by-item", "F{beta} by item", beta=beta),
}
# Whatever the options.
SCORE_TITLES = TITLES | f_beta_titles(_F_BETA)


def score_keys(options: Mapping[str, Any]) -> list[str]:
    """Return exactly the keys of `result.scores` with these options.

    >>> score_keys({"task": "graded", "slices": "domain", "positive": None, "probabilities": None, "ordinal": False})
    ['credit', 'accuracy', 'slice_mean', 'slice_min']
    """
    keys = beside_f1(
        [*_of_task(options), *second_keys(options), *variant_keys(options), *hierarchy_keys(options)], options
    )
    if options.get("icm"):
        keys += OF_ICM
    if options["probabilities"] is not None:
        keys += OF_PROBABILITIES
    return keys + ([*OF_SLICES] if options["slices"] else [])


def _of_task(options: Mapping[str, Any]) -> list[str]:
    task = options["task"]
    if task == "graded":
        return ["credit", "accuracy"]
    own = [*PRF] if options["positive"] is not None else []
    of_shares = ["icm_soft_norm" if name == GOLD_INFORMATION else name for name in share_kinds(options)]
    if task == "multi":
        of_sets = ["subset_accuracy", "jaccard", "samples_f1", *AVERAGED, *own, "hamming_loss", "partial_credit"]
        return of_shares + of_sets
    keys = [*of_shares, "accuracy"]
    if task == "ranked":
        keys += [*(f"top_{k}_accuracy" for k in options["top"]), "mrr"]
    keys += ["balanced_accuracy", *AVERAGED, "mcc", "kappa"]
    return keys + (["quadratic_kappa"] if options["ordinal"] else []) + own


def titles(options: Mapping[str, Any]) -> dict[str, str]:
    """Return what people call the scores that there are with these options."""
    keys = score_keys(options)
    all_titles = TITLES | f_beta_titles(_F_BETA, options.get("beta"))
    known = {key: title for key, title in all_titles.items() if key in keys}
    return known | {key: _right_among(int(key.split("_")[1])) for key in keys if key not in known}


def scales(options: Mapping[str, Any]) -> dict[str, Scale]:
    """Return how scores are said that are no shares."""
    of_score = dict.fromkeys(_UNBOUNDED, Scale(has_bounds=False, depends_on_gold=True))
    of_score |= dict.fromkeys(("manhattan", OF_ORDER), Scale(has_bounds=False))
    of_score |= {key: of_score[options["slice_score"]] for key in OF_SLICES if options.get("slice_score") in of_score}
    return {key: of_score[key] for key in score_keys(options) if key in of_score}


def lower_is_better(options: Mapping[str, Any]) -> frozenset[str]:
    """Return those of the keys of which less is better; the worst slice goes by its own score."""
    of_slices = OF_SLICES if options.get("slice_score") in _LOSSES else ()
    return _LOSSES.intersection(score_keys(options)).union(of_slices)
