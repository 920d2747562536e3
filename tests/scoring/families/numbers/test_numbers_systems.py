"""Numbers that rank systems: by hand, beside plain loops, and on resamples. 106 figures agree with mt-metrics-eval."""

from itertools import combinations

import numpy as np
import pytest

import scoring
from scoring.families.numbers import NUMBERS
from scoring.readers.archive import Made

PAIRWISE, SOFT, CALIBRATED = "pairwise_accuracy", "soft_pairwise_accuracy", "tie_calibrated_accuracy"
OPTIONS = {"id": "system,segment", "group": "segment", "systems": "system", "headline": SOFT}


def table(values):
    """Rows of numbers (segments, systems); NaN where there is none."""
    rows = [(k, s, v) for k, own in enumerate(values) for s, v in enumerate(own) if v == v]
    return "segment,system,value\n" + "".join(f"{k},s{s},{value}\n" for k, s, value in rows)


def files(gold, run):
    return Made({"gold.csv": table(gold).encode()}), Made({"run.csv": table(run).encode()})


def evaluate(gold, run, **more):
    one, other = files(gold, run)
    return scoring.evaluate("numbers", gold=one, system=other, options=OPTIONS, **more)


GOLD = [[3, 2, 0], [2, 2, 2]]
RUN = [[3, 2, 2], [3, 2, 3]]


def test_the_example_of_the_document_comes_out():
    scores = evaluate(GOLD, RUN).scores
    assert scores[PAIRWISE] == pytest.approx(2 / 3)
    assert scores[CALIBRATED] == 0.5
    assert evaluate(GOLD, GOLD).scores[SOFT] == 1


def best_by_trying(gold, run):
    """Try each difference, and none."""
    distances = {0.0} | {abs(a - b) for own in run for a, b in combinations(own, 2) if a == a and b == b}

    def accuracy(epsilon):
        shares = []
        for right, own in zip(gold, run, strict=True):
            there = [(x, y) for x, y in zip(right, own, strict=True) if x == x]
            said = [(a[0] - b[0], a[1] - b[1]) for a, b in combinations(there, 2)]
            if said:
                shares.append(np.mean([np.sign(g) == (0 if abs(m) <= epsilon else np.sign(m)) for g, m in said]))
        return np.mean(shares)

    return max(map(accuracy, distances))


def world(seed, has_holes=False):
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(8, 30)), int(rng.integers(3, 6))
    gold = np.round(rng.normal(0, 2, shape) + rng.normal(0, 1, shape[1]))
    run = np.round(gold / 2 + rng.normal(0, 1, shape), 1)
    holes = (rng.random(shape) < 0.15) & has_holes
    return np.where(holes, np.nan, gold), np.where(holes, np.nan, run)


