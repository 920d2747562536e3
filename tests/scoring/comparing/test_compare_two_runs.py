"""compare_scores(): two runs score by score, against the comparison of systems and against plain arithmetic."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import scoring
from scoring.comparing.two_runs import pair_test
from scoring.comparing.units import scores_of_units
from scoring.evaluation import Evaluation
from scoring.significance import Block, percentile_interval, resampled, seed_of
from tests.scoring.comparing.test_compare import evaluation

SEED = seed_of("ab" * 32)
B = 1000


def drawn(correct):
    """A run over sentences of four phrases each, that finds so many of them, with draws of its F1."""
    correct = np.array(correct)
    run = evaluation(np.stack([correct, 4 - correct, np.ones_like(correct)], axis=1))
    draws = resampled(Block(run.rows, metrics_of(run)), SEED, B)["f1"][0]
    # Without relations their scores do not apply.
    scores = {name: None if np.isnan(value) else value for name, value in run.scores.items()}
    return replace(run, draws=draws, seed=SEED, n_resamples=B, scores=scores)


def metrics_of(run):
    return scoring.FAMILIES[run.family].metrics_with(run.options)


def two_runs(n_units=40):
    rng = np.random.default_rng(5)
    return drawn(rng.integers(2, 5, n_units)), drawn(rng.integers(1, 4, n_units))


def test_the_headline_differs_as_in_a_comparison_of_systems():
    one, other = two_runs()
    found = scoring.compare_scores(one, other)
    pair = scoring.compare([one, other], n_resamples=B).pair("1", "2")
    assert found.headline.name == "f1"
    assert found.headline.scores == (one.scores["f1"], other.scores["f1"])
    assert found.headline.value == pair.difference
    assert found.headline.interval == (pair.low, pair.high)
    assert found.headline.p == pair.p_adjusted
    assert found.headline.n_resamples == B
    assert found.headline.is_separated(0.95)
    assert found.are_paired
    assert not found.are_identical


def test_every_other_score_is_drawn_again_from_the_rows():
    one, other = two_runs()
    recall = next(each for each in scoring.compare_scores(one, other).differences if each.name == "recall")
    first, second = (resampled(Block(run.rows, metrics_of(run)), SEED, B)["recall"][0] for run in (one, other))
    assert recall.interval == percentile_interval(first - second, 0.95)
    assert recall.title == "Recall"


def test_the_work_of_drawing_again_can_be_bounded():
    one, other = two_runs(n_units=40)
    one, other = (replace(run, draws=np.tile(run.draws, 3), n_resamples=3 * B) for run in (one, other))

    def n_resamples(name, most_draws):
        differences = scoring.compare_scores(one, other, most_draws=most_draws).differences
        return next(each.n_resamples for each in differences if each.name == name)

    assert n_resamples("recall", None) == 3000
    assert n_resamples("recall", 40 * 1500) == 1500
    assert n_resamples("recall", 1) == 1000
    assert n_resamples("f1", 1) == 3000


def test_the_other_way_round_everything_has_the_other_sign():
    one, other = two_runs()
    there, back = scoring.compare_scores(one, other), scoring.compare_scores(other, one)
    for first, second in zip(there.differences, back.differences, strict=True):
        assert first.value == -second.value
        assert first.interval == pytest.approx((-second.interval[1], -second.interval[0]))
        assert first.p == second.p


def test_the_same_run_twice_is_a_tie_without_interval():
    one, _ = two_runs()
    found = scoring.compare_scores(one, one)
    assert found.are_identical
    assert {(each.value, each.interval, each.p) for each in found.differences} == {(0.0, None, 1.0)}
    assert not found.headline.is_separated(0.95)


def test_of_few_units_no_p_value_is_given():
    found = scoring.compare_scores(*two_runs(n_units=19))
    assert found.are_too_few
    assert found.headline.interval is not None
    assert found.headline.p is None


@pytest.mark.parametrize("changes", [{"gold_digest": "cd" * 32}, {"options": {"scenario": 1}}, {"units": ["x"] * 40}])
def test_runs_that_share_no_resamples_are_shown_without_a_test(changes):
    one, other = two_runs()
    found = scoring.compare_scores(one, replace(other, **changes))
    assert not found.are_paired
    assert found.headline.value == one.scores["f1"] - other.scores["f1"]
    assert (found.headline.interval, found.headline.p, found.unit_scores) == (None, None, None)


def test_runs_with_draws_of_their_own_are_paired_without_a_test():
    one, other = two_runs()
    found = scoring.compare_scores(one, replace(other, seed=SEED + 1))
    assert found.are_paired
    assert found.headline.p is None
    assert found.unit_scores is not None


def test_a_stored_run_is_compared_as_a_fresh_one(tmp_path):
    one, other = two_runs()
    other.save(tmp_path / "other.npz")
    again = scoring.Evaluation.load(tmp_path / "other.npz")
    assert scoring.compare_scores(one, again).differences == scoring.compare_scores(one, other).differences


def test_undefined_resamples_are_left_out_up_to_a_share():
    first, second = np.random.default_rng(3).normal(size=(2, 100))
    first[:10], second[0] = np.nan, np.nan
    found = pair_test((0.5, 0.4), np.stack([first, second]), n_units=40, confidence_level=0.9)
    assert found.n_resamples == 90
    assert found.interval == pytest.approx(tuple(np.quantile((first - second)[10:], [0.05, 0.95])))
    first[10] = np.nan
    draws = np.stack([first, second])
    assert pair_test((0.5, 0.4), draws, n_units=40, confidence_level=0.9) is None
    assert pair_test((0.5, 0.4), draws, n_units=40, confidence_level=0.9, most_undefined=1.0).n_resamples == 89
    nothing = np.full((2, 5), np.nan)
    assert pair_test((0.5, 0.4), nothing, n_units=40, confidence_level=0.9, most_undefined=1.0) is None


def test_the_scores_of_units_are_those_of_their_counts_alone():
    run = drawn([4, 0, 2])
    assert scores_of_units(run) == pytest.approx([8 / 9, 0, 4 / 7])
    assert scores_of_units(replace(run, headline="area under a curve")) is None
    assert scores_of_units(replace(run, rows=np.zeros((0, 8)))) is None


QUESTIONS = "".join(f"Q-{k}-01\t1\tMie\t9\n" for k in range(30))


def run_of(n_right):
    return "".join(f'Q-{k}-01: "{"Mie" if k < n_right else "Tsu"}", 9\n' for k in range(30))


def write(folder, files):
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def same_again(result, path):
    result.save(path)
    return Evaluation.load(path)


@pytest.mark.parametrize("name", scoring.FAMILIES)
def test_a_family_compares_fresh_and_stored_results(name, tmp_path):
    family = scoring.FAMILIES[name]
    options = {"content_annotations": "PER"} if name == "mat" else {}
    specimen = family.offer.specimen(family.configure(options))
    gold, run = write(tmp_path / "gold", specimen.gold), write(tmp_path / "run", specimen.run)
    result = scoring.evaluate(name, gold=gold, system=run, options=options, n_resamples=40)
    found = scoring.compare({"fresh": result, "stored": same_again(result, tmp_path / "stored")}, 40)
    assert found.ranks == [1, 1]
    assert found.table[1]["identical_to"] == "fresh"
    redrawn = scoring.compare({"fresh": result, "stored": same_again(result, tmp_path / "stored")}, 60, seed=3)
    assert redrawn.ranks == [1, 1]


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_runs_of_answers_are_told_apart(method, tmp_path):
    gold = write(tmp_path, {"gold.tsv": QUESTIONS}) / "gold.tsv"
    results = {}
    for n_right in (27, 6):
        run = write(tmp_path, {f"run{n_right}.txt": run_of(n_right)}) / f"run{n_right}.txt"
        results[f"run{n_right}"] = scoring.evaluate("qac", gold=gold, system=run)
    found = scoring.compare(results, 400, method=method)
    assert re.fullmatch(r"First: run27 \(0\.\d{3}\), better than run6\.", found.sentence)


def parsed(scores):
    documents = ({"id": f"d{k}", "words": ["x"], "cats": {"A": score}} for k, score in enumerate(scores))
    return "".join(json.dumps(document) + "\n" for document in documents)


def test_areas_under_a_curve_are_compared_on_their_stored_draws(tmp_path):
    gold = write(tmp_path, {"gold.jsonl": parsed([k % 2 for k in range(60)])}) / "gold.jsonl"
    good = parsed([0.9 * (k % 2) + 0.05 * (k % 3) for k in range(60)])
    poor = parsed([(k * 7 % 10) / 10 for k in range(60)])
    options = {"scores": [{"name": "cats"}], "headline": "cats_macro_auc"}
    results = {}
    for name, text in (("good", good), ("poor", poor)):
        run = write(tmp_path, {f"{name}.jsonl": text}) / f"{name}.jsonl"
        results[name] = scoring.evaluate("spacy", gold=gold, system=run, options=options, n_resamples=300)
    assert scoring.compare(results, 300).sentence == "First: good (1.000), better than poor."
    with pytest.raises(scoring.ConfigurationError, match="good has no rows to draw from again"):
        scoring.compare(results, 300, seed=8)
