"""Scores of which less is better: what turns round, and what stays as it is."""

import json

import numpy as np
import pytest

import scoring
from scoring.cli.comparison_output import comparison_as_csv, comparison_as_latex, comparison_as_text
from scoring.cli.output import as_csv, as_text
from scoring.comparing.atlas import atlas_of
from scoring.comparing.units import worst_first
from scoring.readers.archive import Made
from scoring.repairs import Totals
from tests import estimates

GOLD = np.arange(60.0)


@pytest.fixture(autouse=True)
def family(monkeypatch):
    estimates.register(monkeypatch)


def evaluated(spread, seed=1, **options):
    error = np.random.default_rng(seed).normal(0, spread, len(GOLD))
    return scoring.evaluate(
        estimates.NAME,
        gold=Made({"gold.txt": estimates.lines(GOLD)}),
        system=Made({"run.txt": estimates.lines(GOLD + error)}),
        options=options,
        n_resamples=400,
    )


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patch:
        estimates.register(patch)
        return {"rough": evaluated(3.0), "fine": evaluated(1.0), "finer": evaluated(0.9, seed=2)}


def test_a_comparison_is_that_of_the_negative_scores_with_differences_of_their_own_sign():
    scores = np.array([0.42, 0.61, 0.43, 0.43, 0.95])
    draws = scores[:, np.newaxis] + np.random.default_rng(0).normal(0, 0.03, (5, 500))
    names = list("abcde")
    low = scoring.compare_draws(names, scores, draws, 80, lower_is_better=True, references=["c"])
    high = scoring.compare_draws(names, -scores, -draws, 80, references=["c"])
    assert low.lower_is_better
    assert not high.lower_is_better
    for field in ("names", "ranks", "rank_ranges", "groups"):
        assert getattr(low, field) == getattr(high, field)
    for field in ("se", "p", "p_adjusted", "separated"):
        assert np.array_equal(getattr(low, field), getattr(high, field))
    assert np.array_equal(low.difference, 0 - high.difference)
    for row, mirrored in zip(low.table, high.table, strict=True):
        for column in ("rank", "group", "p_to_leader", "probability_best", "identical_to"):
            assert row[column] == mirrored[column]
        if mirrored["difference_low"] is not None:
            assert row["difference_low"] == pytest.approx(-mirrored["difference_high"], abs=1e-12)
            assert row["difference_high"] == pytest.approx(-mirrored["difference_low"], abs=1e-12)
    against, others = low.references[0]["against"], high.references[0]["against"]
    assert [each["separated"] for each in against] == [each["separated"] for each in others]


def test_equal_systems_share_a_rank_and_one_without_a_score_comes_last():
    draws = np.full((4, 50), 0.5)
    found = scoring.compare_draws(list("abcd"), [0.7, None, 0.5, 0.5 + 1e-13], draws, 30, lower_is_better=True)
    assert list(zip(found.names, found.ranks, strict=True)) == [("c", 1), ("d", 1), ("a", 3), ("b", None)]


def test_where_the_test_separates_a_pair_its_interval_ends_at_zero():
    # Only the step-down separates the pair: the interval by the critical value of all pairs would reach below 0.
    draws = np.array([0.4, 0.46, 0.9])[:, np.newaxis] + np.random.default_rng(5).normal(0, 0.0195, (3, 4000))
    found = scoring.compare_draws(list("abc"), [0.4, 0.46, 0.9], draws, 200, lower_is_better=True)
    assert found.separated[0].tolist() == [False, True, True]
    assert found.table[1]["difference_low"] == 0 < found.table[1]["difference_high"]


def test_a_result_says_of_which_scores_less_is_better_and_keeps_it(results, tmp_path):
    results["fine"].save(tmp_path / "fine.npz")
    stored = scoring.Evaluation.load(tmp_path / "fine.npz")
    assert results["fine"].lower_is_better == stored.lower_is_better == ["mae", "rmse"]
    assert stored.scales == results["fine"].scales
    assert json.loads(json.dumps(stored.as_dict()))["lower_is_better"] == ["mae", "rmse"]
    order = scoring.compare({"stored": stored, "rough": results["rough"]}, 400)
    assert order.names == ["stored", "rough"]


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_the_lowest_error_is_first_and_the_sentence_says_better(results, method):
    found = scoring.compare(results, 400, method=method)
    assert found.lower_is_better
    assert found.names[-1] == "rough"
    assert found.scores == sorted(found.scores)
    assert "better than rough" in found.sentence
    assert "igher" not in found.sentence


