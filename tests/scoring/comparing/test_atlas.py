"""Tests which system errs on which units: counted by hand on four sentences and three systems."""

import numpy as np
import pytest

import scoring as engine
from scoring.comparing.atlas import Atlas, atlas_of

SENTENCES = "dolor\n" * 4
WORDS = [f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(4)]


def files(*found: int) -> dict[str, bytes]:
    """The phrases of these sentences, one in each."""
    return {
        "input_scenario1.txt": SENTENCES.encode(),
        "output_a_scenario1.txt": "".join(WORDS[k] for k in found).encode(),
        "output_b_scenario1.txt": b"",
    }


@pytest.fixture
def evaluated(tmp_path):
    """The evaluation of a run that finds the phrases of these sentences."""

    def folder(name, content):
        place = tmp_path / name
        place.mkdir(exist_ok=True)
        for path, text in content.items():
            (place / path).write_bytes(text)
        return place

    gold = folder("gold", files(0, 1, 2, 3))

    def run(*found):
        return engine.evaluate("ehealthkd", gold=gold, system=folder(f"run{found}", files(*found)))

    return run


@pytest.fixture
def atlas(evaluated) -> Atlas:
    found = atlas_of({"a": evaluated(0, 1), "b": evaluated(1, 2), "c": evaluated(1)})
    assert found is not None
    return found


def test_what_nobody_solved_and_what_one_solved_alone(atlas):
    assert atlas.n_solvers.tolist() == [1, 3, 1, 0]
    assert atlas.unsolved.tolist() == [3]
    assert [atlas.only(system).tolist() for system in range(3)] == [[0], [2], []]


def test_the_hardest_unit_comes_first(atlas):
    assert atlas.by_difficulty.tolist() == [3, 0, 2, 1]


def test_the_best_of_both_has_what_either_has(atlas):
    # Three of four phrases found and none spurious: precision 1, recall 3/4.
    assert atlas.oracle[0, 1] == pytest.approx(6 / 7)
    # The third system adds nothing to the first: 2 of 4.
    assert atlas.oracle[0, 2] == pytest.approx(2 / 3)
    assert np.allclose(atlas.oracle, atlas.oracle.T)
    assert np.allclose(np.diag(atlas.oracle), atlas.totals)


def test_the_two_that_gain_most_from_each_other_come_first_and_those_that_gain_nothing_not_at_all(atlas):
    assert atlas.best_pairs(5) == [(0, 1)]
    assert atlas.gains[0, 1] == pytest.approx(6 / 7 - 2 / 3)


def test_agreement_is_the_correlation_of_the_scores_of_units(atlas):
    a, b, c = atlas.scores
    assert atlas.agreement[0, 1] == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert [atlas.nearest(system) for system in range(3)] == [2, 2, 0]


def test_of_a_system_that_is_alike_everywhere_no_neighbour_is_named(evaluated):
    atlas = atlas_of({"all": evaluated(0, 1, 2, 3), "none": evaluated()})
    assert atlas.nearest(0) is None
    assert atlas.best_pairs(5) == []


def test_a_system_that_was_scored_with_other_options_is_left_out(evaluated, tmp_path):
    other = engine.evaluate(
        "ehealthkd", gold=tmp_path / "gold", system=tmp_path / "gold", options={"rules": "documented"}
    )
    atlas = atlas_of({"a": evaluated(0), "other": other, "b": evaluated(1)})
    assert atlas.systems == ["a", "b"]


def test_units_without_a_score_are_the_last_and_solved_by_nobody():
    scores = np.array([[np.nan, 1.0, 0.0], [np.nan, 0.5, np.nan]])
    atlas = Atlas(["a", "b"], ["x", "y", "z"], scores, np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2)))
    assert atlas.by_difficulty.tolist() == [2, 1, 0]
    assert atlas.unsolved.tolist() == [2]


@pytest.mark.parametrize("systems", [0, 1])
def test_of_no_system_there_is_no_atlas_and_of_one_no_pair(evaluated, systems):
    atlas = atlas_of({"a": evaluated(0)} if systems else {})
    assert (atlas is None) if not systems else (atlas.best_pairs(3) == [])
