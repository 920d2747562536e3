"""The tests of all pairs, made in blocks of arrays, beside a slow program that takes one pair after the other."""

import numpy as np
import pytest

from scoring.significance import alone, joint
from scoring.significance.alone import PairTestCache
from scoring.significance.intervals import quantile
from scoring.significance.pairs import differences, normal_deviate, step_down

N_UNITS = 200


def one_after_the_other(scores, draws, pairs, confidence_level):
    """Return se, p, adjusted p and the critical value, from the definitions alone."""
    n_resamples = draws.shape[1]
    deviations = draws - scores[:, np.newaxis]
    difference = differences(scores, pairs)
    se, p, standardised = np.zeros(len(pairs)), np.ones(len(pairs)), np.zeros((len(pairs), n_resamples))
    for k, (one, other) in enumerate(pairs.tolist()):
        moved = deviations[one] - deviations[other]
        # Among others, as two rows: a single one is summed in another order.
        rows = np.array([moved, moved][: 1 + (len(pairs) > 1)])
        squares = (np.einsum("ij,ij->i", rows, rows) - np.einsum("ij->i", rows) ** 2 / n_resamples)[0]
        root = np.sqrt(max(squares, 0) / max(1, n_resamples - 1))
        if root > 1e-10:
            se[k] = root
            standardised[k] = np.abs(moved) * (1 / root)
            p[k] = (1 + np.count_nonzero(np.abs(moved) >= abs(difference[k]) - 1e-9 * root)) / (n_resamples + 1)
        else:
            p[k] = 1 / (n_resamples + 1)
        if difference[k] == 0:
            p[k] = 1.0
    certain = np.where(difference == 0, 0.0, np.inf)
    t = normal_deviate(np.where(se > 0, np.abs(difference) / np.where(se > 0, se, 1), certain), N_UNITS)
    largest, adjusted = np.zeros(n_resamples), np.ones(len(pairs))
    rising = np.argsort(t, kind="stable")
    for k in rising.tolist():
        largest = np.maximum(largest, standardised[k])
        adjusted[k] = (1 + np.count_nonzero(largest >= t[k] - 1e-9)) / (n_resamples + 1)
    adjusted[rising[::-1]] = np.maximum.accumulate(adjusted[rising[::-1]])
    return se, p, adjusted, quantile(largest, confidence_level)


def systems(seed, n_systems, n_resamples, spread, n_items):
    """Return scores and draws of systems, some of them copies, that take `n_items` values where it is given."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, spread, n_systems)
    is_right = skill[:, np.newaxis] + rng.normal(0, 1, (n_systems, N_UNITS)) > 0
    units = is_right.astype(float) if n_items else is_right + rng.normal(0, 0.1, is_right.shape)
    weights = rng.multinomial(N_UNITS, np.full(N_UNITS, 1 / N_UNITS), n_resamples).T
    scores, draws = units.mean(axis=1), units @ weights / N_UNITS
    scores[1], draws[1] = scores[0], draws[0]  # a copy
    scores[-1], draws[-1] = scores[2] + 0.25, draws[2] + 0.25  # better by the same on every resample
    return scores, draws


def all_of(tested):
    return [values.tolist() for values in (tested.se, tested.p, tested.p_adjusted)] + [tested.critical_value]


@pytest.mark.parametrize("n_items", [0, N_UNITS])
@pytest.mark.parametrize(
    ("n_systems", "n_resamples", "spread"), [(3, 7, 0.5), (12, 10_000, 0.3), (40, 600, 0.05), (40, 600, 2.0)]
)
def test_pairs_in_blocks_have_the_numbers_of_pairs_taken_one_by_one_to_the_last_bit(
    n_systems, n_resamples, spread, n_items
):
    scores, draws = systems(n_systems, n_systems, n_resamples, spread, n_items)
    pairs = np.column_stack(np.triu_indices(n_systems, 1))
    se, p, adjusted, critical = one_after_the_other(scores, draws, pairs, 0.95)
    assert all_of(step_down(scores, draws, pairs, N_UNITS, 0.95)) == [
        *map(np.ndarray.tolist, (se, p, adjusted)),
        critical,
    ]


@pytest.mark.parametrize("level", [0.2, 1.5, 50.0])
def test_from_which_deviation_on_peaks_are_kept_changes_no_number(level, monkeypatch):
    scores, draws = systems(5, 40, 700, 0.2, 0)
    pairs = np.column_stack(np.triu_indices(40, 1))
    usual = all_of(step_down(scores, draws, pairs, N_UNITS, 0.95))
    monkeypatch.setattr(alone, "_FIRST_LEVEL", level)
    assert all_of(step_down(scores, draws, pairs, N_UNITS, 0.95)) == usual
    monkeypatch.setattr(alone, "_MOST_PEAKS", 100)
    monkeypatch.setattr(joint, "_PEAKS_AT_A_TIME", 30)
    assert all_of(step_down(scores, draws, pairs, N_UNITS, 0.95)) == usual


def test_peaks_are_thinned_until_they_fit_into_memory(monkeypatch):
    scores, draws = systems(5, 40, 700, 0.2, 0)
    pairs = np.column_stack(np.triu_indices(40, 1))
    monkeypatch.setattr(alone, "_MOST_PEAKS", 100)
    made = alone.make_tests(differences(scores, pairs), draws - scores[:, np.newaxis], pairs, level=1.0)
    assert 0 < len(made.peaks.resamples) <= 100
    assert made.peaks.level > 1


@pytest.mark.parametrize("level", [0.5, 2.0, 3.3])
def test_after_one_new_system_only_its_own_pairs_are_tested_alone(level, monkeypatch):
    monkeypatch.setattr(alone, "_FIRST_LEVEL", level)
    scores, draws = systems(9, 30, 500, 0.3, 0)
    pairs = np.column_stack(np.triu_indices(30, 1))
    cache = PairTestCache()
    step_down(scores, draws, pairs, N_UNITS, 0.95, cache=cache)
    made = []

    def make_tests(difference, deviations, new, level):
        made.extend(new.tolist())
        return alone_before(difference, deviations, new, level)

    alone_before = alone.make_tests
    monkeypatch.setattr(alone, "make_tests", make_tests)
    scores[17], draws[17] = scores[17] + 0.01, draws[17] + np.linspace(-0.02, 0.02, 500)
    again = step_down(scores, draws, pairs, N_UNITS, 0.95, cache=cache)
    assert sorted(made) == [[k, 17] for k in range(17)] + [[17, k] for k in range(18, 30)]
    assert all_of(again) == all_of(step_down(scores, draws, pairs, N_UNITS, 0.95))


def test_a_board_without_pairs_has_no_critical_value():
    tested = step_down(np.array([0.5]), np.full((1, 9), 0.5), np.empty((0, 2), dtype=np.int64), N_UNITS, 0.95)
    assert tested.critical_value is None
    assert not len(tested.p_adjusted)
