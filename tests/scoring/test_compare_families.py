"""Every family's results can be stored, read again and compared."""

import json
import re

import pytest

import scoring
from scoring.evaluation import Evaluation

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
