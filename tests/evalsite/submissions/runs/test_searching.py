"""Tests what organisers find when they search the list of submissions."""

import pytest

from evalsite.submissions.models import Submission
from evalsite.submissions.runs.search import search
from tests.factories import make_submission, run_files


@pytest.fixture
def runs(phase, team, alice, strangers, charlie):
    """Find runs by what was typed, and return them by their method."""
    made = [
        make_submission(phase, team, alice, run_files(), method="Rules of thumb"),
        make_submission(phase, strangers, charlie, run_files(), method="Neural rules"),
        make_submission(phase, strangers, charlie, run_files() | {"README.md": "x"}, method="Deadbeef"),
    ]
    return {run.method: run for run in made}


def methods(text):
    return {run.method for run in search(Submission.objects.all(), text)}


def test_every_word_has_to_be_in_the_method_or_the_team(runs, strangers):
    assert methods("rules") == {"Rules of thumb", "Neural rules"}
    assert methods("RULES neu") == {"Neural rules"}
    assert methods(f"{strangers.name.split()[0].lower()} rules") == {"Neural rules"}
    assert methods("rules nothing") == set()


def test_words_between_quotation_marks_are_looked_for_together(runs):
    assert methods('"of thumb"') == {"Rules of thumb"}
    assert methods('"thumb of"') == set()


def test_the_code_of_a_scoring_finds_its_run_and_a_whole_key_too(runs):
    scoring = runs["Neural rules"].scorings.get()
    assert methods(scoring.code) == methods(scoring.code.upper()) == {"Neural rules"}
    assert methods(str(scoring.pk)) == methods(scoring.pk.hex) == {"Neural rules"}


def test_a_method_that_looks_like_a_code_is_found_as_well(runs):
    assert methods("deadbeef") == {"Deadbeef"}


def test_many_teams_of_one_word_are_looked_up_together(runs, monkeypatch, team, strangers):
    monkeypatch.setattr("evalsite.submissions.runs.search.MOST_TEAMS", 0)
    assert "Neural rules" in methods(strangers.name.split()[0])


def test_a_word_too_short_for_the_index_is_found_in_methods_and_teams(runs, strangers):
    assert methods("of") == {"Rules of thumb"}
    assert "Neural rules" in methods(strangers.name[:2])
    assert methods("of neural") == set()
