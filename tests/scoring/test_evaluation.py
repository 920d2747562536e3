"""Evaluations stored and read again."""

import json

import numpy as np
import pytest

import scoring


@pytest.fixture
def gold(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "input_scenario1.txt").write_text("dolor agudo\nfiebre alta\nnada\n", encoding="utf-8")
    (folder / "output_a_scenario1.txt").write_text(
        "1\t0 5\tConcept\tdolor\n2\t6 11\tPredicate\tagudo\n3\t12 18\tConcept\tfiebre\n", encoding="utf-8"
    )
    (folder / "output_b_scenario1.txt").write_text("has-property\t1\t2\n", encoding="utf-8")
    return folder


@pytest.fixture
def system(gold, tmp_path):
    folder = tmp_path / "system"
    folder.mkdir()
    (folder / "output_a_scenario1.txt").write_text("1\t0 5\tConcept\tdolor\n", encoding="utf-8")
    (folder / "output_b_scenario1.txt").write_text("", encoding="utf-8")
    return folder


@pytest.mark.parametrize("n_resamples", [0, 50])
def test_what_is_stored_comes_back_exactly(n_resamples, gold, system, tmp_path):
    result = scoring.evaluate(
        "ehealthkd", gold=gold, system=system, n_resamples=n_resamples, options={"details": True, "scenario": 1}
    )
    result.save(tmp_path / "stored")
    loaded = scoring.Evaluation.load(tmp_path / "stored")

    for name in ("options", "scores", "intervals", "counts", "units", "tables", "table_intervals", "seed"):
        assert getattr(loaded, name) == getattr(result, name)
    assert loaded.as_dict() == result.as_dict()
    assert loaded.rows.dtype == result.rows.dtype
    assert np.array_equal(loaded.rows, result.rows)
    assert (loaded.draws is None) == (result.draws is None)
    assert n_resamples == 0 or np.array_equal(loaded.draws, result.draws)


def test_the_dictionary_is_json_with_none_for_what_does_not_apply(gold, tmp_path):
    folder = tmp_path / "three"
    folder.mkdir()
    for path in gold.iterdir():
        (folder / path.name.replace("scenario1", "scenario3")).write_bytes(path.read_bytes())
    result = scoring.evaluate("ehealthkd", gold=folder, system=folder, options={"scenario": 3})
    stored = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert stored == result.as_dict()
    assert stored["scores"]["f1_a"] is None
    assert "rows" not in stored


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x93NUMPY", b"cos\nsystem\n(S'x'\ntR."])
def test_a_foreign_file_is_refused(content, tmp_path):
    (tmp_path / "stored").write_bytes(content)
    with pytest.raises(scoring.ConfigurationError, match="no stored evaluation"):
        scoring.Evaluation.load(tmp_path / "stored")


def test_pickled_objects_are_never_loaded(tmp_path):
    np.savez(tmp_path / "stored.npz", facts=np.array([object()], dtype=object), rows=np.zeros(1))
    with pytest.raises(scoring.ConfigurationError):
        scoring.Evaluation.load(tmp_path / "stored.npz")


def test_nothing_of_an_evaluation_can_be_reassigned(gold):
    result = scoring.evaluate("ehealthkd", gold=gold, system=gold)
    with pytest.raises(AttributeError):
        result.scores = {}
