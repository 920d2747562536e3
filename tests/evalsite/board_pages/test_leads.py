"""Tests who leads, on the list of tasks and on a task's page: what everybody may see, and no more."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.models import Edition
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_gold, make_phase, make_scenario, make_task

pytestmark = pytest.mark.django_db

FINDING = (
    "Shared first: Anna (0.800) and Berta (0.798). 120 sentences cannot tell them apart; Anna is better than Cleo."
)
PLACES = ("/", "/tasks/health/")


def with_board(phase, scenario, *names, start=0.8):
    teams = make_teams(phase, *names)
    scores = [start, start - 0.002, *(start - 0.3 - 0.05 * place for place in range(len(names)))]
    entries = [make_entry(team, score, 1) for team, score in zip(teams, scores, strict=False)]
    entries.append(make_entry(teams[0], 0.3, reference="baseline", method="Dictionary"))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


@pytest.fixture
def edition(phase, scenario):
    return with_board(phase, scenario, "Anna", "Berta", "Cleo")


@pytest.mark.parametrize("path", PLACES)
def test_a_visitor_reads_who_leads_with_the_way_to_the_board(client, edition, path):
    html = page(client, path=path)

    assert FINDING in text(html)
    assert 'href="/tasks/health/test/board/1/"' in html
    assert html.count('class="dot"') == 3
    assert "baseline 0.300" in html


def test_the_tasks_page_shows_the_first_three_rows(client, phase, scenario):
    with_board(phase, scenario, "Anna", "Berta", "Cleo", "Dora")

    words = text(page(client, path="/tasks/health/").partition('class="lead-rows"')[2].partition("</table>")[0])

    assert "1–2 Anna Rules 0.800 [0.770, 0.820]" in words
    assert "Cleo" in words
    assert "Dora" not in words


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("hidden", [{"board_audience": "participants"}, {"shows_scores": False}])
def test_a_hidden_board_tells_nobody_who_leads(client, edition, path, hidden):
    Phase.objects.update(**hidden)

    html = page(client, path=path)

    assert "Anna" not in html
    assert "0.800" not in text(html)  # times in attributes have microseconds


@pytest.mark.parametrize("path", PLACES)
def test_participants_see_what_only_they_may(as_alice, edition, team, phase, path):
    Phase.objects.update(board_audience="participants")
    phase.task.participations.create(team=team, number=9)

    assert FINDING in text(page(as_alice, path=path))


@pytest.mark.parametrize("path", PLACES)
def test_without_names_teams_lead_by_number(client, edition, path):
    Phase.objects.update(is_anonymous=True)

    html = page(client, path=path)

    assert "Shared first: Team 1 (0.800) and Team 2 (0.798)." in text(html)
    assert "Anna" not in html


def test_the_newest_phase_that_ranks_somebody_answers(client, phase, scenario, edition):
    now = timezone.now()
    dev = make_phase(phase.task, "dev", opens=now - timedelta(days=9), name="Development")
    late = make_phase(phase.task, "late", opens=now - timedelta(hours=1), name="Late")
    for each in (dev, late):
        make_gold(each, scenario)
    with_board(dev, scenario, "Dev team", "Other", start=0.95)

    html = page(client, path="/tasks/health/")

    assert "First in Test" in text(html)
    assert "Dev team" not in html.partition('id="phases"')[0]
    phases = html.partition('id="phases"')[2]
    assert phases.index(">Late</h3>") < phases.index(">Test</h3>") < phases.index(">Development</h3>")


def test_what_is_to_come_stands_after_what_is_open(client, phase):
    make_phase(phase.task, "post", opens=timezone.now() + timedelta(days=5), closes=None, name="Afterwards")

    phases = page(client, path="/tasks/health/").partition('id="phases"')[2]

    assert phases.index(">Test</h3>") < phases.index(">Afterwards</h3>")


def test_an_empty_board_says_how_to_begin(client, phase):
    assert "Nobody is on the board of Test yet. Your run could be the first." in text(page(client, path="/"))
    assert "Yours could be the first: upload it below." in text(page(client, path="/tasks/health/"))


def test_a_task_of_several_scenarios_leads_to_all_of_them(client, phase, scenario, edition):
    make_gold(phase, make_scenario(phase.task, 2))

    assert 'href="/tasks/health/test/board/"' in page(client, path="/")


@pytest.mark.parametrize("is_anonymous", [False, True])
def test_leaders_of_many_tasks_cost_as_many_queries_as_of_one(as_alice, phase, edition, is_anonymous):
    Phase.objects.update(is_anonymous=is_anonymous)
    page(as_alice, path="/")
    caches["pages"].clear()
    caches["editions"].clear()
    Edition.objects.update(made=timezone.now())  # one that no process has read yet, as are those of the other tasks
    with CaptureQueriesContext(connection) as of_one:
        page(as_alice, path="/")
    for number in range(4):
        task = make_task(f"t{number}")
        scenario = make_scenario(task)
        later = make_phase(task, is_anonymous=is_anonymous)
        make_gold(later, scenario)
        with_board(later, scenario, "Anna", "Berta", "Cleo")

    with CaptureQueriesContext(connection) as of_five:
        html = page(as_alice, path="/")

    assert html.count("Shared first") == 5
    assert len(of_five) == len(of_one)


def test_who_leads_is_kept_for_each_language_and_only_for_those_who_may_see_it(as_alice, edition, team, phase):
    phase.task.participations.create(team=team, number=9)
    Phase.objects.update(board_audience="participants")
    assert "Shared first" in page(as_alice, path="/")
    assert "Shared first" not in page(Client(), path="/")
    Phase.objects.update(board_audience="everybody")
    assert "Shared first" in page(Client(), path="/")
    assert "Primer puesto compartido" in page(Client(headers={"accept-language": "es"}), path="/")
