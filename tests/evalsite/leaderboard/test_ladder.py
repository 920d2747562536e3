"""A phase with the Ladder: what is told of a run, to whom, and everywhere that nothing else is."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.api import tokens
from evalsite.base.contrib import Trait, board_pages, names_with
from evalsite.challenges.access import Role, sees_board, sees_ladder, sees_own_scores
from evalsite.challenges.audit_trail import change
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, LadderStep
from evalsite.submissions.models import Result
from evalsite.submissions.runs import changing
from tests.evalsite.board_pages.pages import text
from tests.factories import PARTLY_RIGHT, make_run, run_files

pytestmark = pytest.mark.django_db
NO_BETTER = "No better than your best."


@pytest.fixture
def ladder(phase) -> Phase:
    phase.is_ladder = True
    phase.save()
    return phase


def made(phase) -> None:
    refresh(Board.objects.select_related("phase", "scenario").get(phase=phase))


@pytest.fixture
def runs(ladder, team, strangers):
    """A first run of alice's, one that is better by chance at most, a worse one, and one of charlie's."""
    found = [
        make_run(ladder, team, PARTLY_RIGHT, method="First"),
        make_run(ladder, team, PARTLY_RIGHT | {"note.txt": "again"}, method="Second"),
        make_run(ladder, team, run_files("1\t4 8\tConcept\tx\n", ""), method="Worse"),
        make_run(ladder, strangers, run_files(), method="Perfect"),
    ]
    made(ladder)
    return found


def steps(*runs) -> list[float | None]:
    return [LadderStep.objects.get(submission=run).shown for run in runs]


def secrets(run) -> list[str]:
    """Return what tells of the run's score: each of its scores with three digits and more."""
    result = Result.objects.get(scoring__submission=run)
    return [f"{value:.3f}" for value in result.scores.values() if value not in (None, 0, 1)]


def test_a_first_run_is_told_and_what_is_no_better_is_not(runs):
    first, second, worse, other = steps(*runs)
    assert first is not None
    assert (second, worse) == (None, None)
    assert other is not None


@pytest.mark.thorough
def test_a_run_is_decided_once_and_never_again(ladder, runs):
    before = list(LadderStep.objects.order_by("pk").values_list("pk", "shown"))
    made(ladder)
    assert list(LadderStep.objects.order_by("pk").values_list("pk", "shown")) == before


@pytest.mark.thorough
def test_withdrawing_the_best_gives_no_team_a_new_first_run(ladder, runs, team, alice):
    changing.withdraw(runs[:1], by=alice)
    again = make_run(ladder, team, PARTLY_RIGHT | {"note.txt": "third"})
    made(ladder)
    assert steps(again) == [None]


@pytest.mark.thorough
def test_its_page_says_so_to_the_team_and_nothing_else(as_alice, runs):
    page = text(as_alice.get(runs[1].get_absolute_url()).content.decode())
    assert NO_BETTER in page
    assert not any(secret in page for secret in secrets(runs[1]))
    page = text(as_alice.get(runs[0].get_absolute_url()).content.decode())
    assert "Your team's best so far: about" in page


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["client", "as_alice", "as_charlie"])
def test_no_address_tells_a_score_before_the_release(request, ladder, runs, who, scenario):
    browser = request.getfixturevalue(who)
    task, phase = ladder.task.slug, ladder.slug
    board = [task, phase, scenario.number]
    compare = reverse("board_compare", args=board)
    closed = [compare, *(reverse(name, args=board) for name in ("board_pairs", *board_pages()))]
    closed += [reverse("board_export", args=[*board, suffix]) for suffix in ("csv", "json", "tex", "md", "svg")]
    for address in closed:
        answer = browser.get(address)
        assert answer.status_code in (403, 404) or answer.url.startswith("/accounts/login/"), address
    pair = f"?a={runs[0].pk}&b={runs[1].pk}"
    assert browser.get(compare + pair).status_code == 403
    for run in runs:
        arguments = [run.pk, scenario.number]
        addresses = [
            run.get_absolute_url(),
            reverse("submission_scores", args=arguments),
            reverse("submission_units", args=arguments),
            reverse("submission_unit", args=[*arguments, "sentence 1"]),
            reverse("submission_export", args=[*arguments, "report.txt"]),
            reverse("run_place", args=arguments),
            reverse("entry", args=[task, phase, run.pk]),
            reverse("submissions", args=[task]),
            reverse("submissions_compare", args=[task]) + f"?run={runs[0].pk}&run={runs[1].pk}",
            *(reverse(name, args=board) for name in ("board",)),
            reverse("board_overview", args=[task, phase]),
            reverse("task", args=[task]),
            reverse("home"),
            *(reverse(name, args=[task]) for name in names_with(Trait.STATIC_PAGE) - board_pages().keys()),
        ]
        for address in addresses:
            told = text(browser.get(address, follow=True).content.decode())
            found = [secret for secret in secrets(run) if secret in told]
            shown = [f"{step.shown:.3f}" for step in LadderStep.objects.exclude(shown=None)]
            assert set(found) <= set(shown), address


