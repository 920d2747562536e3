"""The address of an entry leads to what it was also after another run of its team has taken its place on the board."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.challenges.revisions import raise_revision
from evalsite.leaderboard.models import Edition
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.banning import ban
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_scenario, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def cited(phase, scenario, team, strangers) -> Submission:
    """A run that stands on a board of which the results are out."""
    make_gold(phase, scenario)
    make_run(phase, strangers, run_files(relations=""))
    run = make_run(phase, team, PARTLY_RIGHT, method="Rules")
    refresh_all()
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    return run


def page_of(run: Submission) -> str:
    return reverse("entry", args=[run.phase.task.slug, run.phase.slug, run.pk])


def replace(run: Submission, method: str = "Better rules") -> Submission:
    better = make_run(run.phase, run.team, run_files(), method=method)
    refresh_all()
    return better


def main_of(client, run: Submission) -> str:
    answer = client.get(page_of(run))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().partition("<main")[2].split())


def test_it_says_which_run_it_was_and_leads_to_the_one_that_stands_now(client, cited):
    better = replace(cited)
    page = main_of(client, cited)
    assert "Rules</bdi></h1>" in page
    assert "another run of its team took its place" in page
    assert f'href="{page_of(better)}">Better rules</a>' in page
    assert page_of(cited) in page, "the citation is still there"
    assert "another run of its team" not in main_of(client, better)


def test_of_a_run_that_stood_for_less_than_a_day_no_scores_are_told(client, cited):
    replace(cited)
    assert "<table" not in main_of(client, cited), "boards of former days are public, and none has it"


def test_a_run_of_an_earlier_day_has_the_scores_and_the_board_of_that_day(client, cited):
    day = timezone.now().date() - timedelta(days=3)
    Edition.objects.update(day=day)
    [board] = client.get(page_of(cited)).context["entry"].boards
    replace(cited)
    [replaced] = client.get(page_of(cited)).context["entry"].replaced
    assert replaced.before.scores == board.scores
    page = main_of(client, cited)
    address = f"{reverse('board', args=['health', 'test', 1])}?on={day + timedelta(days=2)}"
    assert address in page
    assert "Rules" in client.get(address).content.decode()


def test_a_run_that_never_counted_has_no_page(client, cited):
    better = replace(cited)
    worse = make_run(cited.phase, cited.team, run_files(relations=""), method="Secret")
    refresh_all()
    assert client.get(page_of(worse)).status_code == 404
    assert client.get(page_of(better)).status_code == 200


def test_nothing_is_told_before_the_release_nor_of_a_withdrawn_run_or_a_team_that_is_banned(client, cited, phase, olga):
    replace(cited)
    assert client.get(page_of(cited)).status_code == 200
    Phase.objects.update(results_released=None)
    raise_revision([phase.task_id])
    assert client.get(page_of(cited)).status_code == 404
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    Submission.objects.filter(pk=cited.pk).update(withdrawn=timezone.now())
    raise_revision([phase.task_id])
    assert client.get(page_of(cited)).status_code == 404
    Submission.objects.update(withdrawn=None)
    raise_revision([phase.task_id])
    assert client.get(page_of(cited)).status_code == 200
    ban(phase.task, cited.team, "It read the gold.", by=olga)
    refresh_all()
    assert client.get(page_of(cited)).status_code == 404


def test_a_run_that_is_replaced_in_one_scenario_keeps_its_place_in_the_other(client, phase, scenario, team):
    second = make_scenario(phase.task, 2)
    files = run_files(scenarios=(1, 2))
    for board in (scenario, second):
        make_gold(phase, board, files)
    run = make_run(phase, team, run_files(relations="", scenarios=(1, 2)), method="Rules")
    make_run(phase, team, run_files(), scenarios=[scenario], method="Better rules")
    refresh_all()
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    page = client.get(page_of(run)).context["entry"]
    assert [board.scenario for board in page.boards] == [second]
    assert [board.scenario for board in page.replaced] == [scenario]
