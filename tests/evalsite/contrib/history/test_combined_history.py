"""The history of a combined score, as the worker that makes its board finds it."""

import re

import pytest

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase
from evalsite.leaderboard.tasks import refresh_combined
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import withdraw
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import number_in_order
from tests.evalsite.leaderboard.test_combined import BOARD, PATH, make_boards, make_combined, table, upload

HISTORY = f"{BOARD}history/"


@pytest.mark.thorough
def test_the_history_has_a_step_at_each_upload_that_made_a_better_combined_score(client, babel):
    make_combined(babel, formula="mean(*.score)")
    steps = client.get(HISTORY).context["progress"].bests
    # Ada was first with both languages; Bo's 0.5 and 0.7 make less, and Cleo lacks one.
    assert [step.name for step in steps] == ["Team Ada"]

    upload(babel, Team.objects.get(name="Team Bo"), 1, table(0.9, 2), extra=0.9)
    upload(babel, Team.objects.get(name="Team Bo"), 2, table(0.3, 2), extra=0.3)  # no better than Bo's run before
    make_boards(babel)
    refresh_combined(str(babel.pk))
    answer = client.get(HISTORY)
    first, second = answer.context["progress"].bests
    assert (first.name, second.name) == ("Team Ada", "Team Bo")
    assert second.score == pytest.approx((0.9 + 0.7) / 2, abs=0.01)
    assert second.interval[0] < second.score < second.interval[1]
    assert second.difference_interval[0] < second.difference < second.difference_interval[1]
    assert second.is_separated
    words = text(answer.content.decode())
    assert "The best combined score rose from 0.7" in words
    assert "boards of former days are not stored" in words


@pytest.mark.thorough
def test_a_step_whose_run_is_withdrawn_leaves_the_history_at_once(client, babel):
    make_combined(babel, formula="mean(*.score)")
    run = Submission.objects.get(team__name="Team Ada", scorings__scenario__number=2)
    withdraw([run], by=run.uploader)
    assert client.get(HISTORY).context["progress"] is None
    make_boards(babel)
    refresh_combined(str(babel.pk))
    assert [step.name for step in client.get(HISTORY).context["progress"].bests] == ["Team Bo"]


def test_the_history_is_as_hidden_as_its_board_and_names_nobody_where_the_board_does_not(client, babel):
    make_combined(babel, formula="mean(*.score)/3")
    step = client.get(HISTORY).context["progress"].bests[0]
    assert step.score == round(step.score, 4)
    Phase.objects.update(is_anonymous=True)
    number_in_order(Phase.objects.get())
    answer = client.get(HISTORY)
    step = answer.context["progress"].bests[0]
    assert re.fullmatch(r"Team \d", step.name)
    assert (step.method, step.when.hour, step.when.minute, step.when.second) == ("", 0, 0, 0)
    assert "Team Ada" not in answer.content.decode()
    Phase.objects.update(is_anonymous=False, board_audience=Phase.Audience.ORGANISERS)
    assert client.get(HISTORY).status_code == 403


@pytest.mark.thorough
def test_while_the_gold_is_hidden_two_runs_of_one_team_are_not_tested_in_the_history(client, as_olga, babel):
    upload(babel, Team.objects.get(name="Team Ada"), 2, table(0.9, 3), extra=0.9)
    make_boards(babel)
    make_combined(babel, formula="mean(*.score)")
    step = client.get(HISTORY).context["progress"].bests[1]
    assert (step.p, step.difference_interval) == (None, None)
    assert "none of its steps is tested." in text(page(client, path=HISTORY))
    assert as_olga.get(HISTORY).context["progress"].bests[1].p is not None


@pytest.mark.thorough
def test_where_the_last_run_counts_the_history_goes_by_the_last_one_too(client, babel):
    Phase.objects.update(counts=Phase.Counts.LAST)
    ada = Team.objects.get(name="Team Ada")
    upload(babel, ada, 1, table(0.1, 3))
    upload(babel, ada, 2, table(0.9, 3), extra=0.9)
    make_boards(babel)
    make_combined(babel, formula="mean(*.score)")
    # By the best of both languages there would be a second step, to 0.85.
    assert [round(step.score, 1) for step in client.get(HISTORY).context["progress"].bests] == [0.7]


@pytest.mark.thorough
def test_mean_ranks_have_no_history_as_they_are_among_the_teams_of_their_day(client, babel):
    make_combined(babel, kind="ranks", missing="last")
    assert client.get(HISTORY).status_code == 404
    assert "History" not in [title for title, _address, _is_here in client.get(BOARD).context["board_pages"]]
    tabs = client.get(f"{PATH}1/history/").context["tabs"]["Scenario"]
    assert tabs[0][1] == BOARD


@pytest.mark.thorough
def test_the_history_costs_a_constant_number_of_queries(client, babel, django_assert_max_num_queries):
    make_combined(babel, formula="mean(*.score)")
    client.get(BOARD)
    with django_assert_max_num_queries(14):
        assert client.get(HISTORY).status_code == 200
