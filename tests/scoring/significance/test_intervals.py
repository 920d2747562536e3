"""Percentile and BCa intervals and moments, against worked examples and SciPy."""

import hashlib
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from scoring.prf import ratio
from scoring.significance import (
    Block,
    batches,
    bca_interval,
    bootstrap,
    draws,
    moments,
    percentile_interval,
    resampled,
    seed_of,
    weights,
)
from scoring.significance.intervals import quantile

# F of twenty questions for three systems.
QUESTIONS = {
    "a": "1 .5 1 .75 1 .5 1 1 .5 .75 1 1 .5 1 .75 1 .25 1 1 .75",
    "b": ".75 .5 1 .5 1 .25 1 .75 .75 .5 1 1 .5 .75 .5 1 .5 1 .75 .75",
    "c": ".5 0 .75 .25 1 .25 .5 .5 0 .5 .5 .75 .25 .5 0 .75 0 .5 .5 .25",
}
EXPECTED = {
    "a": {
        "first": [0.775, 0.75, 0.75],
        "percentile": (0.7125, 0.9125),
        "bca": (0.7, 0.9),
        "moments": (0.8124875, 0.0027304686, 0.0522538859),
    },
    "b": {
        "first": [0.6375, 0.675, 0.675],
        "percentile": (0.6375, 0.825),
        "bca": (0.625, 0.825),
        "moments": (0.7376625, 0.0026010674, 0.0510006602),
    },
    "c": {
        "first": [0.325, 0.3875, 0.325],
        "percentile": (0.2875, 0.525),
        "bca": (0.2875, 0.525),
        "moments": (0.4121125, 0.0038109436, 0.0617328405),
    },
}


def mean(sums):
    return {"mean": ratio(sums[..., 0], sums[..., 1])}


def values_of(system):
    return np.array([float(value) for value in QUESTIONS[system].split()])


def block_of(values):
    return Block(np.stack([values, np.ones(len(values))], axis=1), mean)


@pytest.mark.parametrize("system", QUESTIONS)
def test_twenty_questions_give_the_worked_numbers(system):
    expected = EXPECTED[system]
    drawn = resampled(block_of(values_of(system)), seed=2026, n_resamples=1000)["mean"][0]
    np.testing.assert_allclose(drawn[:3], expected["first"], atol=1e-12)
    assert percentile_interval(drawn, 0.95) == pytest.approx(expected["percentile"], abs=1e-12)
    result = bootstrap(block_of(values_of(system)), headline="mean", seed=2026, n_resamples=1000)
    assert result.intervals["mean"] == pytest.approx(expected["bca"], abs=1e-12)
    assert result.methods == {"mean": "bca"}
    np.testing.assert_allclose(moments(drawn, 20), expected["moments"], atol=5e-11)


def test_a_quantile_lies_linearly_between_its_neighbours():
    values = np.array([0.810811, 0.75, 0.857143, 0.592593])
    low, high = percentile_interval(values, 0.5)
    assert low == pytest.approx(0.710648, abs=1e-6)
    assert high == pytest.approx(np.quantile(values, 0.75), abs=1e-15)


_MANY = np.random.default_rng(3)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(_MANY.normal(size=10_000), id="without ties"),
        pytest.param(_MANY.integers(0, 9, 10_000) / 8, id="with ties"),
        pytest.param(np.arange(5_000.0), id="sorted"),
        pytest.param(np.tile([*[9.0] * 19, 1.0], 500), id="every twentieth is low"),
        pytest.param(np.tile([1.0, *[9.0] * 19], 500), id="the sampled ones are low"),
        pytest.param(_MANY.standard_cauchy(2_001), id="far out"),
    ],
)
def test_a_quantile_of_many_values_is_that_of_all_of_them_sorted(values):
    for level in (0, 0.001, 0.025, 0.3, 0.5, 0.51, 0.975, 0.9999, 1):
        position = (len(values) - 1) * level
        below, ordered = int(position), np.append(np.sort(values), values.max())
        low, high = float(ordered[below]), float(ordered[below + 1])
        assert quantile(values, level) == low + (position - below) * (high - low)


def test_the_ends_of_the_values_are_reached_and_never_left():
    values = np.array([0.3, 0.1, 0.2])
    low, high = percentile_interval(values, 1 - 1e-12)
    assert (low, high) == pytest.approx((0.1, 0.3))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("confidence_level", [0.8, 0.95, 0.99])
