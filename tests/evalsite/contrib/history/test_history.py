"""Tests how the best score of a board grew: which runs are steps, which steps are real, what the chart holds."""

import re
import shutil
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from evalsite.board_pages.board.visibility import visibility_of
from evalsite.challenges.models import Phase
from evalsite.contrib.history.chart import step_chart
from evalsite.contrib.history.progress import Best, Progress, read_history
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import set_reference, withdraw
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found, run
from tests.evalsite.leaderboard.boards import number_in_order
from tests.factories import make_gold, work_off

PATH = "/tasks/health/test/board/1/history/"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def gold(phase, scenario):
    return make_gold(phase, scenario, found(*range(N_SENTENCES)))


@pytest.fixture
def runs(phase, gold, team, strangers):
    """Four runs a day apart: a weak one, a far better one, a worse one, and one that is better by a sentence."""
    plan = [
        (team, range(9), "Weak"),
        (strangers, range(30), "Leap"),
        (team, range(20), "Behind"),
        (team, range(31), "Bit"),
    ]
    made = [run(phase, each, sentences, method) for each, sentences, method in plan]
    for day, submission in enumerate(made):
        Submission.objects.filter(pk=submission.pk).update(created=NOON + timedelta(days=day))
    recount_all(Board.objects.get())  # the times have changed
    refresh(Board.objects.get())
    return made


def history_of(gold, user=None):
    return read_history(gold, visibility_of(user, gold.phase))


def page(client, status=200) -> str:
    response = client.get(PATH)
    assert response.status_code == status
    return unescape(response.content.decode())


def test_only_runs_that_were_the_best_so_far_are_steps(runs, gold):
    progress = history_of(gold)

    assert [(best.method, best.is_separated) for best in progress.bests] == [
        ("Weak", False),
        ("Leap", True),
        ("Bit", False),
    ]
    assert progress.n_runs == 4
    assert progress.bests[1].difference == pytest.approx(progress.bests[1].score - progress.bests[0].score, abs=0.005)
    low, high = progress.bests[1].difference_interval
    assert 0 < low < progress.bests[1].difference < high


def test_withdrawn_runs_and_references_are_no_steps(runs, gold):
    withdraw(Submission.objects.filter(method="Leap"), by=None)
    set_reference(Submission.objects.get(method="Bit"), "baseline", by=None)
    assert [best.method for best in history_of(gold).bests] == ["Weak", "Behind"]


def test_the_title_says_the_finding(client, runs):
    html = page(client)

    assert (
        "The best F1 rose from 0.367 to 0.873 in 3 days; in 1 of its 2 steps the new best can be told apart from the "
        "one before."
    ) in html
    assert html.count('<g class="best') == 3
    assert html.count("<title") >= 2
    assert "Charlie's team" in html


def test_runs_that_were_no_best_are_faint_dots(client, runs, gold):
    progress = history_of(gold)
    assert [score for _, score in progress.others] == [0.6667]
    html = page(client)
    assert html.count('class="other-run"') == 1
    assert "Faint dots are the other runs." in html


def test_a_run_far_below_the_steps_is_counted_and_not_drawn():
    bests = [Best("a", NOON, "A", "", 0.8, None), Best("b", NOON + timedelta(days=1), "B", "", 0.82, None)]
    others = [(NOON + timedelta(hours=2), 0.81), (NOON + timedelta(hours=3), 0.2), (NOON - timedelta(days=1), 0.8)]
    chart = step_chart(bests, [], NOON + timedelta(days=2), others)
    assert (len(chart.dots), chart.n_below) == (1, 1)
    [(x, y)] = chart.dots
    assert chart.points[0].x < x < chart.points[1].x
    assert chart.points[1].y < y < chart.points[0].y


def test_tests_and_differences_are_said_as_on_the_other_pages(client, runs):
    html = page(client)
    cells = [
        " ".join(cell.split())
        for cell in re.findall(r'<td role="cell" class="num" data-label="p">(.*?)</td>', html, re.S)
    ]
    assert [re.sub(r"<[^>]*>", "", cell).split(" ", 1)[-1].removeprefix("0.001 ") for cell in cells[1:]] == [
        "told apart",
        "not told apart",
    ]
    assert re.search(
        r'data-label="Step">\s*<b>\+0\.\d{2}</b>\s*<span class="interval">\[\+0\.\d{2}, \+0\.\d{2}\]', html
    )
    assert "1 Dec 2026, 12:00 UTC" in html


