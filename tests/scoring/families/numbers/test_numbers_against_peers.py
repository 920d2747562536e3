"""Every score on every resample is that of SciPy or scikit-learn on the rows that the weights stand for."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from scoring.families.numbers.options import configure
from scoring.families.numbers.scorer import Rows, Scorer

# (values that the gold may take, decimals of the system, rows): Likert scales, ties on one side, none.
SHAPES = [(2, 0, 9), (5, 0, 40), (5, 2, 25), (1000, 1, 60), (1000, 15, 90), (3, 15, 150)]


def world(seed, n_values, decimals, n):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, n_values, n).astype(np.float64)
    system = np.round(gold + rng.normal(0, n_values / 2, n), decimals)
    weights = np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(4)] + [np.ones(n, int)])
    return gold, system, weights


def scorer(gold, system, slices=None, **options):
    n = len(gold)
    rows = Rows(gold[np.newaxis], system[np.newaxis], None, np.arange(n), n, slices, ())
    return Scorer.of(rows, configure(options), by_slice=slices is not None, draws_kendall=True)


def of_peers(gold, system):
    """NaN where a column is constant."""
    is_constant = np.ptp(gold) == 0 or np.ptp(system) == 0
    nan = float("nan")
    error = {
        "mae": metrics.mean_absolute_error(gold, system),
        "mse": metrics.mean_squared_error(gold, system),
        "rmse": metrics.root_mean_squared_error(gold, system),
        "r2": metrics.r2_score(gold, system) if len(gold) > 1 else nan,
    }
    return error | {
        "pearson": nan if is_constant else stats.pearsonr(gold, system).statistic,
        "spearman": nan if is_constant else stats.spearmanr(gold, system).statistic,
        "kendall": nan if is_constant else stats.kendalltau(gold, system).statistic,
    }


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_correlations_and_errors_are_those_of_the_peers_on_expanded_rows(shape):
    for seed in range(3):
        gold, system, weights = world(seed, *shape)
        found = scorer(gold, system).scores(weights)
        for k, own in enumerate(weights):
            expected = of_peers(np.repeat(gold, own), np.repeat(system, own))
            assert {name: found[name][k, 0] for name in expected} == pytest.approx(
                expected, abs=1e-9, rel=1e-9, nan_ok=True
            )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_curves_and_probabilities_are_those_of_the_peers_on_expanded_rows(shape):
    for seed in range(3):
        _, beliefs, weights = world(seed, *shape)
        rng = np.random.default_rng(seed)
        beliefs = np.round(1 / (1 + np.exp(-beliefs / np.abs(beliefs).max())), min(shape[1] + 1, 15))
        gold = (beliefs + rng.normal(0, 0.2, len(beliefs)) > 0.6).astype(np.float64)
        found = scorer(gold, beliefs, kind="binary").scores(weights)
        for k, own in enumerate(weights):
            truth, belief = np.repeat(gold, own), np.repeat(beliefs, own)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a single class; what is then defined is compared all the same
                expected = {
                    "brier": metrics.brier_score_loss(truth, belief, pos_label=1),
                    "log_loss": metrics.log_loss(truth, belief, labels=[0, 1]),
                    "roc_auc": metrics.roc_auc_score(truth, belief) if len(set(truth)) == 2 else float("nan"),
                    "average_precision": metrics.average_precision_score(truth, belief)
                    if truth.any()
                    else float("nan"),
                }
            assert {name: found[name][k, 0] for name in expected} == pytest.approx(
                expected, abs=1e-9, rel=1e-9, nan_ok=True
            )


def test_slices_on_resamples_are_those_of_their_rows_alone():
    gold, system, weights = world(11, 5, 0, 80)
    slices = np.random.default_rng(0).integers(0, 3, 80)
    found = scorer(gold, system, slices).scores(weights)
    for number in range(3):
        own = slices == number
        alone = scorer(gold[own], system[own]).scores(weights[:, own])
        for name, values in alone.items():
            assert found[name][:, number] == pytest.approx(values[:, 0], abs=1e-9, rel=1e-9, nan_ok=True)
    binary = (gold > 2).astype(np.float64)
    found = scorer(binary, system, slices, kind="binary", range="any").scores(weights)
    for number in range(3):
        own = slices == number
        alone = scorer(binary[own], system[own], kind="binary", range="any").scores(weights[:, own])
        for name, values in alone.items():
            assert found[name][:, number] == pytest.approx(values[:, 0], abs=1e-9, rel=1e-9, nan_ok=True)


def test_the_equal_error_rate_lies_where_the_curve_crosses_the_line():
    """Compute it by its definition, point after point."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        gold, beliefs = rng.integers(0, 2, 15).astype(np.float64), np.round(rng.random(15), 1)
        if len(set(gold)) < 2:
            continue
        points = [(0.0, 0.0)]
        for threshold in sorted(set(beliefs), reverse=True):
            above = beliefs >= threshold
            points.append((above[gold == 0].mean(), above[gold == 1].mean()))
        k = next(k for k, (false, true) in enumerate(points) if 1 - true - false <= 1e-12)
        before, after = (1 - true - false for false, true in (points[k - 1], points[k]))
        expected = points[k - 1][0] + before / (before - after) * (points[k][0] - points[k - 1][0])
        found = scorer(gold, beliefs, kind="binary").scores(np.ones((1, 15)))
        assert found["eer"][0, 0] == pytest.approx(expected, abs=1e-12)
