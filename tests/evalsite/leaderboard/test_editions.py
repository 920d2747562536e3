"""Earlier boards stay: one edition a day, and the final one of a phase that has closed."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db.models import F
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making import entries
from evalsite.leaderboard.making.editions import edition_of
from evalsite.leaderboard.making.entries import finish_boards, make_entries, refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Scoring, Submission
from scoring.comparing.places import unpacked
from tests.factories import make_gold, make_run, make_team, make_user, run_files

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _database_of_this_machine(monkeypatch):
    """The clock of the database is set with the machine's."""
    monkeypatch.setattr(entries, "database_now", timezone.now)


def board_of(phase, scenario):
    return Board.objects.select_related("phase", "scenario").get_or_create(phase=phase, scenario=scenario)[0]


def made(phase, scenario):
    refresh(board_of(phase, scenario))
    return Edition.objects.order_by("-made").first()


def test_a_day_has_one_edition_and_the_next_day_another(phase, scenario, team, strangers):
    Phase.objects.update(closes=None)
    phase.refresh_from_db()
    with time_machine.travel(NOON, tick=False):
        make_run(phase, team)
        made(phase, scenario)
    with time_machine.travel(NOON + timedelta(hours=3), tick=False):
        make_run(phase, strangers)
        made(phase, scenario)
    assert [len(edition.entries) for edition in Edition.objects.all()] == [2]
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        make_run(phase, strangers, run_files())
        made(phase, scenario)
    assert [(edition.day.day, edition.entries[0]["headline"] == 1) for edition in Edition.objects.all()] == [
        (2, True),
        (1, False),
    ]


@pytest.mark.parametrize("days", [1, -1])
@pytest.mark.parametrize("is_large", [False, True], ids=["small", "large"])
def test_a_maker_whose_clock_is_a_day_off_leaves_the_right_board_on_top(
    phase, scenario, team, strangers, monkeypatch, days, is_large
):
    """Also where the clock is that of the database: the counters decide."""
    if is_large:
        monkeypatch.setattr(entries, "MAX_COMPARED_AT_ONCE", 0)
        monkeypatch.setattr(entries, "ALWAYS_COMPARED", 0)
    for shift, each in ((0, team), (days, strangers), (0, make_team("Third", make_user("Third")))):
        make_run(phase, each)
        with time_machine.travel(timezone.now() + timedelta(days=shift)):
            make_entries(board_of(phase, scenario))
            refresh(board_of(phase, scenario))
    for edition in (
        edition_of(phase, scenario),
        edition_of(phase, scenario, only_compared=True),
        Edition.objects.first(),
    ):
        assert len(edition.entries) == 3


def test_a_board_that_did_not_change_makes_no_edition(phase, scenario, team):
    make_run(phase, team)
    with time_machine.travel(NOON, tick=False):
        made(phase, scenario)
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        made(phase, scenario)
    assert Edition.objects.count() == 1


def test_the_last_edition_of_a_closed_phase_is_final_and_stays(phase, scenario, team, strangers):
    make_run(phase, team)
    made(phase, scenario)
    Phase.objects.update(opens=timezone.now() - timedelta(days=2), closes=timezone.now() - timedelta(minutes=1))
    Board.objects.update(made=F("wanted"), compared=F("wanted"))

    finish_boards()
    Phase.objects.update(closes=None)
    make_run(type(phase).objects.get(), strangers, run_files())
    later = made(board_of(phase, scenario).phase, scenario)

    final = Edition.objects.get(is_final=True)
    assert len(final.entries) == 1
    assert len(later.entries) == 2
    assert not later.is_final


def test_a_maker_whose_clock_is_ahead_ends_no_phase(phase, scenario, team):
    make_run(phase, team)
    made(phase, scenario)
    with time_machine.travel(phase.closes + timedelta(days=1)):
        finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()


def test_a_board_is_not_final_while_a_run_waits(phase, scenario, team):
    make_run(phase, team)
    made(phase, scenario)
    waiting = make_run(phase, team, run_files())
    Scoring.objects.filter(submission=waiting).update(state="queued")
    Phase.objects.update(opens=timezone.now() - timedelta(days=2), closes=timezone.now() - timedelta(minutes=1))
    Board.objects.update(made=F("wanted"), compared=F("wanted"))

    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()

    Scoring.objects.filter(submission=waiting).update(state="scored")
    finish_boards()
    assert Edition.objects.filter(is_final=True).exists()


@pytest.fixture
def large_gold(phase, scenario):
    """Forty sentences, so that systems can be told apart."""
    return make_gold(phase, scenario, forty(40))


def forty(n_found):
    """A run over forty sentences of one word that finds the first of them."""
    phrases = "".join(f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(n_found))
    return run_files(phrases, "", sentences="dolor\n" * 40)


def test_entries_have_the_places_that_the_data_leave_open(phase, scenario, team, strangers, large_gold):
    make_run(phase, team, forty(38))
    make_run(phase, strangers, forty(9))
    make_run(phase, strangers, forty(9), reference=Submission.Reference.BASELINE)

    edition = made(phase, scenario)

    first, second, baseline = edition.entries
    assert (first["rank_low"], first["rank_high"], first["group"]) == (1, 1, "a")
    assert (second["rank_low"], second["rank_high"], second["group"]) == (2, 2, "b")
    assert second["difference_high"] <= 0
    assert second["identical_to"] == baseline["submission"]
    assert baseline["rank_low"] is None
    comparison = edition.comparison
    assert unpacked(comparison["separated"], 2, 2).tolist() == [[False, True], [False, False]]
    assert unpacked(comparison["references"][baseline["submission"]]["worse"], 2).tolist() == [True, False]
    assert comparison["signature"].startswith("family:ehealthkd|")
    assert "|systems:2|" in comparison["signature"]
    assert comparison["signature"].endswith(f"|seed:{comparison['seed']}")
