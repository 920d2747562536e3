"""A run whose score is undefined on many resamples takes no place, and leaves the places of all others alone."""

import numpy as np

from evalsite.leaderboard.making.comparison import comparable


def draws(*undefined, n_resamples=100):
    """Of entries that are undefined on so many resamples, each on others."""
    found, start = np.zeros((len(undefined), n_resamples)), 0
    for own, number in zip(found, undefined, strict=True):
        own[start : start + number] = np.nan
        start += number
    return found


def fits(*undefined, references=()):
    return comparable(draws(*undefined), [place in references for place in range(len(undefined))]).tolist()


def test_a_few_undefined_resamples_are_no_reason():
    assert fits(0, 4, 6) == [True, True, True]


def test_one_run_that_is_often_undefined_goes_without_a_place():
    assert fits(0, 40, 6) == [True, False, True]


def test_of_several_those_with_the_most_go_first():
    assert fits(5, 9, 8, 4) == [True, False, False, True]


def test_references_are_no_reason_to_leave_anybody_out():
    assert fits(0, 40, 3, references={1}) == [True, True, True]


def test_a_lone_run_may_be_without_a_place():
    assert fits(100) == [False]
