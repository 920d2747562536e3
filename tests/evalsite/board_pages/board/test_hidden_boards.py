"""Tests what a board tells while the gold, the names or the scores are hidden."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Phase, TeamNumber
from evalsite.challenges.taking_part.teams import LOWEST_NUMBER, number_teams
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving import admission
from evalsite.submissions.runs import changing
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.factories import PARTLY_RIGHT, make_phase, make_run, make_submission, make_team, make_user, run_files

pytestmark = pytest.mark.django_db

CLOCK = re.compile(r"\d\d:\d\d")


@pytest.fixture
def runs(phase, team, strangers):
    """A board with two runs of alice's and one of charlie's."""
    made = [
        make_run(phase, team, run_files(), method="Perfect"),
        make_run(phase, team, PARTLY_RIGHT, method="Worse"),
        make_run(phase, strangers, PARTLY_RIGHT, method="Other"),
    ]
    refresh(Board.objects.select_related("phase", "scenario").get())
    return made


def board_addresses(phase):
    arguments = [phase.task.slug, phase.slug, 1]
    names = ("board", "board_pairs", *names_with(Trait.KEPT))
    yield from (reverse(name, args=arguments) for name in names)
    yield from (reverse("board_export", args=[*arguments, suffix]) for suffix in ("csv", "json", "tex", "md", "svg"))
    yield reverse("board_overview", args=arguments[:2])


HIDDEN = [{"shows_scores": False}, {"board_audience": "organisers"}]


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("who", ["client", "as_alice", "as_charlie"])
def test_a_hidden_board_is_shown_to_nobody_but_organisers(request, phase, runs, who, hidden):
    Phase.objects.update(**hidden)
    browser, score = request.getfixturevalue(who), f"{runs[1].scorings.get().result.headline:.3f}"
    for address in board_addresses(phase):
        answer = browser.get(address)
        assert answer.status_code == 403, address
        assert score not in answer.content.decode()
    for name, *arguments in (("home",), ("task", "health")):
        assert score not in browser.get(reverse(name, args=arguments)).content.decode()


@pytest.mark.parametrize("who", ["client", "as_alice", "as_charlie"])
def test_where_scores_are_kept_back_no_two_runs_are_compared(request, phase, runs, who):
    Phase.objects.update(shows_scores=False)
    compared = reverse("board_compare", args=[phase.task.slug, phase.slug, 1])
    assert request.getfixturevalue(who).get(compared).status_code == 403


@pytest.mark.parametrize("hidden", HIDDEN)
def test_organisers_see_hidden_boards_and_everybody_once_results_are_released(client, as_olga, phase, runs, hidden):
    Phase.objects.update(**hidden)
    assert {as_olga.get(address).status_code for address in board_addresses(phase)} == {200}
    if "shows_scores" in hidden:
        assert "organisers see this board until the results are released" in page(as_olga)
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    assert {client.get(address).status_code for address in board_addresses(phase)} == {200}


def test_numbers_of_teams_are_others_in_each_phase_and_follow_no_order(phase):
    teams = [each.pk for each in make_teams(phase, *(f"Team {letter}" for letter in "ABCDEFGH"))]
    second = make_phase(phase.task, "second")
    for each in (phase, second):
        number_teams(each, teams)
    first, other = ([each.team_numbers.get(team=team).number for team in teams] for each in (phase, second))

    assert all(a != b for a, b in zip(first, other, strict=True))
    assert min(first + other) >= LOWEST_NUMBER
    assert first != sorted(first)
    assert len(set(first)) == len(teams)


def test_numbers_stay_when_others_join_and_with_another_key(phase, settings):
    early, late = ([each.pk for each in make_teams(phase, *names)] for names in (("A", "B"), ("C", "D", "E")))
    number_teams(phase, early)
    before = dict(TeamNumber.objects.values_list("team", "number"))
    settings.SECRET_KEY = "another key of the site, as after a leak"
    number_teams(phase, early + late)
    after = dict(TeamNumber.objects.values_list("team", "number"))

    assert before.items() < after.items()
    TeamNumber.objects.all().delete()
    number_teams(phase, early + late)
    assert dict(TeamNumber.objects.values_list("team", "number")) != before | after


def test_an_anonymous_board_tells_days_and_no_times(client, phase, runs):
    Phase.objects.update(is_anonymous=True)
    arguments = [phase.task.slug, phase.slug, 1]
    key = phase.team_numbers.get(team=runs[0].team_id).number
    pages = [*board_addresses(phase), f"{reverse('board', args=arguments)}?team={key}"]
    for address in pages:
        found = client.get(address).content.decode()
        assert not re.search(r"\d{4}-\d\d-\d\dT", found), address
        assert not CLOCK.search(re.sub(r"<aside.*?</aside>|<svg.*?</svg>", "", found, flags=re.DOTALL)), address
    day = f"{runs[0].created:%Y-%m-%d}"
    assert f'datetime="{day}"' in client.get(pages[0]).content.decode()
    named = Phase.objects.update(is_anonymous=False)
    assert named
    assert re.search(r"\d{4}-\d\d-\d\dT", client.get(pages[0]).content.decode())


def test_the_number_of_one_board_opens_nothing_on_another(client, phase, runs):
    Phase.objects.update(is_anonymous=True)
    number = phase.team_numbers.get(team=runs[0].team_id).number
    entered = phase.task.participations.get(team=runs[0].team_id).number
    assert f"Team {number}" in page(client)
    assert f"Team {entered}<" not in page(client)
    assert f"Scored runs of Team {number}" in text(page(client, f"?team={number}"))
    assert "Scored runs of" not in text(page(client, f"?team={entered}"))


def test_withdrawn_runs_stay_counted(client, runs, alice):
    changing.withdraw([runs[1]], by=alice)
    refresh(Board.objects.select_related("phase", "scenario").get())

    assert "2 , 1 withdrawn" in text(page(client))
    first = client.get(reverse("board_export", args=["health", "test", 1, "csv"]))
    assert ",2,1," in first.content.decode().splitlines()[1]


def test_withdrawn_runs_use_a_place_still(phase, team, alice):
    Phase.objects.update(window_limit=1)
    phase.refresh_from_db()
    made = make_run(phase, team)
    changing.withdraw([made], by=alice)
    with pytest.raises(admission.Rejection):
        make_submission(phase, team, alice, run_files())


def test_a_method_that_was_renamed_stands_under_its_new_name_on_older_boards_too(client, phase, scenario):
    (anna,) = make_teams(phase, "Anna")
    user = make_user("Rude")
    run = make_submission(phase, make_team("Rude", user), user, method="Something abusive")
    make_board(phase, scenario, [make_entry(anna, 0.5, 1, submission=str(run.pk), method="Something abusive")])
    assert "Something abusive" in page(client, "?on=2026-12-31")
    Submission.objects.update(method="Renamed by the organisers")
    for query in ("?on=2026-12-31", "?on=2026-12-31&gold=1"):
        found = page(client, query)
        assert "Something abusive" not in found
        assert "Renamed by the organisers" in found
    files = client.get(reverse("board_export", args=["health", "test", 1, "csv"]) + "?on=2026-12-31")
    assert "Something abusive" not in files.content.decode()
    overview = client.get(reverse("board_overview", args=["health", "test"]) + "?on=2026-12-31").content.decode()
    assert "Something abusive" not in overview


@pytest.mark.parametrize("name", ["\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)", "'=1", " =1", "\n=1"])
def test_what_some_spreadsheets_take_for_a_formula_is_text_too(client, phase, scenario, name):
    (only,) = make_teams(phase, "Only")
    make_board(phase, scenario, [make_entry(only, 0.5, 1, method=name)])
    found = client.get(reverse("board_export", args=["health", "test", 1, "csv"])).content.decode()
    assert f"'{name}" in found


def test_the_board_rounds_what_is_compared_and_signed(client, phase, scenario, runs):
    stored = Edition.objects.get().comparison
    found = client.get(reverse("board_export", args=["health", "test", 1, "json"])).json()
    assert found["comparison"]["seed"] is None
    assert found["comparison"]["signature"] != stored["signature"]
    numbers = re.findall(r"\d+\.\d+", str([each["scores"] for each in found["entries"]]))
    assert numbers
    assert max(len(number.partition(".")[2]) for number in numbers) <= 4
