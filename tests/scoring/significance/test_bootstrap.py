"""All intervals of a result in one call: which method, when none, and always the same bytes."""

import hashlib
import math
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from scoring.prf import harmonic_mean, ratio
from scoring.significance import Block, bootstrap, percentile_interval, resampled, totals, weights


def prf(sums):
    correct, gold, system = np.moveaxis(sums, -1, 0)
    precision, recall = ratio(correct, system), ratio(correct, gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def make_rows(n_units, groups=(), seed=0):
    rng = np.random.default_rng(seed)
    correct = rng.integers(0, 4, (n_units, *groups))
    more = rng.integers(0, 3, (n_units, *groups, 2))
    return np.concatenate([correct[..., np.newaxis], correct[..., np.newaxis] + more], axis=-1)


def test_resampled_scores_are_those_of_the_summed_rows():
    rows = np.array([[3, 4, 3], [0, 2, 1], [2, 2, 4], [4, 5, 4], [1, 3, 2]])
    np.testing.assert_array_equal(weights(42, 5, 0, 4) @ rows, [[15, 18, 19], [12, 17, 15], [18, 22, 20], [8, 13, 14]])
    drawn = resampled(Block(rows, prf), seed=42, n_resamples=4)["f1"][0]
    np.testing.assert_allclose(drawn, [0.810811, 0.75, 0.857143, 0.592593], atol=5e-7)
    np.testing.assert_allclose(
        prf(rows.sum(axis=0) - rows)["f1"], [0.608696, 0.740741, 0.666667, 0.571429, 0.72], atol=5e-7
    )


def test_fractions_are_put_on_a_grid_for_resampling_and_for_nothing_else():
    fractions = np.array([1 / 3, 0.5, 1, 0, 2 / 3])
    seen = resampled(Block(fractions[:, np.newaxis], lambda sums: {"sum": sums[..., 0]}), 42, 1)["sum"][0]
    third, two_thirds = 187649984473771 / 2**49, 375299968947541 / 2**49
    # Resample 0 holds units 0, 2, 2, 3, 3.
    assert seen[0] == third + 2 * 1 + 2 * 0
    assert third != 1 / 3
    assert totals(fractions[:, np.newaxis])[0] == math.fsum(fractions)
    third_resample = resampled(Block(fractions[:, np.newaxis], lambda sums: {"sum": sums[..., 0]}), 42, 4)
    assert third_resample["sum"][0, 3] == third + 0.5 + 2 * 1 + two_thirds


def test_totals_are_exact_whatever_the_order():
    rows = np.array([[1e16, 1], [1.5, 2], [-1e16, 3], [1.25, 4]])
    np.testing.assert_array_equal(totals(rows), [2.75, 10])
    np.testing.assert_array_equal(totals(np.stack([rows, rows], axis=1)), [[2.75, 10], [2.75, 10]])


def test_the_percentile_method_serves_from_fifty_units_on():
    assert set(bootstrap(Block(make_rows(49), prf), headline="f1", seed=1).methods.values()) == {"bca"}
    result = bootstrap(Block(make_rows(50), prf), headline="f1", seed=1)
    assert set(result.methods.values()) == {"percentile"}
    assert result.intervals["f1"] == percentile_interval(result.draws, 0.95)


def test_table_rows_that_are_resampled_have_percentiles_and_few_items_none():
    table = Block(make_rows(45, (3,)), prf, gold_items=np.array([9, 10, 400]))
    found = bootstrap(Block(make_rows(45), prf), [table], headline="f1", seed=1).tables[0]
    assert [methods.get("f1") for methods in found.methods] == [None, "percentile", "percentile"]


def test_each_row_of_a_table_has_the_intervals_of_its_own_rows():
    rows = make_rows(55, (30,))
    corpus = Block(make_rows(55), prf)
    found = bootstrap(corpus, [Block(rows[:, :4], prf), Block(rows, prf)], headline="f1", seed=8)
    assert [len(table.intervals) for table in found.tables] == [4, 30]
    for group in (0, 3, 17, 29):
        alone = bootstrap(Block(rows[:, group], prf), headline="f1", seed=8)
        assert found.tables[1].intervals[group] == alone.intervals
        assert found.tables[1].methods[group] == alone.methods
    assert found.tables[0].intervals == found.tables[1].intervals[:4]


def test_a_macro_average_over_groups_is_a_score_of_the_corpus():
    rows = make_rows(60, (3,))

    def macro(sums):
        return {"macro_f1": prf(sums)["f1"].mean(axis=-1)}

    result = bootstrap(Block(rows, macro), headline="macro_f1", seed=1)
    by_group = resampled(Block(rows, prf), seed=1, n_resamples=10_000)["f1"]
    np.testing.assert_allclose(result.draws, by_group.mean(axis=0), atol=1e-15)
    assert result.intervals["macro_f1"] == percentile_interval(result.draws, 0.95)


@pytest.mark.parametrize("n_units", [0, 1, 60])
def test_a_table_without_rows_has_no_intervals(n_units):
    table = Block(np.zeros((n_units, 0, 3)), prf)
    found = bootstrap(Block(make_rows(n_units), prf), [table], headline="f1", seed=1, n_resamples=20)
    assert (found.tables[0].intervals, found.tables[0].methods) == ([], [])


def test_the_confidence_level_widens_the_interval():
    block = Block(make_rows(60), prf)
    narrow = bootstrap(block, headline="f1", seed=1, confidence_level=0.8).intervals["f1"]
    wide = bootstrap(block, headline="f1", seed=1, confidence_level=0.99).intervals["f1"]
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_one_unit_gives_no_interval_and_one_warning():
    result = bootstrap(
        Block(make_rows(1), prf), [Block(make_rows(1, (2,)), prf)], headline="f1", seed=1, n_resamples=50
    )
    assert (result.intervals, result.methods) == ({}, {})
    assert result.tables[0].intervals == [{}, {}]
    assert result.warnings == ["no interval: one unit"]
    np.testing.assert_array_equal(result.draws, np.full(50, prf(make_rows(1)[0])["f1"]))


def test_without_any_unit_there_is_no_interval():
    result = bootstrap(Block(np.zeros((0, 3)), prf), headline="f1", seed=1, n_resamples=5)
    assert result.intervals == {}
    assert result.draws.tolist() == [0] * 5
    assert result.warnings == ["no interval: no unit"]


def test_resamples_that_all_agree_give_no_interval_instead_of_a_width_of_zero():
    rows = np.tile([3, 4, 3], (60, 1))
    result = bootstrap(Block(rows, prf), headline="f1", seed=1, n_resamples=200)
    assert result.intervals == {}
    assert result.warnings == [
        "precision: no interval: all resamples agree",
        "recall: no interval: all resamples agree",
        "f1: no interval: all resamples agree",
    ]


def test_a_score_that_is_not_applicable_has_no_interval_and_no_warning():
    def metrics(sums):
        return prf(sums) | {"f1_b": np.full(sums.shape[:-1], np.nan)}

    result = bootstrap(Block(make_rows(60), metrics), headline="f1", seed=1)
    assert "f1_b" not in result.intervals
    assert result.warnings == []


@pytest.mark.parametrize(("rare", "has_interval"), [(4, True), (2, False)])
def test_undefined_resamples_are_left_out_up_to_a_tenth(rare, has_interval):
    rows = np.zeros((60, 2))
    rows[:rare] = 1
    rows[0, 0] = 0.5

    def metrics(sums):
        with np.errstate(invalid="ignore"):
            return {"auc_x": sums[..., 0] / sums[..., 1]}

    result = bootstrap(Block(rows, metrics), headline="auc_x", seed=1)
    undefined = int(np.isnan(result.draws).sum())
    assert undefined > 0
    assert (undefined <= 1000) == has_interval
    assert ("auc_x" in result.intervals) == has_interval
    assert result.warnings == [f"auc_x: undefined in {undefined} of 10000 resamples"]
    if has_interval:
        kept = result.draws[~np.isnan(result.draws)]
        assert result.intervals["auc_x"] == percentile_interval(kept, 0.95)


def test_a_score_that_one_unit_alone_defines_falls_back_to_the_percentile_method():
    rows = np.ones((30, 2))
    rows[:6, 0] = 0.5

    def metrics(sums):
        whole = np.where(sums[..., 1] == 29, np.nan, 1.0)
        return {"mean": sums[..., 0] / sums[..., 1], "fragile": sums[..., 0] / sums[..., 1] * whole}

    result = bootstrap(Block(rows, metrics), headline="mean", seed=1)
    assert result.methods == {"mean": "bca", "fragile": "percentile"}


@pytest.mark.parametrize("most", [1, 40, 300, 5000])
def test_a_corpus_of_many_groups_in_little_memory_gives_equal_bytes(most, monkeypatch):
    rows = np.random.default_rng(4).integers(0, 9, (12, 5, 3))

    def macro(counts):
        return {"macro": counts[..., 0].mean(axis=-1), "raw": counts[..., 0, 1]}

    def weighted(weights):
        return {"first": weights[:, 0] / 12}

    block = Block(rows, macro, weighted=weighted)
    expected = resampled(block, seed=6, n_resamples=200, batch=7)
    monkeypatch.setattr("scoring.significance.resampling._PASS_VALUES", most)
    found = resampled(block, seed=6, n_resamples=200, batch=7)
    assert {name: values.tobytes() for name, values in found.items()} == {
        name: values.tobytes() for name, values in expected.items()
    }
    assert found["raw"].shape == (1, 200)


def test_every_batch_size_gives_equal_bytes():
    rows = make_rows(40) / 3
    results = [
        bootstrap(
            Block(rows, prf),
            [Block(make_rows(40, (5,)) / 7, prf)],
            headline="f1",
            seed=4,
            n_resamples=1500,
            batch=batch,
        )
        for batch in (None, 1, 7, 1000)
    ]
    first = results[0]
    for result in results[1:]:
        assert result.draws.tobytes() == first.draws.tobytes()
        assert (result.intervals, result.tables) == (first.intervals, first.tables)


def test_the_first_thousand_draws_are_the_thousand():
    block = Block(make_rows(40) / 3, prf)
    short, long = (bootstrap(block, headline="f1", seed=4, n_resamples=n).draws for n in (1000, 2000))
    assert short.tobytes() == long[:1000].tobytes()


def test_the_order_of_columns_systems_and_tables_is_irrelevant():
    block, table = Block(make_rows(40) / 3, prf), Block(make_rows(40, (6,)) / 7, prf)
    together = bootstrap(block, [table, table], headline="f1", seed=4)
    alone = bootstrap(block, headline="f1", seed=4)
    assert together.draws.tobytes() == alone.draws.tobytes()
    assert together.tables[0] == together.tables[1]


_DIGEST = """
import hashlib
import numpy as np
from scoring.significance import Block, resampled
rows = np.random.default_rng(0).random((300, 4, 400))
drawn = resampled(Block(rows, lambda sums: {"first": sums[..., 0] / sums[..., 1:].sum(-1)}), 3, 400)
print(hashlib.sha256(drawn["first"].tobytes()).hexdigest())
"""


@pytest.mark.thorough
def test_two_processes_with_different_numbers_of_threads_give_equal_bytes():
    root = Path(__file__).parents[3]
    digests = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == len(hashlib.sha256().hexdigest())


def test_intervals_need_no_scipy():
    found = subprocess.run(
        [sys.executable, "-c", "import sys, scoring.significance; print('scipy' in sys.modules)"],
        cwd=Path(__file__).parents[3],
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == "False"


@pytest.mark.thorough
def test_tables_that_fill_several_passes_need_less_memory_and_give_the_same(monkeypatch):
    scores, table = Block(make_rows(60), prf), Block(make_rows(60, (200,)), prf)

    def measured():
        tracemalloc.start()
        found = bootstrap(scores, [table], headline="f1", seed=6)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found, peak

    at_once, much = measured()
    monkeypatch.setattr("scoring.significance.resampling._PASS_VALUES", 2**18)
    in_passes, little = measured()
    assert in_passes.tables == at_once.tables
    assert in_passes.draws.tobytes() == at_once.draws.tobytes()
    assert little < much / 2


@pytest.mark.parametrize("batch", [None, 50])
def test_weights_for_scores_that_are_no_sums_cannot_overflow(batch):
    hundred = np.full((60, 10), 100, dtype=np.uint8)
    block = Block(make_rows(60), prf, weighted=lambda drawn: {"scaled": (drawn * np.uint8(100) @ hundred)[:, 0]})
    found = resampled(block, seed=6, n_resamples=100, batch=batch)["scaled"]
    np.testing.assert_array_equal(found[0], np.full(100, 60 * 100 * 100))


def test_wide_tables_keep_gold_items_and_weighted_scores_with_their_rows():
    shares = Block(
        make_rows(60, (40,)),
        prf,
        gold_items=np.where(np.arange(40) == 33, 7, 100),
        weighted=lambda drawn: {"share": drawn[:, :40] * np.arange(1, 41)},
    )
    found = bootstrap(Block(make_rows(60), prf), [shares], headline="f1", seed=6).tables[0]
    assert [number for number, row in enumerate(found.methods) if not row] == [33]
    drawn = weights(6, 60, 0, 10_000)
    for group in set(range(40)) - {33}:
        assert found.intervals[group]["share"] == percentile_interval(drawn[:, group] * (group + 1), 0.95)


UNIT, SCORE, GOLD = np.array([0, 1, 2, 3]), np.array([0.9, 0.8, 0.8, 0.3]), np.array([1, 0, 1, 0])


def auc(drawn, unit=UNIT, score=SCORE, gold=GOLD):
    """Area under the curve of weighted items; equal scores count a half."""
    order = np.argsort(-score, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(score[order]) != 0, True))
    item_weights = drawn[:, unit[order]].astype(float)
    positive = np.cumsum(item_weights * gold[order], axis=1)[:, ends]
    negative = np.cumsum(item_weights * (1 - gold[order]), axis=1)[:, ends]
    in_run = [np.diff(sums, axis=1, prepend=0) for sums in (positive, negative)]
    after = negative[:, -1:] - negative
    with np.errstate(invalid="ignore"):
        area = (in_run[0] * (after + in_run[1] / 2)).sum(axis=1) / (positive[:, -1] * negative[:, -1])
    return {"auc": area}


def test_the_area_under_a_curve_follows_the_weights():
    drawn = np.array([[1, 1, 1, 1], [2, 1, 0, 1], [1, 2, 1, 0], [0, 2, 0, 2]])
    np.testing.assert_array_equal(auc(drawn)["auc"], [0.875, 1.0, 0.75, np.nan])


def make_items(n_units, seed=2):
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(n_units), 2)
    gold = rng.integers(0, 2, len(unit))
    return unit, np.round(rng.random(len(unit)) + 0.4 * gold, 1), gold