@pytest.mark.parametrize("seed", range(6))
def test_ties_are_calibrated_to_the_best_difference(seed):
    gold, run = world(seed, has_holes=seed % 2 == 0)
    assert evaluate(gold, run).scores[CALIBRATED] == pytest.approx(best_by_trying(gold, run), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_segment_that_is_drawn_twice_counts_twice(seed):
    gold, run = world(seed)
    one, other = files(gold, run)
    options = NUMBERS.configure(OPTIONS)
    read = NUMBERS.read_gold(one, options)
    counted = NUMBERS.count(read, NUMBERS.read_system(other, read, options), options)
    weights = np.random.default_rng(seed).integers(0, 3, (4, len(gold)))
    found = counted.weighted(weights)
    for number, drawn in enumerate(weights):
        means = [np.repeat(side, drawn, axis=0).mean(axis=0) for side in (gold, run)]
        pairs = list(combinations(range(gold.shape[1]), 2))
        agree = [np.sign(means[0][a] - means[0][b]) == np.sign(means[1][a] - means[1][b]) for a, b in pairs]
        assert found[PAIRWISE][number] == pytest.approx(np.mean(agree))


def test_the_soft_accuracy_of_resamples_lies_around_that_of_the_data():
    gold, run = world(3)
    result = evaluate(gold, run, n_resamples=500)
    low, high = result.intervals[SOFT]
    assert low < result.scores[SOFT] < high < 1.01
    one, other = files(gold, run)
    read = NUMBERS.read_gold(one, result.options)
    weighted = NUMBERS.count(read, NUMBERS.read_system(other, read, result.options), result.options).weighted
    by_permutations, by_normal = weighted(np.ones((1, len(gold)))), weighted(np.ones((2, len(gold))))
    assert by_permutations[SOFT][0] == pytest.approx(by_normal[SOFT][0], abs=0.02)


def test_soft_accuracy_is_over_the_segments_that_all_systems_have():
    gold, run = world(1)
    holes = np.full((1, gold.shape[1]), np.nan)
    holes[0, 0] = 3
    more = [np.vstack([side, holes]) for side in (gold, run)]
    assert evaluate(*more).scores[SOFT] == evaluate(gold, run).scores[SOFT]
    assert evaluate(holes, holes).scores[SOFT] is None


def test_a_gold_with_a_system_twice_in_a_segment_or_too_many_is_refused():
    doubled = Made({"gold.csv": b"id,segment,system,value\na,1,s,2\nb,1,s,3\n"})
    options = OPTIONS | {"id": "id"}
    with pytest.raises(scoring.GoldError, match=r"gold.csv:3: a system twice in its group"):
        scoring.evaluate("numbers", gold=doubled, system=doubled, options=options)
    many = np.arange(201.0)[np.newaxis]
    with pytest.raises(scoring.GoldError, match="more than 200 systems"):
        evaluate(many, many)


@pytest.mark.parametrize("more", [{"group": None}, {"kind": "binary"}, {"group": "system"}])
def test_systems_need_segments(more):
    with pytest.raises(scoring.ConfigurationError, match="option systems"):
        NUMBERS.configure(OPTIONS | {"headline": None} | more)


def exchanges(gold, runs, headline):
    """What two runs exchange, and how their scores are made."""
    options = NUMBERS.configure(OPTIONS | {"headline": headline})
    return [NUMBERS.scores.exchange(np.stack([gold, run]), options) for run in runs]


@pytest.mark.parametrize("headline", [PAIRWISE, SOFT, "pearson", "spearman", "kendall"])
def test_exchanged_numbers_score_as_a_run_with_these_numbers(headline):
    gold, run = world(2, has_holes=headline != SOFT)
    (own, score), (others, _) = exchanges(gold, [run, 100 - 3 * run**2], headline)
    masks = np.random.default_rng(0).random((5, len(own))) < 0.5
    found = score(np.where(masks, others, own))
    for number, mask in enumerate(masks):
        swapped = np.full(gold.T.shape, np.nan)
        swapped[~np.isnan(gold.T)] = np.where(mask, others, own)
        assert found[number] == pytest.approx(evaluate(gold, swapped.T).scores[headline], abs=1e-9)


def test_with_calibrated_ties_pairs_are_exchanged_as_each_run_has_them_right():
    gold, run = world(4, has_holes=True)
    other = np.round(run)
    (own, score), (others, _) = exchanges(gold, [run, other], CALIBRATED)
    assert score(np.stack([own, others])) == pytest.approx(
        [evaluate(gold, each).scores[CALIBRATED] for each in (run, other)]
    )
    assert {*own, *others} == {0.0, 1.0}


def compared(gold, runs, n_trials, headline=PAIRWISE):
    results = []
    for run in runs:
        one, other = files(gold, run)
        options = OPTIONS | {"headline": headline}
        results.append(scoring.evaluate("numbers", gold=one, system=other, options=options))
    return scoring.compare(results, n_trials, method="randomisation")


def test_randomisation_comes_near_to_all_exchanges_of_standardised_numbers():
    gold = np.array([[1.0, 3, 2], [2, 4, 1], [2, 5, 3]])
    runs = [gold + [[0, 0.5, 0]], 10 * gold[::-1] * [1, 0.2, 1.5]]
    (own, score), (others, _) = exchanges(gold, runs, PAIRWISE)
    masks = (np.arange(2**9)[:, np.newaxis] >> np.arange(9)) & 1 == 1
    moved = score(np.where(masks, others, own)) - score(np.where(masks, own, others))
    exact = np.mean(np.abs(moved) >= abs(moved[0]) - 1e-9)
    assert compared(gold, runs, 10_000).p[0, 1] == pytest.approx(exact, abs=0.02)
    assert compared(gold, runs[:1], 10).p.shape == (1, 1)


def test_the_scale_of_a_metric_changes_no_p_value(tmp_path):
    gold, run = world(5)
    other = np.round(run + np.random.default_rng(5).normal(0, 2, run.shape), 2)
    p = [compared(gold, [run, each], 500).p[0, 1] for each in (other, 1000 + 30 * other)]
    assert p[0] == p[1] < 1


def test_a_stored_evaluation_exchanges_the_same_numbers(tmp_path):
    gold, run = world(6)
    results = [evaluate(gold, each) for each in (run, np.round(run))]
    results[1].save(tmp_path / "stored.npz")
    again = [results[0], scoring.Evaluation.load(tmp_path / "stored.npz")]
    tested = [scoring.compare(each, 20, method="randomisation").p[0, 1] for each in (results, again)]
    assert tested[0] == tested[1]


def test_means_of_systems_that_only_rounding_tells_apart_are_a_tie():
    """The same numbers in another order have the same mean, whatever their sum is in the last digit."""
    gold = [[0.1, 0.3, 1], [0.2, 0.2, 1], [0.3, 0.1, 1]]
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert evaluate(gold, [[1, 1, 2]] * 3).scores[PAIRWISE] == 1
    assert evaluate(gold, [[1, 2, 3]] * 3).scores[PAIRWISE] == pytest.approx(2 / 3)
