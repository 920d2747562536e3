"""One team's combined score and comparisons by it: joint draws, seeds, intervals, signatures."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

import scoring
from scoring.combining.draws import digest_of, seeds_of
from scoring.significance import seed_of
from tests.scoring.combining.worlds import make_evaluation

pytestmark = pytest.mark.usefixtures("means")
RNG = np.random.default_rng(7)
EN, DE = RNG.random(60), RNG.random(70)


def make_team(shift=0.0, **changes):
    """Two languages, on units of their own."""
    return {
        "en": make_evaluation(np.clip(EN - shift, 0, 1), gold="en", prefix="e", **changes),
        "de": make_evaluation(np.clip(DE - shift, 0, 1), gold="de", prefix="d", **changes),
    }


def draws_of_mean(values, gold, n_resamples):
    """The mean on each resample, from the definition of the draws."""
    weights = scoring.significance.weights(seed_of(sha256(gold.encode()).hexdigest()), len(values), 0, n_resamples)
    return weights @ values / len(values)


def test_unrelated_golds_are_drawn_independently_and_evaluated_together():
    found = scoring.combine("mean(*.f1)", make_team(), n_resamples=500)
    expected = (draws_of_mean(EN, "en", 500) + draws_of_mean(DE, "de", 500)) / 2
    assert found.draws == pytest.approx(expected, abs=1e-9)
    assert found.interval == pytest.approx(np.quantile(expected, [0.025, 0.975]), abs=1e-9)
    assert (found.n_units, found.components) == (60, {"en.f1": EN.mean(), "de.f1": DE.mean()})


def test_scenarios_on_the_same_units_keep_their_correlation():
    both = {"a": make_evaluation(EN, gold="a"), "b": make_evaluation(1 - EN, gold="b")}
    found = scoring.combine("a.f1 + b.f1", both, n_resamples=200)
    assert found.draws == pytest.approx(1.0)
    assert found.seeds["a"] == found.seeds["b"]
    assert found.interval is None
    assert "no interval: all resamples agree" in found.warnings


def test_the_seeds_are_those_of_the_specification():
    same = {name: make_evaluation(EN, gold_digest=name * 64) for name in "ab"}
    assert digest_of(part.gold_digest for part in same.values())[:13] == "5e9ae866add9a"
    assert seeds_of(same, None) == {"a": 1664310672285082, "b": 1664310672285082}
    other = {"a": same["a"], "b": replace(same["b"], units=["x"])}
    assert seeds_of(other, 7)["a"] == 558567496830013
    assert seeds_of(same, 7) == {"a": 7, "b": 7}


def test_kept_draws_serve_a_score_that_rows_cannot_give():
    area = make_evaluation(EN, scores={"f1": EN.mean(), "auc": 0.7}, n_resamples=100)
    with pytest.raises(scoring.ConfigurationError, match=f"^evaluate a with seed={area.seed} and keep=auc$"):
        scoring.combine("a.auc", {"a": area}, n_resamples=100)
    kept = replace(area, kept_draws={"auc": np.linspace(0.6, 0.8, 100)})
    assert scoring.combine("a.auc", {"a": kept}, n_resamples=50).draws == pytest.approx(kept.kept_draws["auc"][:50])


def test_few_units_and_scenarios_of_one_unit_are_told():
    few = {"a": make_evaluation(EN[:30], gold="few"), "b": make_evaluation(DE)}
    found = scoring.combine("mean(*.f1)", few, n_resamples=200)
    assert found.interval
    assert found.warnings == ["the smallest scenario has 30 units, fewer than 50: the interval is rough"]
    one = scoring.combine("mean(*.f1)", few | {"a": make_evaluation(EN[:1], gold="one")}, n_resamples=200)
    assert one.interval is None
    assert one.warnings == ["no interval: a scenario has one unit"]


def test_only_scenarios_that_the_formula_names_count():
    parts = make_team() | {"tiny": make_evaluation(EN[:2], gold="tiny")}
    found = scoring.combine("en.f1", parts, n_resamples=100)
    assert (found.n_units, list(found.seeds)) == (60, ["en"])


def test_the_signature_says_how_to_get_the_number_again():
    found = scoring.combine("  mean(*.f1)\t+ 0*en.hits ", make_team(), n_resamples=100)
    golds = ",".join(sha256(name.encode()).hexdigest()[:12] for name in ("en", "de"))
    seeds = ",".join(str(seed) for seed in found.seeds.values())
    assert found.signature == (
        f"family:combined|formula:mean(*.f1) + 0*en.hits|scenarios:en,de|units:60,70|gold:{golds}"
        f"|engine:{scoring.__version__}|resamples:100|confidence:0.95|interval:percentile|seed:{seeds}"
    )


def test_a_formula_of_errors_alone_wants_its_direction():
    errors = {name: replace(part, lower_is_better=["f1"]) for name, part in make_team().items()}
    told = "less is better for all scores of the formula: say so of the formula"
    assert told in scoring.combine("mean(*.f1)", errors, n_resamples=0).warnings
    assert told not in scoring.combine("mean(*.f1)", errors, n_resamples=0, lower_is_better=True).warnings
    assert told not in scoring.combine("en.f1 + de.hits", errors, n_resamples=0).warnings


def test_teams_are_compared_on_the_draws_of_the_formula():
    teams = {"A": make_team(), "B": make_team(0.001), "C": make_team(0.3)}
    found = scoring.compare_combined("mean(*.f1)", teams, n_resamples=500)
    drawn = [scoring.combine("mean(*.f1)", parts, n_resamples=500) for parts in teams.values()]
    by_draws = scoring.compare_draws(list(teams), [each.score for each in drawn], [each.draws for each in drawn], 60)
    assert found.names == ["A", "B", "C"]
    assert np.array_equal(found.p_adjusted, by_draws.p_adjusted)
    assert found.sentence == "Over 2 scenarios, A is better than the other 2."
    assert found.signature.endswith(f"|test:max-t step-down|seed:{','.join(map(str, drawn[0].seeds.values()))}")


def test_who_lacks_a_scenario_is_unranked_or_has_zero_there():
    teams = {"A": make_team(), "B": {"en": make_team()["en"], "de": None}}
    assert scoring.compare_combined("mean(*.f1)", teams, n_resamples=100).scores == [
        pytest.approx((EN.mean() + DE.mean()) / 2),
        None,
    ]
    zero = scoring.compare_combined("mean(*.f1)", teams, n_resamples=100, missing="zero")
    assert zero.scores[1] == pytest.approx(EN.mean() / 2)
    assert zero.draws[1] == pytest.approx(draws_of_mean(EN, "en", 100) / 2)


def test_less_can_be_better_and_then_nobody_gains_by_missing_a_scenario():
    teams = {"A": make_team(), "B": make_team(0.2)}
    assert scoring.compare_combined("mean(*.f1)", teams, n_resamples=100, lower_is_better=True).names == ["B", "A"]
    with pytest.raises(scoring.ConfigurationError, match="missing=zero"):
        scoring.compare_combined("mean(*.f1)", teams, missing="zero", lower_is_better=True)


def test_too_few_units_in_the_smallest_scenario_separate_nobody():
    teams = {
        name: make_team(shift) | {"de": make_evaluation(np.clip(DE[:12] - shift, 0, 1))}
        for name, shift in [("A", 0.0), ("B", 0.9)]
    }
    found = scoring.compare_combined("mean(*.f1)", teams, n_resamples=100)
    assert not found.separated.any()
    assert found.sentence == "The smallest of 2 scenarios has 12 units: too few to tell systems apart."


def test_other_golds_and_options_are_refused_by_name():
    teams = {"A": make_team(), "B": make_team() | {"de": make_evaluation(DE, gold="new")}}
    with pytest.raises(scoring.ConfigurationError, match="^B was not scored against the same gold in de$"):
        scoring.compare_combined("mean(*.f1)", teams)


def test_a_stored_evaluation_keeps_what_was_to_be_kept(tmp_path):
    kept = {"f1": np.arange(5.0), "a b/c": np.array([0.1, np.nan, 0.3, 0.4, 0.5])}
    make_evaluation(EN, n_resamples=5, kept_draws=kept).save(tmp_path / "stored.npz")
    again = scoring.Evaluation.load(tmp_path / "stored.npz")
    assert list(again.kept_draws) == list(kept)
    assert np.array_equal(again.kept_draws["a b/c"], kept["a b/c"], equal_nan=True)
    assert "kept_draws" not in again.as_dict()
