"""The keys of the scores that a task and its options bring, in the order of display, and what people call them."""

from collections.abc import Mapping
from typing import Any

from scoring.families.f_beta import beside_f1, f_beta_titles
from scoring.families.labels.kinds import GOLD_INFORMATION, share_kinds
from scoring.families.labels.measures.hierarchy import HIERARCHY_SCORES, hierarchy_keys
from scoring.families.labels.measures.second import SECOND_SCORES, second_keys
from scoring.families.labels.measures.variants import VARIANT_SCORES, variant_keys
from scoring.messages import Message
from scoring.scale import Scale
from scoring.score import Score, losses_of, scales_of, titles_of

AVERAGES = ("macro", "micro", "weighted")
PRF = ("precision", "recall", "f1")
AVERAGED = tuple(f"{average}_{score}" for average in AVERAGES for score in PRF)
OF_PROBABILITIES = ("log_loss", "brier", "roc_auc", "ece")
OF_SLICES = ("slice_mean", "slice_min")
OF_ICM = ("icm", "icm_norm")
_UNBOUNDED = Scale(has_bounds=False, depends_on_gold=True)  # what is perfect depends on the gold
_OPEN_ENDED = Scale(has_bounds=False)


def _right_among(k: int) -> Message:
    return Message("right-among-first", "Right among the first {k}", k=k)


SCORES = (
    Score("manhattan", "Manhattan distance", is_loss=True, scale=_OPEN_ENDED),
    Score("wasserstein", "Wasserstein distance", is_loss=True, scale=_OPEN_ENDED),
    Score("jensen_shannon", "Jensen–Shannon divergence", is_loss=True),
    Score("cross_entropy", "Cross-entropy", is_loss=True, scale=_UNBOUNDED),
    Score("smoothed_cross_entropy", "Smoothed cross-entropy", is_loss=True, scale=_UNBOUNDED),
    Score("icm_soft", "ICM-soft", scale=_UNBOUNDED),
    Score("icm_soft_norm", "Normalised ICM-soft"),
    Score("accuracy", "Accuracy"),
    Score("macro_f1", "Macro F1"),
    Score("micro_f1", "Micro F1"),
    Score("weighted_f1", "Weighted F1"),
    Score("balanced_accuracy", "Balanced accuracy"),
    Score("mcc", "Matthews correlation"),
    Score("kappa", "Cohen's kappa"),
    Score("quadratic_kappa", "Quadratic kappa"),
    Score("icm", "ICM", scale=_UNBOUNDED),
    Score("icm_norm", "Normalised ICM"),
    Score("precision", "Precision"),
    Score("recall", "Recall"),
    Score("f1", "F1"),
    Score("macro_precision", "Macro precision"),
    Score("macro_recall", "Macro recall"),
    Score("micro_precision", "Micro precision"),
    Score("micro_recall", "Micro recall"),
    Score("weighted_precision", "Weighted precision"),
    Score("weighted_recall", "Weighted recall"),
    Score("subset_accuracy", "Exact sets"),
    Score("jaccard", "Jaccard index"),
    Score("samples_f1", "F1 by item"),
    Score("hamming_loss", "Hamming loss", is_loss=True),
    Score("partial_credit", "Partial credit"),
    *(Score(f"top_{k}_accuracy", _right_among(k)) for k in (*range(2, 11), 20, 50, 100)),
    Score("mrr", "Mean reciprocal rank"),
    Score("credit", "Credit"),
    Score("log_loss", "Log loss", is_loss=True),
    Score("brier", "Brier score", is_loss=True),
    Score("roc_auc", "Area under the ROC curve"),
    Score("ece", "Calibration error", is_loss=True),
    Score("slice_mean", "Mean over slices"),
    Score("slice_min", "Worst slice"),
    *SECOND_SCORES,
    *VARIANT_SCORES,
    *HIERARCHY_SCORES,
)
TITLES = titles_of(SCORES)
_LOSSES, _SCALES = losses_of(SCORES), scales_of(SCORES)
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
    of_one = [*PRF] if options["positive"] is not None else []
    of_shares = ["icm_soft_norm" if name == GOLD_INFORMATION else name for name in share_kinds(options)]
    if task == "multi":
        of_sets = ["subset_accuracy", "jaccard", "samples_f1", *AVERAGED, *of_one, "hamming_loss", "partial_credit"]
        return of_shares + of_sets
    keys = [*of_shares, "accuracy"]
    if task == "ranked":
        keys += [*(f"top_{k}_accuracy" for k in options["top"]), "mrr"]
    keys += ["balanced_accuracy", *AVERAGED, "mcc", "kappa"]
    return keys + (["quadratic_kappa"] if options["ordinal"] else []) + of_one


def titles(options: Mapping[str, Any]) -> dict[str, str]:
    """Return what people call the scores that there are with these options."""
    keys = score_keys(options)
    all_titles = TITLES | f_beta_titles(_F_BETA, options.get("beta"))
    shown = {key: title for key, title in all_titles.items() if key in keys}
    return shown | {key: _right_among(int(key.split("_")[1])) for key in keys if key not in shown}


def scales(options: Mapping[str, Any]) -> dict[str, Scale]:
    """Return how scores are said that are no shares."""
    of_slices = _SCALES.get(options.get("slice_score") or "")
    by_score = _SCALES | (dict.fromkeys(OF_SLICES, of_slices) if of_slices else {})
    return {key: by_score[key] for key in score_keys(options) if key in by_score}


def lower_is_better(options: Mapping[str, Any]) -> frozenset[str]:
    """Return those of the keys of which less is better; the worst slice goes by its own score."""
    of_slices = OF_SLICES if options.get("slice_score") in _LOSSES else ()
    return _LOSSES.intersection(score_keys(options)).union(of_slices)
