"""Tests that names of systems are looked up in one pass, however many a table of somebody's has."""

import time

import pytest

from scoring.comparing.board import board_of
from scoring.errors import ConfigurationError

NAMES = [f"system {k}" for k in range(40_000)]
SCORES = [k / len(NAMES) for k in range(len(NAMES))]


def test_tens_of_thousands_of_systems_and_references_take_a_moment():
    before = time.process_time()
    board = board_of(NAMES, SCORES, NAMES[:20_000], lower_is_better=False)
    assert time.process_time() - before < 5
    assert board.ranked[0] == NAMES[-1]
    assert (len(board.ranked), len(board.references)) == (20_000, 20_000)


def test_of_names_that_stand_twice_the_first_by_the_alphabet_is_named():
    before = time.process_time()
    with pytest.raises(ConfigurationError, match="two systems are called system 10$"):
        board_of([*NAMES, "system 39999", "system 10"], [*SCORES, 1.0, 1.0], [], lower_is_better=False)
    assert time.process_time() - before < 5