def test_times_have_no_seconds(client, runs):
    Submission.objects.filter(method="Bit").update(created=NOON + timedelta(days=3, seconds=46))
    html = page(client)
    assert "4 Dec 2026, 12:00 UTC" in html
    assert "12:00:46 UTC" not in html


def test_an_anonymous_history_names_nobody(as_charlie, runs):
    Phase.objects.update(is_anonymous=True)
    number_in_order(Phase.objects.get())

    html = page(as_charlie)

    assert "Team 1" in html
    assert "Team 2" in html
    assert "Alice" not in html
    assert "Weak" not in html
    assert "Leap" in html  # charlie's own
    for submission in runs:
        assert str(submission.pk) not in html
        assert str(submission.team_id) not in html


def test_a_board_without_runs_has_no_history_yet(client, phase):
    assert "No history yet" in page(client)


def test_one_run_alone_is_the_best_so_far(client, phase, gold, team):
    run(phase, team, range(9))
    refresh(Board.objects.get())
    assert "0.367 is the best F1 so far, from one run." in page(client)


def test_a_step_whose_resamples_are_gone_is_not_tested(client, runs, gold, settings):
    result = runs[1].scorings.get(gold=gold).result
    result.evaluation.storage.delete(result.evaluation.name)
    shutil.rmtree(settings.CACHE_DIR)  # where they are kept at hand, too

    assert [best.p for best in history_of(gold).bests] == [None, None, None]
    html = page(client)
    assert "The best F1 rose from 0.367 to 0.873 in 3 days; none of its steps is tested." in html
    assert "A step without p is not tested" in html


def test_the_page_costs_a_constant_number_of_queries(client, runs, django_assert_max_num_queries):
    refresh(Board.objects.get())
    with django_assert_max_num_queries(15):
        page(client)


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("F1", "best F1 "),
        ("Mean reciprocal rank", "best mean reciprocal rank "),
        ("CoNLL average", "best CoNLL average "),
        ("Entities, F1", "best score (Entities, F1) "),
        ("Categories", "best score (Categories) "),
    ],
)
def test_the_title_of_a_score_fits_into_the_sentence(title, shown):
    progress = Progress([best(0, 0.5), best(1, 0.6)], 2, 0, 0.95)
    assert shown in progress.finding(title)


def test_an_error_falls():
    progress = Progress([best(0, 0.6), best(1, 0.5)], 2, 0, 0.95, lower_is_better=True)
    assert "fell from" in progress.finding("Mean absolute error")


def test_a_candidate_changes_no_step_until_it_is_published(client, runs, phase, scenario):
    before = page(client)
    candidate = make_gold(phase, scenario, found(*range(3)))
    work_off()
    assert page(client) == before
    publish(candidate, by=None)
    assert "4 runs on the gold that ranks" in re.sub(r"\s+", " ", page(client))


def test_a_copy_of_an_open_gold_is_no_step(client, phase, gold, team, strangers):
    Phase.objects.update(gold_released=True, gold_released_since=None)
    phase.refresh_from_db()
    run(phase, team, range(9), "Weak")
    run(phase, strangers, range(N_SENTENCES), "Copy")
    refresh(Board.objects.get())
    assert "1.000" not in page(client)


# The chart


def best(days: float, score: float) -> Best:
    return Best("", NOON + timedelta(days=days), "Team", "", score, (score - 0.03, score + 0.03))


def test_the_line_steps_up_at_each_best_and_runs_on_until_now():
    chart = step_chart([best(0, 0.5), best(2, 0.6)], [], NOON + timedelta(days=4))

    first, second = chart.points
    assert first.y > second.y
    assert second.low > second.y > second.high
    assert second.x - first.x == pytest.approx(chart.right - second.x, abs=0.2)
    assert chart.path == f"M{first.x} {first.y} H{second.x} V{second.y} H{chart.right}"


def test_labels_at_the_end_keep_a_line_apart():
    chart = step_chart([best(0, 0.5)], [("baseline", 0.499), ("human", 0.501)], NOON)

    heights = [label.y for label in chart.labels]
    assert [label.css for label in chart.labels] == ["is-human", "is-best", "is-baseline"]
    assert all(below - above >= 15 for above, below in zip(heights, heights[1:], strict=False))


@pytest.mark.parametrize("days", [0, 0.01, 1, 9, 40, 400, 4000])
def test_dates_are_a_handful_inside_the_chart(days):
    chart = step_chart([best(0, 0.5), best(days, 0.6)], [], NOON + timedelta(days=days))

    assert len(chart.x_ticks) <= 7
    assert all(chart.left <= x <= chart.right for x, _ in chart.x_ticks)
