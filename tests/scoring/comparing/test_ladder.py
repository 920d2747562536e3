"""The Ladder: what a team is told of a run while a board may not be climbed."""

import numpy as np
import pytest

from benchmarks.ladder import outcome
from scoring.comparing.ladder import Rung, climb, rounded, threshold

N = 400
RNG = np.random.default_rng(7)
WEIGHTS = RNG.multinomial(N, np.full(N, 1 / N), 500) / N


def draws(n_right: int):
    """The resamples of a run that has the first units right."""
    return WEIGHTS @ (np.arange(N) < n_right)


def told(n_right: int, best: int | None = None, number: int = 2, *, lower_is_better: bool = False) -> float | None:
    rung = None if best is None else Rung(best / N, draws(best), best / N)
    return climb(n_right / N, draws(n_right), rung, number, lower_is_better=lower_is_better)


def test_a_first_run_is_told_to_its_own_standard_error():
    assert told(203) == 0.5  # 0.5075, and its standard error is 0.025


def test_what_is_better_by_less_than_noise_is_not_told():
    assert told(204, best=200) is None
    assert told(200, best=200) is None
    assert told(150, best=200) is None


def test_what_is_better_beyond_noise_is_told_and_rounded():
    assert told(240, best=200) == pytest.approx(0.6)


def test_lower_scores_may_be_better():
    assert told(160, best=200, lower_is_better=True) == pytest.approx(0.4)
    assert told(240, best=200, lower_is_better=True) is None


def test_the_more_runs_a_team_has_the_more_one_has_to_be_better():
    assert told(212, best=200, number=2) is not None
    assert told(212, best=200, number=900) is None
    levels = [threshold(number) for number in (1, 2, 10, 100, 1000)]
    assert levels == sorted(levels)


def test_a_best_that_was_rounded_up_is_not_undercut():
    """What is told never falls, whatever rounding has done."""
    rung = Rung(200 / N, draws(200), 0.58)
    shown = climb(240 / N, draws(240), rung, 2, lower_is_better=False)
    assert shown is None or shown > 0.58


def test_without_resamples_only_the_first_is_told_with_one_digit():
    assert climb(0.6394, None, None, 1, lower_is_better=False) == 0.6
    assert climb(0.9, None, Rung(0.6394, None, 0.6), 2, lower_is_better=False) is None
    assert climb(None, None, None, 1, lower_is_better=False) is None
    assert climb(0.9, draws(360), Rung(0.5, draws(200)[:20], 0.5), 2, lower_is_better=False) is None


@pytest.mark.parametrize(
    ("score", "error", "shown"),
    [(0.6394, 0.013, 0.64), (0.6394, 0.0213, 0.64), (0.6394, 0.06, 0.65), (1234.5, 60.0, 1250), (0.5, 0.0, 0.5)],
)
def test_the_step_is_a_plain_number_and_no_larger_than_the_error(score, error, shown):
    assert rounded(score, error) == pytest.approx(shown)


@pytest.mark.thorough
@pytest.mark.parametrize("attack", ["boosting", "climbing"])
def test_a_thousand_guesses_raise_what_is_told_by_less_than_half_of_the_interval(attack):
    found = outcome(attack, 1, has_ladder=True)
    assert found.raised < found.half_interval
    assert outcome(attack, 1, has_ladder=False).raised > 2 * found.half_interval
