"""Runs that make the same mistakes are found, and good runs that merely agree where both are right are not."""

import numpy as np

from scoring.comparing.likeness import fingerprint_of, groups

N_UNITS = 400


def run(seed, accuracy=0.6):
    """Counts and scores of a system that is right in so many of the units."""
    rng = np.random.default_rng(seed)
    is_right = rng.random(N_UNITS) < accuracy
    wrong = rng.integers(1, 5, (N_UNITS, 2))
    rows = np.column_stack([np.full(N_UNITS, 5), np.where(is_right[:, None], 0, wrong)])
    return rows, np.where(is_right, 1.0, 0.3)


def changed(rows, scores, n_units, seed=0):
    """The same run with other mistakes in so many of the units in which it has one."""
    rows = rows.copy()
    chosen = np.random.default_rng(seed).choice(np.flatnonzero(scores < 1), n_units, replace=False)
    rows[chosen, 1] += 7
    return rows, scores


def members(*runs):
    return [group.members for group in groups([fingerprint_of(*each) for each in runs])]


def test_equal_runs_are_a_group_and_share_all_their_mistakes():
    [group] = groups([fingerprint_of(*each) for each in (run(1), run(2), run(1), run(1))])
    assert (group.members, group.share) == ([0, 2, 3], 1.0)


def test_a_copy_with_a_few_changes_is_found_and_one_with_many_is_not():
    original = run(1)
    assert members(original, run(2), changed(*original, 4)) == [[0, 2]]
    assert members(original, changed(*original, 60)) == []


def test_good_runs_that_agree_where_both_are_right_are_not_alike():
    one, other = run(1, accuracy=0.95), run(2, accuracy=0.95)
    assert (one[1] == other[1]).mean() > 0.85
    assert members(one, other) == []


def test_runs_with_hardly_a_mistake_are_alike_only_where_they_are_equal():
    rows, scores = run(1, accuracy=1)
    with_one, with_another = rows.copy(), rows.copy()
    with_one[3, 1], with_another[9, 1] = 1, 1
    assert members((with_one, scores), (with_another, scores), (with_one, scores)) == [[0, 2]]


def test_runs_of_a_score_that_no_unit_has_are_compared_in_all_units():
    rows, _ = run(1)
    assert members((rows, np.empty(0)), (rows, np.empty(0)), (run(2)[0], np.empty(0))) == [[0, 1]]


def test_the_same_counts_in_other_units_are_another_run():
    rows, scores = run(1)
    assert members((rows, scores), (rows[::-1], scores[::-1])) == []
