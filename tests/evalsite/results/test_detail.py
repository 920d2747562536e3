"""Tests what the pages of a submission and of a team's history show."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.results.page import detail
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.lifecycle.transitions import claim
from evalsite.submissions.lifecycle.waiting import queue_positions
from evalsite.submissions.models import Result, Scoring, Submission
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_submission, run_files, scored, work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def read(as_alice):
    """The text of a page as alice sees it."""
    return lambda address, **headers: unescape(as_alice.get(address, **headers).content.decode())


def test_a_queued_run_shows_its_place_and_asks_for_itself_again(read, submission, phase, team, alice):
    second = make_submission(phase, team, alice, run_files(relations=""))
    assert "Next in the queue" in read(submission.get_absolute_url())
    page = read(second.get_absolute_url())
    assert '<span class="number">1</span> ahead of it in the queue' in page
    assert f'hx-get="{second.get_absolute_url()}?seen=queued"' in page


def test_a_run_may_leave_the_queue_while_its_page_is_made(read, submission, monkeypatch):
    def taken_by_a_worker(of_submission):
        assert claim(submission.scorings.get().pk)
        return queue_positions(of_submission)

    monkeypatch.setattr(detail, "queue_positions", taken_by_a_worker)
    assert "Next in the queue" in read(submission.get_absolute_url())


@pytest.mark.parametrize(("waited", "delay"), [(0, 700), (1, 2000), (3, 3000), (6, 5000), (60, 8000)])
def test_a_waiting_page_asks_soon_at_first_and_then_less_often(read, submission, waited, delay):
    queued = submission.scorings.get().created
    with time_machine.travel(queued + timedelta(seconds=waited), tick=False):
        assert f'hx-trigger="load delay:{delay}ms, every 20s"' in read(submission.get_absolute_url())


def test_the_live_part_comes_alone_until_all_is_done_and_then_the_page_is_loaded_again(as_alice, submission):
    part = as_alice.get(submission.get_absolute_url(), headers={"hx-request": "true"})
    assert part.content.decode().lstrip().startswith('<div id="progress"')
    scored(submission)
    done = as_alice.get(submission.get_absolute_url(), headers={"hx-request": "true"})
    assert done.headers["HX-Refresh"] == "true"


def test_the_live_part_says_the_states_only_if_one_has_changed(as_alice, submission):
    def live(seen: str) -> str:
        address = f"{submission.get_absolute_url()}?seen={seen}"
        return as_alice.get(address, headers={"hx-request": "true"}).content.decode()

    assert "progress-said" not in live("queued")
    Scoring.objects.update(state="running", lease=uuid4(), started=timezone.now())
    assert re.search(r'<p id="progress-said" hx-swap-oob="innerHTML">[^<]*: running\.</p>', live("queued"))
    assert "progress-said" not in live("running")
    assert "Cancel" not in live("queued")  # it stays in its place, with the focus


def test_a_scored_run_shows_scores_counts_labels_and_the_spread_of_its_sentences(read, scored_submission):
    page = read(scored_submission.get_absolute_url())
    assert "0.667" in page  # F1 of the phrases
    assert "Key phrases by label" in page
    assert "family:ehealthkd|" in page
    assert "entirely right" not in page  # of two sentences, while the gold is hidden
    Phase.objects.update(gold_released=True)
    page = read(scored_submission.get_absolute_url())
    assert "Of 2 sentences, 0 are entirely right and 0 have nothing right" in page
    assert "the score counts nothing" not in page
    Result.objects.update(n_units=3)  # which nobody can do, so that pages keep what they make of a result
    caches["pages"].clear()
    assert "1 has none and is left out: the score counts nothing in it." in read(scored_submission.get_absolute_url())


def test_a_perfect_run_says_how_much_its_missing_interval_means(read, phase, team):
    page = read(make_run(phase, team, run_files()).get_absolute_url())
    assert "All 2 sentences agree; with 95 % confidence fewer than 77.6 % of such sentences would not." in page


def test_labels_on_few_items_have_no_interval_and_the_page_says_why(read, scored_submission):
    Phase.objects.update(closes=timezone.now())  # while uploads come, they have no numbers either
    page = read(scored_submission.get_absolute_url())
    table = page[page.index("<h3>Key phrases by label</h3>") : page.index("<h3>Relations by label</h3>")]
    assert 'title="Fewer than 10 in the gold: too few to say how far the score could move."' in table
    assert "(few items)" in table
    assert "Few items: a label with fewer than 10 items in the gold has no interval." in table
    assert "[0.000" not in table


def test_a_refused_run_lists_its_problems_and_says_it_was_not_counted(read, phase, team):
    made = make_run(phase, team, PARTLY_RIGHT | {"output_a_scenario1.txt": "1\t4 8\n"})
    page = read(made.get_absolute_url())
    assert "This upload was not counted" in page
    assert "output_a_scenario1.txt" in page


def test_a_failure_apologises_with_a_reference_and_keeps_the_cause_for_the_organisers(as_olga, read, submission):
    Scoring.objects.update(state="failed", error="disk full in cellar 7")
    page = read(submission.get_absolute_url())
    assert submission.scorings.get().code in page
    assert "cellar" not in page
    assert "cellar 7" in as_olga.get(submission.get_absolute_url()).content.decode()


def test_older_versions_stay_on_the_page(read, scored_submission, phase, scenario, olga):
    candidate = make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
    work_off()
    publish(candidate, by=olga)
    assert "Other versions (1)" in read(scored_submission.get_absolute_url())


def test_the_history_lists_runs_and_draws_how_the_best_score_grew(read, scored_submission, phase, team, task):
    make_run(phase, team, run_files(), method="Perfect")
    page = read(reverse("submissions", args=[task.slug]))
    assert "Perfect" in page
    assert "From 0.500 to 1.000 in 2 runs" in page


def test_the_site_s_own_sample_is_no_step_of_the_chart(read, scored_submission, phase, team, task):
    make_run(phase, team, run_files(), method="Perfect")
    Submission.objects.filter(pk=scored_submission.pk).update(is_sample=True)
    page = read(reverse("submissions", args=[task.slug]))
    assert scored_submission.method in page
    assert "From 0.500" not in page


def test_the_history_costs_the_same_number_of_queries_for_many_runs(
    as_alice, task, phase, team, scored_submission, django_assert_max_num_queries
):
    for number in range(12):
        make_run(phase, team, PARTLY_RIGHT | {"n.txt": str(number)})
    with django_assert_max_num_queries(13):
        as_alice.get(reverse("submissions", args=[task.slug]))


def test_withdrawing_takes_a_run_off_the_board_and_restoring_brings_it_back(as_alice, scored_submission, phase):
    for action, n_entries in (("withdraw", 0), ("restore", 1)):
        as_alice.post(reverse(f"submission_{action}", args=[scored_submission.pk]))
        refresh(Board.objects.get())
        assert len(Edition.objects.get().entries) == n_entries


def test_a_listed_run_is_called_on_the_board_as_soon_as_it_is(
    as_alice, scored_submission, django_capture_on_commit_callbacks
):
    path = reverse("submissions", args=[scored_submission.phase.task.slug])
    assert "on the board" not in as_alice.get(path).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        refresh(Board.objects.get())
    assert "on the board" in as_alice.get(path).content.decode()


@pytest.fixture
def listed(as_alice, team, phase, monkeypatch):
    """The page of this number; the best of the four runs is the first one, and two stand on a page."""
    monkeypatch.setattr("evalsite.results.views.RUNS", 2)
    for number, files in enumerate([run_files(), PARTLY_RIGHT, PARTLY_RIGHT, PARTLY_RIGHT]):
        make_run(phase, team, files | {"README.md": str(number)}, method=f"Run {number}")
    path = reverse("submissions", args=[phase.task.slug])
    return lambda number: as_alice.get(path, {"page": number})


def test_the_newest_runs_come_first_and_each_stands_once(listed):
    methods = [
        [run.submission.method for history in listed(number).context["listing"].histories for run in history.runs]
        for number in (1, 2)
    ]
    assert methods == [["Run 3", "Run 2"], ["Run 1", "Run 0"]]


def test_the_star_is_at_the_best_of_all_runs_whatever_page_it_is_on(listed):
    marked = [
        [
            cell.is_best
            for history in listed(number).context["listing"].histories
            for run in history.runs
            for cell in run.cells
        ]
        for number in (1, 2)
    ]
    assert marked == [[False, False], [False, True]]


def test_pages_lead_to_each_other(listed):
    assert "Page 1 of 2" in listed(1).content.decode()