def repeated_auc(drawn, unit, score, gold):
    """The same by comparing every positive with every negative, each repeated as often as it was drawn."""
    times = drawn[unit]
    positive, negative = (np.repeat(score[gold == side], times[gold == side]) for side in (1, 0))
    difference = positive[:, np.newaxis] - negative
    return np.mean((difference > 0) + 0.5 * (difference == 0))


@pytest.mark.parametrize("n_units", [30, 70])
def test_scores_that_are_no_sums_share_the_draws_and_have_intervals(n_units):
    items = make_items(n_units)
    corpus = Block(make_rows(n_units), prf, weighted=lambda drawn: auc(drawn, *items))
    labels = Block(
        make_rows(n_units, (3,)),
        prf,
        weighted=lambda drawn: {"auc": np.stack([auc(drawn, *items)["auc"]] * 3, axis=1)},
    )
    result = bootstrap(corpus, [labels], headline="auc", seed=12, n_resamples=300)
    expected = [repeated_auc(drawn, *items) for drawn in weights(12, n_units, 0, 300)]
    np.testing.assert_allclose(result.draws, expected, atol=1e-12)
    assert result.methods["auc"] == ("bca" if n_units < 50 else "percentile")
    assert (
        result.intervals["f1"]
        == (bootstrap(Block(make_rows(n_units), prf), headline="f1", seed=12, n_resamples=300).intervals["f1"])
    )
    own = percentile_interval(result.draws[~np.isnan(result.draws)], 0.95)
    assert [row["auc"] for row in result.tables[0].intervals] == [own] * 3


