"""Mean ranks over scenarios, the ranges that hold for all teams at once, and who is left out."""

import numpy as np
import pytest
from scipy.stats import rankdata

import scoring
from scoring.combining.ranks import fractional_ranks
from tests.scoring.combining.worlds import make_evaluation

pytestmark = pytest.mark.usefixtures("means")
RNG = np.random.default_rng(3)
UNITS = RNG.random(80)


def make_systems(**shifts):
    """{team: (what is taken from each unit in s1, in s2; None: no run)}."""
    return {
        team: {
            f"s{number}": None
            if shift is None
            else make_evaluation(np.clip(UNITS - shift, 0, 1), gold=f"g{number}", prefix=f"s{number}-")
            for number, shift in enumerate(own, start=1)
        }
        for team, own in shifts.items()
    }


def test_ranks_are_those_of_scipy_on_every_resample():
    scores = RNG.integers(0, 5, size=(7, 200)) / 3
    assert np.array_equal(fractional_ranks(scores), rankdata(-scores, axis=0))
    assert np.array_equal(fractional_ranks(scores, lower_is_better=True), rankdata(scores, axis=0))


def test_mean_ranks_borda_counts_and_ranges():
    systems = make_systems(P=(0.0, 0.0), Q=(1e-4, 0.0), R=(0.4, 0.4))
    found = scoring.mean_rank(systems, n_resamples=500)
    rows = {row["name"]: row for row in found.table}
    assert [row["mean_rank"] for row in found.table] == [1.25, 1.75, 3.0]
    assert [row["borda"] for row in found.table] == [3.5, 2.5, 0.0]
    assert rows["Q"]["ranks"] == {"s1": 2.0, "s2": 1.5}
    assert (rows["R"]["low"], rows["R"]["high"], rows["R"]["rank_low"]) == (3.0, 3.0, 3)
    assert found.signature.startswith("family:mean-rank|scores:f1,f1|scenarios:s1,s2|units:80,80|gold:")


def test_teams_of_equal_mean_rank_share_the_rank():
    found = scoring.mean_rank(make_systems(A=(0.0, 0.2), B=(0.2, 0.0), C=(0.5, 0.5)), n_resamples=100)
    assert [(row["name"], row["rank"]) for row in found.table] == [("A", 1), ("B", 1), ("C", 3)]


def test_who_lacks_a_scenario_is_left_out_before_ranks_are_made_or_shares_the_last_places():
    systems = make_systems(A=(0.1, 0.2), B=(0.0, None), C=(0.3, 0.1), D=(0.4, None))
    left_out = scoring.mean_rank(systems, n_resamples=100)
    assert left_out.names == ["A", "C", "B", "D"]
    assert left_out.table[0]["ranks"] == {"s1": 1.0, "s2": 2.0}
    assert set(left_out.table[3].values()) == {"D", None}
    last = {row["name"]: row for row in scoring.mean_rank(systems, missing="last", n_resamples=100).table}
    assert last["B"]["ranks"] == {"s1": 1.0, "s2": 3.5}
    assert last["D"]["ranks"] == {"s1": 4.0, "s2": 3.5}


def test_a_scenario_with_few_units_separates_nobody_and_says_so():
    tiny = {team: {"t": make_evaluation(np.full(12, value))} for team, value in [("A", 0.9), ("B", 0.1)]}
    found = scoring.mean_rank(tiny, n_resamples=100)
    assert [(row["low"], row["high"]) for row in found.table] == [(1.0, 2.0), (1.0, 2.0)]
    assert found.warnings == ["t: fewer than 20 units: it separates nothing"]


def test_one_score_of_each_scenario_can_be_named():
    systems = make_systems(A=(0.0, 0.1), B=(0.2, 0.0))
    assert scoring.mean_rank(systems, {"s2": "hits"}, n_resamples=50).scores == {"s2": "hits"}
    with pytest.raises(scoring.ConfigurationError, match="no scenario 's3'"):
        scoring.mean_rank(systems, {"s3": "f1"})
    with pytest.raises(scoring.ConfigurationError, match="s1 has no score 'hit'; did you mean 'hits'"):
        scoring.mean_rank(systems, {"s1": "hit"})


def test_true_mean_ranks_lie_in_the_ranges_of_most_boards():
    # Six teams one standard error apart in three scenarios: all ranges hold at once on at least 95 % of boards.
    rng, n_units, boards, misses = np.random.default_rng(11), 60, 25, 0
    for board in range(boards):
        systems = {
            f"t{team}": {
                f"s{number}": make_evaluation(
                    rng.normal(-team / np.sqrt(n_units), 1, n_units), gold=f"{board}-{number}", prefix=f"{number}-"
                )
                for number in range(3)
            }
            for team in range(6)
        }
        table = scoring.mean_rank(systems, n_resamples=400).table
        misses += any(not row["low"] <= 1 + int(row["name"][1:]) <= row["high"] for row in table)
    assert misses <= 3