def test_both_methods_equal_scipys_on_the_same_resamples(seed, confidence_level):
    rng = np.random.default_rng(seed)
    rows = rng.poisson(rng.gamma(1.0, 4.0, (30, 3))).astype(float)

    def f1(sums):
        return {"f1": ratio(2 * sums[..., 0], sums.sum(axis=-1))}

    def statistic(index, axis=-1):
        return f1(rows[index.astype(int)].sum(axis=-2))["f1"]

    drawn = resampled(Block(rows, f1), seed=seed, n_resamples=2000)["f1"][0]
    left_out = f1(rows.sum(axis=0) - rows)["f1"]
    point = float(f1(rows.sum(axis=0))["f1"])
    ours = {
        "percentile": percentile_interval(drawn, confidence_level),
        "BCa": bca_interval(drawn, point, left_out, confidence_level),
    }
    for method, interval in ours.items():
        oracle = scipy.stats.bootstrap(
            (np.arange(30),),
            statistic,
            n_resamples=0,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=drawn),
            confidence_level=confidence_level,
            method=method,
        )
        assert interval == pytest.approx(tuple(oracle.confidence_interval), abs=1e-9)


@pytest.mark.parametrize(("n_units", "method"), [(40, "BCa"), (100, "percentile"), (300, "percentile")])
def test_intervals_equal_scipys_within_the_noise_of_the_draws(n_units, method):
    values = np.random.default_rng(n_units).beta(2, 1, n_units)
    result = bootstrap(block_of(values), headline="mean", seed=11)
    oracle = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, batch=500, method=method, rng=np.random.default_rng(1)
    )
    assert result.methods["mean"] == method.lower()
    assert result.intervals["mean"] == pytest.approx(tuple(oracle.confidence_interval), abs=0.004)


def test_resamples_that_equal_the_point_but_for_rounding_count_as_equal():
    rng = np.random.default_rng(0)
    exact = rng.integers(40, 60, 1000) / 100
    rounded = exact + rng.choice([-1e-15, 0, 1e-15], 1000)
    jackknife = np.array([0.5, 0.5, 0.4])
    assert bca_interval(rounded, 0.5, jackknife, 0.9) == pytest.approx(
        bca_interval(exact, 0.5, jackknife, 0.9), abs=1e-12
    )
    share = (np.mean(exact < 0.5) + np.mean(exact <= 0.5)) / 2
    level = scipy.stats.norm.cdf(2 * scipy.stats.norm.ppf(share) + scipy.stats.norm.ppf(0.05))
    unaccelerated = bca_interval(rounded * 1e-3, 0.5e-3, np.full(3, 0.5), 0.9)
    assert unaccelerated[0] == pytest.approx(np.quantile(exact, level) * 1e-3, abs=1e-12)


def test_without_spread_among_the_units_nothing_is_accelerated():
    values = np.linspace(0.2, 0.8, 101)
    assert bca_interval(values, 0.5, np.full(7, 0.1), 0.9) == pytest.approx((0.23, 0.77))


def test_the_ends_keep_their_order_beyond_the_pole_of_the_correction():
    values = np.linspace(0.2, 0.8, 101)
    outlier = np.append(np.zeros(1000), 1.0)
    low, high = bca_interval(values, 0.1, outlier, 0.999999)
    assert (low, high) == pytest.approx((0.2, 0.3089), abs=1e-4)
    low, high = bca_interval(values, 0.9, -outlier, 0.999999)
    assert (low, high) == pytest.approx((0.6911, 0.8), abs=1e-4)


def test_moments_skip_what_is_undefined_and_stop_at_a_thousand():
    values = np.full((3, 1500), np.nan)
    values[0, :2] = 1, 3
    values[1, :1000] = np.arange(1000) % 2
    values[1, 1000:] = 50
    center, variance, deviation = moments(values, 10)
    np.testing.assert_array_equal(center, [2, 0.5, np.nan])
    np.testing.assert_array_equal(variance, [1, 0.25, np.nan])
    np.testing.assert_array_equal(deviation, [1, 0.5, np.nan])