def test_a_headline_of_which_more_is_better_ranks_as_ever():
    found = scoring.compare({"rough": evaluated(3.0, headline="close"), "fine": evaluated(1.0, headline="close")}, 400)
    assert not found.lower_is_better
    assert found.names == ["fine", "rough"]


def test_text_csv_and_latex_say_it_at_the_column(results):
    comparison = scoring.compare(results, 400)
    assert "score (lower is better)" in comparison_as_text(comparison, {})
    assert comparison_as_csv(comparison, {}).startswith("name,score (lower is better),rank,")
    assert "score (lower is better)" in comparison_as_latex(comparison, {})
    assert "Mean absolute error (lower is better)" in as_text(results["fine"])
    assert "Within one  " in as_text(results["fine"])
    rows = [line.split(",") for line in as_csv(results["fine"]).splitlines()]
    assert {row[0]: row[-1] for row in rows[:4]} == {
        "name": "better",
        "mae": "lower",
        "rmse": "lower",
        "close": "higher",
    }


def test_drawings_and_notebooks_say_it_too(results):
    comparison = scoring.compare(results, 400)
    assert "Lower is better." in comparison.svg()
    assert "Lower is better." in comparison._repr_html_()
    assert "mae (lower is better)" in results["fine"]._repr_html_()
    assert (
        "Mean absolute error (lower is better)"
        in scoring.compare_scores(results["fine"], results["rough"])._repr_html_()
    )


def test_a_reference_that_is_beaten_has_the_higher_error(results):
    text = comparison_as_text(scoring.compare(results, 400, references=["rough"]), {})
    assert "Reference rough" in text
    assert "worse than " in text
    assert "better than fine" not in text.partition("Reference rough")[2]


def test_of_two_runs_each_score_says_which_is_better(results):
    found = scoring.compare_scores(results["rough"], results["fine"])
    better = {each.name: each.better for each in found.differences}
    assert better == {"mae": 1, "rmse": 1, "close": 1}
    signs = {each.name: (each.value > 0, each.gain > 0) for each in found.differences}
    assert signs == {"mae": (True, False), "rmse": (True, False), "close": (False, False)}


def test_an_atlas_knows_what_is_solved_what_is_hard_and_what_two_gain():
    runs = {"a": [0, 0, 2, 9], "b": [0, 1, 0, 9]}
    found = atlas_of(
        {
            name: scoring.evaluate(
                estimates.NAME,
                gold=Made({"gold.txt": estimates.lines([0, 0, 0, 0])}),
                system=Made({"run.txt": estimates.lines(errors)}),
            )
            for name, errors in runs.items()
        }
    )
    assert found.n_solvers.tolist() == [2, 1, 1, 0]
    assert found.best.tolist() == [0, 0, 0, 9]
    assert found.by_difficulty.tolist() == [3, 2, 1, 0]
    assert found.unsolved.tolist() == [3]
    assert found.oracle[0, 1] == 9 / 4
    assert found.gains[0, 1] == pytest.approx(10 / 4 - 9 / 4)
    assert found.best_pairs(3) == [(0, 1)]


def test_the_worst_unit_has_the_largest_error(results):
    order = worst_first(results["rough"])
    errors = results["rough"].rows[order, 0]
    assert (np.diff(errors) <= 0).all()


def test_what_mends_an_error_gains(results):
    fine = results["fine"]
    [repair] = estimates.repairs(Totals(fine.headline, fine.scores, fine.counts, {}), fine.options)
    assert (repair.score, repair.gain) == pytest.approx((fine.scores["mae"] / 2, fine.scores["mae"] / 2))


def test_power_is_told_in_the_size_of_the_difference(results):
    assert scoring.power_of(scoring.compare(results, 400)).detectable > 0