@pytest.mark.thorough
def test_the_api_tells_what_the_page_tells(client, ladder, runs, alice):
    headers = {"Authorization": f"Bearer {tokens.make(alice, 'test', 'read upload', None)[1]}"}
    for number, run in enumerate(runs[:3]):
        answer = client.get(f"/api/v1/submissions/{run.pk}", headers=headers).json()
        [scenario] = answer["scenarios"]
        assert (scenario["scores"], scenario["warnings"]) == ([], [])
        assert scenario["ladder"] == {"is_decided": True, "shown": steps(run)[0]}, number
    listed = client.get("/api/v1/tasks/health/submissions", headers=headers).content.decode()
    assert not re.search(r'"value": ?0', listed)
    board = client.get("/api/v1/tasks/health/test/boards/1", headers=headers)
    assert board.status_code == 403


def test_the_board_shows_the_best_that_each_team_was_told(client, ladder, runs, scenario):
    page = client.get(reverse("board", args=[ladder.task.slug, ladder.slug, scenario.number]))
    assert page.status_code == 200
    told = text(page.content.decode())
    assert told.index("Charlie") < told.index("Alice and Bob")
    assert "Second" not in told
    rows = page.context["ladders"][0]["rows"]
    assert [(row.rank, row.n_runs) for _, row in rows] == [(1, 1), (2, 3)]


@pytest.mark.thorough
def test_without_names_the_ladder_has_numbers(client, ladder, runs, scenario):
    ladder.is_anonymous = True
    ladder.save()
    made(ladder)
    told = text(client.get(reverse("board", args=[ladder.task.slug, ladder.slug, 1])).content.decode())
    assert "Alice" not in told
    assert "Charlie" not in told
    assert "Team " in told


@pytest.mark.thorough
@pytest.mark.parametrize("hidden", [{"board_audience": "organisers"}, {"shows_scores": False}])
def test_where_boards_or_scores_are_hidden_the_ladder_is_too(client, as_alice, ladder, runs, hidden):
    Phase.objects.update(**hidden)
    address = reverse("board", args=[ladder.task.slug, ladder.slug, 1])
    assert client.get(address).status_code == 403
    if "shows_scores" in hidden:
        assert NO_BETTER not in as_alice.get(runs[1].get_absolute_url()).content.decode()


def test_organisers_see_all_and_everybody_does_once_results_are_released(client, as_alice, as_olga, ladder, runs):
    board = reverse("board_export", args=[ladder.task.slug, ladder.slug, 1, "csv"])
    scores = reverse("submission_scores", args=[runs[1].pk, 1])
    assert (as_olga.get(board).status_code, as_olga.get(scores).status_code) == (200, 200)
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    assert (client.get(board).status_code, as_alice.get(scores).status_code) == (200, 200)
    page = text(as_alice.get(runs[1].get_absolute_url()).content.decode())
    assert NO_BETTER not in page
    assert any(secret in page for secret in secrets(runs[1]))


@pytest.mark.thorough
def test_runs_of_before_are_decided_when_the_ladder_is_switched_on(phase, team, olga):
    run = make_run(phase, team, PARTLY_RIGHT)
    made(phase)
    assert not LadderStep.objects.exists()
    change(phase, {"is_ladder": True}, by=olga)
    assert Board.objects.get().is_stale
    made(phase)
    assert steps(run) != [None]


@pytest.mark.thorough
def test_with_open_gold_the_ladder_hides_nothing(phase):
    phase.is_ladder = phase.gold_released = True
    assert sees_board(Role.STRANGER, phase)
    assert sees_own_scores(Role.PARTICIPANT, phase)
    assert not sees_ladder(Role.STRANGER, phase)