def test_one_unit_has_no_moments():
    assert np.isnan(moments(np.full(1000, 0.5), 1)).all()


FIRST_FOUR = [[1, 0, 2, 2, 0], [2, 1, 1, 1, 0], [0, 0, 1, 4, 0], [1, 1, 2, 0, 1]]


def test_the_seed_is_the_start_of_the_digest_of_the_gold():
    digest = hashlib.sha256(b"q1\n").hexdigest()
    assert digest.startswith("bb98a35c4fe1e84f")
    assert seed_of(digest) == 3300228002545182


def test_weights_follow_from_the_raw_words_by_multiplication_and_shift():
    np.testing.assert_array_equal(weights(42, 5, 0, 4), FIRST_FOUR)


def test_any_slice_of_the_resamples_may_be_drawn_by_itself():
    np.testing.assert_array_equal(weights(42, 5, 2, 4), FIRST_FOUR[2:])


@pytest.mark.parametrize("n_units", [1, 2, 7, 100])
def test_weights_equal_an_evaluation_by_hand_in_plain_integers(n_units):
    stream = np.random.PCG64(7)
    expected = []
    for _ in range(20):
        words = [int(stream.random_raw()) for _ in range((n_units + 1) // 2)]
        halves = itertools.chain.from_iterable((word & 0xFFFFFFFF, word >> 32) for word in words)
        drawn = [half * n_units >> 32 for half in itertools.islice(halves, n_units)]
        expected.append([drawn.count(unit) for unit in range(n_units)])
    np.testing.assert_array_equal(weights(7, n_units, 0, 20), expected)


@pytest.mark.parametrize("batch", [None, 1, 7, 1000])
def test_batches_of_any_size_hold_the_same_resamples(batch):
    drawn = np.concatenate(list(batches(9, 30, 500, batch)))
    np.testing.assert_array_equal(drawn, weights(9, 30, 0, 500))


def test_the_first_resamples_do_not_depend_on_how_many_follow():
    long = np.concatenate(list(batches(3, 40, 2000)))
    short = np.concatenate(list(batches(3, 40, 1000)))
    np.testing.assert_array_equal(long[:1000], short)


def test_kept_weights_are_as_small_as_they_can_be_and_cannot_be_changed():
    kept = list(batches(5, 300, 2000))
    assert {batch.dtype for batch in kept} == {np.dtype(np.uint8)}
    assert all(kept_batch is again for kept_batch, again in zip(kept, batches(5, 300, 2000), strict=True))
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0, 0] = 1


def test_weights_of_large_golds_are_drawn_batch_by_batch():
    drawn = batches(5, 200_000, 1000)
    first = next(drawn)
    assert first.shape == (1, 200_000)
    assert first.sum() == 200_000
    np.testing.assert_array_equal(next(drawn), weights(5, 200_000, 1, 2))


def test_the_largest_seed_is_accepted():
    assert weights(2**64 - 1, 4, 0, 3).sum(axis=1).tolist() == [4, 4, 4]


def test_weights_drawn_ahead_are_not_drawn_again():
    draws.cache_weights(seed=77, n_units=7, n_resamples=30)
    n_before = draws.n_drawn()
    found = np.concatenate(list(batches(77, 7, 30)))
    assert draws.n_drawn() == n_before
    assert np.array_equal(found, weights(77, 7, 0, 30))


@pytest.mark.parametrize(("n_units", "n_resamples"), [(0, 100), (2**13, 2**13), (-1, 100)])
def test_what_is_too_large_to_keep_is_not_drawn_ahead(n_units, n_resamples):
    n_before = draws.n_drawn()
    draws.cache_weights(seed=78, n_units=n_units, n_resamples=n_resamples)
    assert draws.n_drawn() == n_before


def test_the_golds_used_last_are_kept_as_far_as_there_is_room(monkeypatch):
    monkeypatch.setattr(draws, "_CACHED_BYTES", 2500)  # of two of the three below
    for seed in (81, 82, 81, 83):
        draws.cache_weights(seed, n_units=10, n_resamples=100)
    n_before = draws.n_drawn()
    draws.cache_weights(81, n_units=10, n_resamples=100)
    assert draws.n_drawn() == n_before
    draws.cache_weights(82, n_units=10, n_resamples=100)
    assert draws.n_drawn() == n_before + 1
