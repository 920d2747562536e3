"""Evaluations that are stored without their draws, and the draws that are made again."""

import re

import numpy as np
import pytest

import scoring
from scoring.comparing.redrawing import store_thinned, stored_draws
from scoring.readers.archive import Made

LINES = "".join(f'{{"id": "d{k}", "words": ["x", "y"], "tags": ["A", "{"AB"[k % 3 == 0]}"]}}\n' for k in range(60))


@pytest.fixture
def evaluation(tmp_path):
    """A run with some tags wrong, drawn 300 times."""
    gold, run = tmp_path / "gold.jsonl", tmp_path / "run.jsonl"
    gold.write_text(LINES)
    run.write_text(LINES.replace('"B"', '"A"', 12))
    options = {"scores": [{"name": "token_attr", "attr": "tag"}]}
    return scoring.evaluate("spacy", gold=gold, system=run, options=options, n_resamples=300)


def test_a_thinned_evaluation_is_the_same_but_for_its_draws(evaluation, tmp_path):
    evaluation.save(tmp_path / "whole.npz")
    assert store_thinned(tmp_path / "whole.npz", tmp_path / "thinned.npz")
    thinned = scoring.Evaluation.load(tmp_path / "thinned.npz")
    assert thinned.draws is None
    assert thinned.as_dict() == scoring.Evaluation.load(tmp_path / "whole.npz").as_dict()
    assert np.array_equal(thinned.rows, evaluation.rows)


def test_draws_that_were_left_out_are_made_again_to_the_last_digit(evaluation, tmp_path):
    evaluation.save(tmp_path / "whole.npz")
    store_thinned(tmp_path / "whole.npz", tmp_path / "thinned.npz")
    again = stored_draws(tmp_path / "thinned.npz")
    assert again.tobytes() == stored_draws(tmp_path / "whole.npz").tobytes() == evaluation.draws.tobytes()


def test_draws_that_no_rows_could_give_again_stay(tmp_path):
    documents = "".join(f'{{"id": "d{k}", "words": ["x"], "cats": {{"A": {k % 2}}}}}\n' for k in range(60))
    guessed = documents.replace('{"A": 1}', '{"A": 0.4}').replace('{"A": 0}', '{"A": 0.3}', 20)
    for name, text in (("gold", documents), ("run", guessed)):
        (tmp_path / f"{name}.jsonl").write_text(text)
    files = {"gold": tmp_path / "gold.jsonl", "system": tmp_path / "run.jsonl"}
    options = {"scores": [{"name": "cats"}], "headline": "cats_macro_auc"}
    scoring.evaluate("spacy", **files, options=options, n_resamples=300).save(tmp_path / "whole.npz")
    assert not store_thinned(tmp_path / "whole.npz", tmp_path / "thinned.npz")
    assert not (tmp_path / "thinned.npz").exists()


def test_without_resamples_there_is_nothing_to_draw_again(evaluation, tmp_path):
    gold = tmp_path / "gold.jsonl"
    options = {"scores": [{"name": "token_attr", "attr": "tag"}]}
    scoring.evaluate("spacy", gold=gold, system=gold, options=options).save(tmp_path / "plain.npz")
    assert stored_draws(tmp_path / "plain.npz") is None


def test_all_but_the_draws_is_stored_compressed(evaluation, tmp_path):
    evaluation.save(tmp_path / "whole.npz")
    store_thinned(tmp_path / "whole.npz", tmp_path / "thinned.npz")
    sizes = [(tmp_path / f"{name}.npz").stat().st_size for name in ("whole", "thinned")]
    assert sizes[0] - sizes[1] > 8 * 300
    assert sizes[1] < sum(array.nbytes for array in np.load(tmp_path / "thinned.npz").values()) / 2


def test_a_score_without_sums_is_combined_over_scenarios_on_the_same_units_by_draws_with_their_common_seed(tmp_path):
    def evaluated(step: int, **kept):
        gold = "".join(f"t{k},{k % 11},{step}\n" for k in range(60))
        run = "".join(f"t{k},{k % 11 + k * step % 7}\n" for k in range(60))
        files = [
            Made({"gold.csv": f"id,value,language\n{gold}".encode()}),
            Made({"run.csv": f"id,value\n{run}".encode()}),
        ]
        return scoring.evaluate("numbers", gold=files[0], system=files[1], n_resamples=200, **kept)

    parts = {"a": evaluated(2), "b": evaluated(3)}
    with pytest.raises(scoring.ConfigurationError, match="with seed=") as refused:
        scoring.combine("mean(*.spearman)", parts, n_resamples=200)
    seed = int(re.search(r"seed=(\d+)", str(refused.value))[1])
    for name, step in (("a", 2), ("b", 3)):
        evaluated(step, keep=["spearman"], keep_seed=seed).save(tmp_path / f"{name}.npz")
    again = {name: scoring.Evaluation.load(tmp_path / f"{name}.npz") for name in parts}
    assert again["a"].intervals == parts["a"].intervals
    found = scoring.combine("mean(*.spearman)", again, n_resamples=200)
    assert found.interval[0] < found.score < found.interval[1]
