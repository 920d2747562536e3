"""Tests how much a board tells: on the board, on a run's page, on the upload page, and to nobody who may not see it."""

import re

import pytest
from django.urls import reverse

from evalsite.board_pages.board.power import power_of, powers_of
from evalsite.challenges.models import Phase
from evalsite.challenges.precision import Precision
from evalsite.leaderboard.making.editions import disclose
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from scoring.scale import significant
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import NOW, make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_scenario, make_team, run_files

pytestmark = pytest.mark.django_db

TELLS = re.compile(r"With 120 sentences, a difference of (0\.\d+) is detected four times out of five\.")
UPLOAD = "/tasks/health/test/submit/"


def board_of(phase, scenario, own, scores, *, place=None):
    """A board with these scores; the team `own`, if it has a place, stands there."""
    teams = make_teams(phase, *(f"Other {number}" for number in range(len(scores))))
    if place is not None:
        teams[place] = own
    named = zip(teams, scores, strict=True)
    entries = [make_entry(each, score, rank) for rank, (each, score) in enumerate(named, start=1)]
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


def test_a_stranger_reads_on_the_board_what_it_tells(client, phase, scenario, team):
    board_of(phase, scenario, team, [0.8, 0.79, 0.5])

    said = text(page(client))

    assert 0.01 < float(TELLS.search(said)[1]) < 0.1
    assert "Your best run" not in said


def test_who_is_behind_reads_how_far_and_how_far_it_would_have_to_be(as_alice, phase, scenario, team):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)

    shown = text(page(as_alice))

    assert "Your gap of 0.012 to the leader is not significant with 120 sentences." in shown
    assert len(TELLS.findall(shown)) == 1  # one threshold is enough


@pytest.mark.thorough
def test_who_is_far_behind_reads_that_the_difference_is_real(as_alice, phase, scenario, team):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=2)

    assert "Your best run is 0.30 behind the leader, which is a real difference." in text(page(as_alice))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([0.8, 0.788, 0.5], r"Your lead of 0\.012 is not significant with 120 sentences\."),
        ([0.8, 0.6, 0.5], r"Your best run is 0\.20 ahead of the next one, which is a real difference\."),
        ([0.8, 0.8, 0.5], r"Your best run shares the first place\."),
    ],
)
def test_the_leader_reads_how_far_the_next_one_is(as_alice, phase, scenario, team, scores, words):
    board_of(phase, scenario, team, scores, place=0)

    assert re.search(words, text(page(as_alice)))


def test_the_upload_page_says_it_too(as_alice, phase, scenario, team):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)

    said = text(page(as_alice, path=UPLOAD))

    assert TELLS.search(said)
    assert "Your gap of 0.012 to the leader is not significant" in said


@pytest.mark.thorough
def test_with_several_scenarios_each_is_named_in_a_fold_that_is_fetched_when_it_is_opened(
    as_alice, task, phase, scenario, team
):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)
    make_gold(phase, make_scenario(task, 2))

    form = page(as_alice, path=UPLOAD)
    assert "How much these tests can tell" in text(form)
    assert 'hx-trigger="toggle once"' in form
    said = text(page(as_alice, path=re.search(r'hx-get="(.*?/powers/)"', form)[1]))

    assert re.search(r"Scenario 1\. With 120 sentences, a difference of", said)
    assert "Scenario 2. How small a difference this test can detect is known once three teams are ranked." in said


@pytest.mark.thorough
def test_a_runs_page_says_it_of_the_team_of_the_run(as_alice, phase, scenario, team, alice, scored_submission):
    second = make_team("Alice alone", alice)
    board = Board.objects.get()
    teams = [*make_teams(phase, "Other"), second, team]
    named = zip(teams, (0.8, 0.788, 0.7), strict=True)
    entries = [make_entry(each, score, rank) for rank, (each, score) in enumerate(named, start=1)]
    edition = Edition.objects.create(board=board, day=NOW.date(), made=NOW, entries=entries, comparison={})
    compare(edition, scenario)

    said = text(page(as_alice, path=scored_submission.get_absolute_url()))

    assert TELLS.search(said)
    assert "Your best run is 0.10 behind the leader, which is a real difference." in said
    assert "0.012" not in said


@pytest.mark.thorough
def test_a_real_board_of_few_units_keeps_no_size_and_the_runs_page_says_why(as_alice, phase, team):
    run = make_run(phase, team, PARTLY_RIGHT)
    make_run(phase, team, run_files(), method="Other")
    refresh(Board.objects.select_related("phase", "scenario").get())

    assert Edition.objects.get().comparison["power"] is None
    said = text(page(as_alice, path=run.get_absolute_url()))
    assert "This test has 2 sentences: with fewer than 20 no difference counts as real." in said
    assert "This test has" not in text(page(as_alice))  # whose finding says so already


