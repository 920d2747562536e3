"""Problems as one line each, and errors that keep them."""

import pickle

import pytest

from scoring.errors import ConfigurationError, GoldError, ScoringError, SubmissionError
from scoring.findings import Finding


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Finding("Too short."), "Too short."),
        (Finding("Too short.", "a.txt"), "a.txt: Too short."),
        (Finding("Too short.", "a.txt", 3), "a.txt:3: Too short."),
        (Finding("Too short.", "a.txt", 3, 7), "a.txt:3:7: Too short."),
    ],
)
def test_a_problem_is_one_line_that_leaves_out_what_is_not_known(problem, text):
    assert str(problem) == text


@pytest.mark.parametrize("error", [SubmissionError, GoldError])
def test_an_error_keeps_every_problem(error):
    problems = [Finding("One.", "a.txt", 1), Finding("Two.")]
    raised = error(problems)
    assert raised.problems == problems
    assert str(raised) == "a.txt:1: One.\nTwo."


def test_a_single_text_is_one_problem():
    assert SubmissionError("No file.").problems == [Finding("No file.")]


def test_every_error_is_a_scoring_error():
    assert all(issubclass(error, ScoringError) for error in (SubmissionError, GoldError, ConfigurationError))


def test_an_error_survives_the_way_between_two_processes():
    error = GoldError([Finding("One.", "a.txt", 1)])
    assert pickle.loads(pickle.dumps(error)).problems == [Finding("One.", "a.txt", 1)]