@pytest.mark.thorough
def test_nine_of_ten_nominal_intervals_hold_the_truth():
    """Sentences with Gamma-Poisson gold items, recall per sentence by a beta distribution."""
    rng = np.random.default_rng(5)
    covered = []
    truth = 2 * 0.6 / (0.6 / 0.75 + 1)
    for seed in range(400):
        rows = make_sentences(rng, 100, precision=0.75, recall=0.6)
        low, high = bootstrap(Block(rows, prf), headline="f1", seed=seed, n_resamples=1000, batch=1000).intervals["f1"]
        covered.append(low <= truth <= high)
    # 0.947 is expected; three standard errors of 400 repetitions are 0.034.
    assert 0.913 <= np.mean(covered) <= 0.981


def make_sentences(rng, n_units, precision, recall):
    gold = rng.poisson(rng.gamma(2.0, 3.0, n_units))
    correct = rng.binomial(gold, rng.beta(4 * recall, 4 * (1 - recall), n_units))
    spurious_mean = 6 * recall * (1 - precision) / precision
    spurious = rng.poisson(rng.gamma(2.0, spurious_mean / 2, n_units))
    return np.stack([correct, gold, correct + spurious], axis=1)


def test_an_interval_of_no_width_is_left_out_though_some_resamples_differ():
    rows = np.repeat([[1.0], [0.0]], [50, 10], axis=0)

    def share(sums):
        return {"share": np.where(sums[..., 0] < 44, 0.0, 1.0)}  # below 44 of 60 in a few resamples only

    found = bootstrap(Block(rows, share), headline="share", seed=7, n_resamples=1000)
    assert 0 < (found.draws == 0).sum() < 20
    assert found.intervals == {}
    assert found.warnings == ["share: no interval: both ends agree"]


@pytest.mark.parametrize("scale", [1, 2**17, 2**18, 2**40])  # 13 units of up to 7: beyond 2**24 from 2**18 on
def test_sums_are_exact_in_single_precision_and_beyond_it(scale):
    rows = np.arange(13)[:, np.newaxis] % 8
    expected = (weights(5, 13, 0, 300) @ rows)[:, 0] * float(scale)
    found = resampled(Block(rows * scale, lambda sums: {"sum": sums[..., 0]}), seed=5, n_resamples=300)["sum"][0]
    assert np.array_equal(found, expected)