@pytest.mark.parametrize("scores", [[], [0.8], [0.8, 0.7]])
def test_before_three_teams_are_ranked_it_says_when_it_will_be_known(as_alice, phase, scenario, team, scores):
    if scores:
        board_of(phase, scenario, team, scores)

    said = text(page(as_alice, path=UPLOAD))

    assert "How small a difference this test can detect is known once three teams are ranked." in said


@pytest.mark.thorough
def test_of_two_teams_each_reads_its_distance(as_alice, phase, scenario, team):
    board_of(phase, scenario, team, [0.8, 0.788], place=1)

    assert "Your gap of 0.012 to the leader is not significant with 120 sentences." in text(page(as_alice))


@pytest.mark.thorough
def test_where_all_runs_are_the_same_nothing_is_said_of_a_distance(as_alice, phase, scenario, team):
    edition = board_of(phase, scenario, team, [0.8, 0.8], place=1)
    compare(edition, scenario, twins=((0, 1),))

    for path in (reverse("board", args=["health", "test", 1]), UPLOAD):
        assert "behind the leader" not in text(page(as_alice, path=path))


@pytest.mark.thorough
def test_an_edition_from_before_is_silent(as_alice, phase, scenario, team):
    edition = board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)
    del edition.comparison["power"]
    edition.save()

    for path in (reverse("board", args=["health", "test", 1]), UPLOAD):
        assert 'class="small soft power"' not in page(as_alice, path=path)


@pytest.mark.thorough
def test_a_board_that_was_not_compared_is_silent(client, phase, scenario, team):
    edition = board_of(phase, scenario, team, [0.8, 0.788, 0.5])
    Edition.objects.filter(pk=edition.pk).update(comparison={})

    assert 'class="small soft power"' not in page(client)


@pytest.mark.parametrize("hidden", [{"shows_scores": False}, {"board_audience": Phase.Audience.ORGANISERS}])
def test_who_may_not_see_the_board_learns_nothing_of_it(as_alice, phase, scenario, team, alice, olga, hidden):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)
    Phase.objects.update(**hidden)
    phase.refresh_from_db()

    assert 'class="small soft power"' not in page(as_alice, path=UPLOAD)
    assert powers_of(phase, [scenario], alice) == {}
    assert powers_of(phase, [scenario], olga)[scenario.pk].test


@pytest.mark.thorough
def test_while_the_gold_is_hidden_the_spread_is_rounded_as_every_difference_is(phase, scenario, team):
    edition = board_of(phase, scenario, team, [0.8, 0.788, 0.5])
    exact = power_of(edition, scenario.unit).test.se

    disclose(edition, Precision(False, "f1"), days_alone=False)

    told = power_of(edition, scenario.unit).test.se
    assert told == significant(exact, 2)
    assert told != exact


def test_programs_get_the_numbers_behind_the_sentence(phase, scenario, team, alice):
    board_of(phase, scenario, team, [0.8, 0.788, 0.5], place=1)

    facts = powers_of(phase, [scenario], alice)[scenario.pk].as_dict()

    assert facts["n_units"] == 120
    assert facts["unit"] == ["sentence", "sentences"]
    assert facts["threshold"] < facts["detectable"]
    assert [difference for difference, _ in facts["needed"]] == [0.005, 0.01, 0.02, 0.05]
    assert facts["own"]["difference"] == pytest.approx(-0.012)
    assert facts["own"]["is_told_apart"] is False


def test_it_costs_the_same_however_many_take_part(phase, scenario, team, alice, django_assert_num_queries):
    board_of(phase, scenario, team, [0.9 - 0.02 * k for k in range(20)], place=1)
    with django_assert_num_queries(6):
        first = powers_of(phase, [scenario], alice)
    with django_assert_num_queries(2):  # the entries are kept, and the own teams for the request
        assert powers_of(phase, [scenario], alice) == first


@pytest.mark.thorough
def test_what_is_kept_in_full_for_organisers_is_never_told_to_participants(phase, scenario, team, alice, olga):
    board_of(phase, scenario, team, [0.8, 0.7881234567, 0.5], place=1)
    for user, is_exact in ((olga, True), (alice, False), (olga, True)):
        spread = powers_of(phase, [scenario], user)[scenario.pk].test.se
        assert (spread != round(spread, 4)) == is_exact
