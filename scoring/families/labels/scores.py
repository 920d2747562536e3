"""All scores from sums of counts (kinds.py). Where scikit-learn 1.9 defines a score, it is that number.

t, p and c are the gold's rows, the system's and both's with a label: (..., labels). N is the number of rows. A row of
the system that is missing, or whose label is not in the list, counts as one further label, which the gold never has.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.f_beta import beside_f1, beta_of
from scoring.families.labels.kinds import GOLD_INFORMATION, Counts, share_kinds
from scoring.families.labels.measures.hierarchy import HIERARCHY_KINDS
from scoring.families.labels.measures.icm import ICM_KINDS, icm_kinds
from scoring.families.labels.measures.second import SECOND_BLOCKS
from scoring.families.labels.measures.variants import variant_scores
from scoring.families.labels.score_keys import AVERAGES, OF_SLICES, lower_is_better, score_keys
from scoring.family import Options
from scoring.prf import ratio
from scoring.readers.labels import has_shares

Scores = dict[str, Floats]


def metrics(counts: Array, options: Options) -> Scores:
    """Compute all scores (...) that are functions of sums, from counts (..., slices, kinds).

    NaN where one does not apply.
    """
    by_slice = np.asarray(counts)
    scores = _scores(by_slice[..., 0, :] if by_slice.shape[-2] == 1 else by_slice.sum(axis=-2), options)
    if options["slices"] and (values := _scores(by_slice, options).get(options["slice_score"])) is not None:
        n_items = Counts(by_slice, options)["items"]
        scores |= over_slices(np.where(n_items > 0, values, np.nan), options)
    return {key: scores[key] for key in score_keys(options) if key in scores}


def over_slices(values: Floats, options: Options) -> Scores:
    """Return mean and worst of a score by slice (..., slices), over the slices in which it is not NaN."""
    is_defined = ~np.isnan(values)
    number = is_defined.sum(axis=-1)
    has_any = number > 0
    mean = np.where(has_any, np.where(is_defined, values, 0.0).sum(axis=-1) / np.maximum(number, 1), np.nan)
    if OF_SLICES[1] in lower_is_better(options):
        worst = np.where(is_defined, values, -np.inf).max(axis=-1)
    else:
        worst = np.where(is_defined, values, np.inf).min(axis=-1)
    return dict(zip(OF_SLICES, (mean, np.where(has_any, worst, np.nan)), strict=True))


def prf_of_labels(t: Floats, p: Floats, c: Floats, options: Mapping[str, Any]) -> Scores:
    """Return precision, recall and F1 of each label, and F-beta where there is a beta; `zero_division` for 0/0."""
    zero = options["zero_division"]
    scores = {"precision": _or(zero, c, p), "recall": _or(zero, c, t), "f1": _or(zero, 2 * c, t + p)}
    if beta := beta_of(options):
        scores["fbeta"] = _or(zero, (1 + beta**2) * c, beta**2 * t + p)
    return scores


def _scores(counts: Array, options: Options) -> Scores:
    """Make scores of counts (..., kinds) of all slices together, or of one."""
    columns = Counts(counts, options)
    n_rows = columns["items"]
    scores = variant_scores(columns, options)
    if options["task"] == "graded":
        return scores | {"credit": _or_nan(columns["credit"], n_rows), "accuracy": _or_nan(columns["correct"], n_rows)}
    t, p, c = (columns.block(name) for name in ("gold", "system", "both"))
    scores |= _averages(t, p, c, options)
    if options.get("hierarchy"):
        of_ancestors = prf_of_labels(
            columns[HIERARCHY_KINDS[0]], columns[HIERARCHY_KINDS[1]], columns[HIERARCHY_KINDS[2]], options
        )
        scores |= {f"h_{key}": values for key, values in of_ancestors.items()}
    if options.get("second"):
        scores |= _of_second(columns, scores["macro_f1"], options)
    if options["positive"] is not None:
        of_one = columns["positive_gold"], columns["positive_system"], columns["positive_both"]
        scores |= prf_of_labels(*of_one, options)
    if options.get("icm"):
        scores |= _icm_of_items(columns, n_rows) if icm_kinds(options) else _icm(t, p, c, n_rows)
    if has_shares(options):
        scores |= _of_shares(columns, n_rows, options)
    if options["task"] == "multi":
        return scores | _of_sets(columns, n_rows, options)
    scores |= _of_single(t, p, c, n_rows, options["zero_division"])
    if options["ordinal"]:
        scores["quadratic_kappa"] = _quadratic_kappa(columns, n_rows)
    if options["task"] == "ranked":
        scores |= {f"top_{k}_accuracy": _or_nan(columns[f"top_{k}"], n_rows) for k in options["top"]}
        scores["mrr"] = _or_nan(columns["reciprocal_rank"], n_rows)
    if options["probabilities"] is not None:
        scores |= _of_probabilities(columns, n_rows)
    return scores


def _of_second(columns: Counts, macro_f1: Floats, options: Options) -> Scores:
    t, p, c = (columns.block(name) for name in SECOND_BLOCKS)
    of_second = _averages(t, p, c, options)["macro_f1"]
    return {
        "mean_macro_f1": (macro_f1 + of_second) / 2,
        "second_macro_f1": of_second,
        "second_accuracy": _or_nan(c.sum(axis=-1), t.sum(axis=-1)),
    }


def _averages(t: Floats, p: Floats, c: Floats, options: Mapping[str, Any]) -> Scores:
    """Compute `precision_recall_fscore_support` with its three averages."""
    zero = options["zero_division"]
    by_label = prf_of_labels(t, p, c, options)
    counts_all = options["absent_labels"] == "count"
    is_there = np.ones(t.shape, dtype=bool) if counts_all else t + p > 0
    macro = {score: _mean(values, is_there, zero) for score, values in by_label.items()}
    total, given, correct = t.sum(axis=-1), p.sum(axis=-1), c.sum(axis=-1)
    micro = prf_of_labels(total, given, correct, options)
    weighted = {score: _weighted(values, t, total) for score, values in by_label.items()}
    return {
        f"{average}_{score}": value
        for average, values in zip(AVERAGES, (macro, micro, weighted), strict=True)
        for score, value in values.items()
    }


def _mean(values: Floats, is_there: Array, zero_division: int) -> Floats:
    """Average over the labels that are there; without any the mean is what 0/0 is."""
    return _or(zero_division, np.where(is_there, values, 0.0).sum(axis=-1), is_there.sum(axis=-1))


def _weighted(values: Floats, t: Floats, total: Floats) -> Floats:
    """Weigh labels by the gold's rows; where it has none all weigh the same, as in scikit-learn's average."""
    plain = values.mean(axis=-1) if values.shape[-1] else np.zeros(total.shape)
    return np.where(total > 0, ratio((values * t).sum(axis=-1), total), plain)


def _of_single(t: Floats, p: Floats, c: Floats, n_rows: Floats, zero_division: int) -> Scores:
    correct = c.sum(axis=-1)
    further = n_rows - p.sum(axis=-1)
    expected = (t * p).sum(axis=-1)
    squares = n_rows * n_rows
    of_gold = squares - (t * t).sum(axis=-1)
    of_system = squares - (p * p).sum(axis=-1) - further * further
    with_gold = t > 0
    recall = ratio(c, t)
    return {
        "accuracy": _or_nan(correct, n_rows),
        "balanced_accuracy": _or_nan(np.where(with_gold, recall, 0.0).sum(axis=-1), with_gold.sum(axis=-1)),
        # Gorodkin 2004, with N² in all terms; 0 where one side has one label alone.
        "mcc": np.where(n_rows > 0, ratio(correct * n_rows - expected, np.sqrt(of_gold * of_system)), np.nan),
        # Cohen 1960: the share of agreement beyond chance, both times N².
        "kappa": _or_nan(correct * n_rows - expected, squares - expected),
    }


def _quadratic_kappa(columns: Counts, n_rows: Floats) -> Floats:
    """Compute 1 − Σ d² of the rows / Σ d² of all pairs of a gold's and a system's row, over N (Cohen 1968)."""
    gold, system = columns["gold_place"], columns["system_place"]
    of_pairs = n_rows * (columns["gold_place_squared"] + columns["system_place_squared"]) - 2 * gold * system
    return 1 - _or_nan(columns["distance"] * n_rows, of_pairs)


def _of_sets(columns: Counts, n_rows: Floats, options: Options) -> Scores:
    mean = partial(_or_nan, denominator=n_rows)
    return {
        "subset_accuracy": mean(columns["correct"]),
        "jaccard": mean(columns["jaccard"]),
        **{key: mean(columns[key]) for key in beside_f1(["samples_f1"], options)},
        "hamming_loss": _or_nan(columns["false_cells"], n_rows * columns.n_labels),
        "partial_credit": mean(columns["partial_credit"]),
    }


def _of_shares(columns: Counts, n_rows: Floats, options: Options) -> Scores:
    scores = {name: _or_nan(columns[name], n_rows) for name in share_kinds(options)}
    return scores | {"icm_soft_norm": _normalised(scores["icm_soft"], scores.pop(GOLD_INFORMATION))}


def _icm(t: Floats, p: Floats, c: Floats, n_rows: Floats) -> Scores:
    """Compute the information contrast (Amigó and Delgado 2022, with 2, 2 and 3) of exclusive labels.

    2 I(system) + 2 I(gold) − 3 I(both together) is, summed over items, Σ I (3c − t − p) over the labels, whose I is
    −log₂ (t/N), and log₂ N for one that the gold does not have.
    """
    n = np.maximum(n_rows, 1)[..., np.newaxis]
    information = np.log2(n / np.maximum(t, 1))
    contrast = _or_nan((information * (3 * c - t - p)).sum(axis=-1), n_rows)
    of_gold = _or_nan((information * t).sum(axis=-1), n_rows)
    return {"icm": contrast, "icm_norm": _normalised(contrast, of_gold)}


def _icm_of_items(columns: Counts, n_rows: Floats) -> Scores:
    contrast, of_gold = (_or_nan(columns[name], n_rows) for name in ICM_KINDS)
    return {"icm": contrast, "icm_norm": _normalised(contrast, of_gold)}


def _normalised(contrast: Floats, of_gold: Floats) -> Floats:
    """Scale to 1 for what the gold itself has, 0 for its opposite and all below; NaN where the gold tells nothing."""
    return np.maximum(_or_nan(contrast + of_gold, 2 * of_gold), 0)


def _of_probabilities(columns: Counts, n_rows: Floats) -> Scores:
    # With two labels half of the squared distance, which is that of one of them alone.
    scale = 0.5 if columns.n_labels == 2 else 1.0
    gaps = np.abs(columns.named("right_") - columns.named("promised_")).sum(axis=-1)
    return {
        "log_loss": _or_nan(columns["log_loss"], n_rows),
        "brier": _or_nan(scale * columns["squared_distance"], n_rows),
        "ece": _or_nan(gaps, n_rows),
    }


def _or(zero_division: int, numerator: Array, denominator: Array) -> Floats:
    """Divide; `zero_division` where the denominator is 0."""
    quotient = ratio(numerator, denominator)
    return np.where(np.asarray(denominator) == 0, float(zero_division), quotient) if zero_division else quotient


def _or_nan(numerator: Array, denominator: Array) -> Floats:
    """Divide; NaN where the denominator is 0."""
    return np.where(np.asarray(denominator) == 0, np.nan, ratio(numerator, denominator))
