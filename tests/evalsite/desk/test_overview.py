"""The overview of a task's desk: what is to be done, what happens, what went wrong, and who is where."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event
from evalsite.desk.overview.days import chart
from evalsite.submissions.models import Scoring
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_organiser,
    make_phase,
    make_run,
    make_submission,
    make_team,
    make_user,
    run_files,
)


@pytest.fixture
def overview(client, task, olga):
    """The words of the page, with single blanks between them."""

    def overview(user=olga):
        client.force_login(user)
        cache.clear()
        return " ".join(client.get(reverse("desk", args=[task.slug])).text.split())

    return overview


@pytest.fixture
def fails(submission):
    submission.scorings.update(state="failed", fault="engine crashed", error="KeyError: 7")
    return submission


def test_an_empty_task_says_what_is_missing_and_nothing_else(overview, task):
    page = overview()
    assert "Missing: A phase (when uploads are accepted)" in page
    assert "Nobody has uploaded anything yet." in page
    assert "No run waits, and none is being scored." in page


@pytest.mark.thorough
def test_parts_with_nothing_to_tell_have_no_heading(overview, scored_submission):
    page = overview()
    for heading in ("Being scored now", "Problems", "Teams without a valid run", "Similar runs"):
        assert heading not in page


@pytest.mark.thorough
def test_what_is_being_scored_is_told_with_its_age(overview, submission):
    Scoring.objects.update(created=timezone.now() - timedelta(hours=5))
    page = overview()
    assert "1 run is waiting." in page
    assert "5 hours ago" in page


@pytest.mark.thorough
def test_what_rests_is_no_longer_said_to_wait(overview, submission):
    Scoring.objects.update(fault="disk full", not_before=timezone.now() + timedelta(hours=1))
    page = overview()
    assert "1 run waits until a problem is solved" in page
    assert "1 scoring waits" in page.partition("Problems")[2]
    assert "tried again in 59 minutes" in page


def test_all_that_failed_of_one_cause_are_scored_again_by_its_button(client, overview, fails, task, olga):
    assert "KeyError: 7" in overview()
    assert client.post(reverse("desk", args=[task.slug]), {"fault": "engine crashed"}).status_code == 302
    assert fails.scorings.get().state == "queued"
    assert Event.objects.get(kind="queued again").actor == olga


def test_a_viewer_reads_what_failed_and_has_no_button(client, overview, fails, task, charlie):
    make_organiser(task, charlie, "viewer")
    page = overview(charlie)
    assert "KeyError: 7" in page
    assert "Score again" not in page
    assert client.post(reverse("desk", args=[task.slug]), {"fault": "engine crashed"}).status_code == 403
    assert fails.scorings.get().state == "failed"


@pytest.mark.thorough
def test_a_team_without_a_score_is_named_until_one_of_its_runs_has_one(overview, submission, phase, team):
    submission.scorings.update(state="refused")
    idle = overview().partition("Teams without a valid run")[2]
    assert "Alice and Bob" in idle
    make_run(phase, team, PARTLY_RIGHT | {"readme.txt": "again"})
    assert "Every team that has uploaded has a valid run." in overview()


def test_a_closed_phase_waits_for_its_release(overview, phase):
    phase.closes = timezone.now() - timedelta(days=3)
    phase.opens = timezone.now() - timedelta(days=9)
    phase.save()
    assert "Test closed 3 days ago; its results are not released." in overview()
    phase.results_released = timezone.now()
    phase.save()
    assert "results are not released" not in overview()


@pytest.mark.thorough
def test_a_candidate_of_gold_waits_for_a_decision(overview, scored_submission, phase, scenario):
    candidate = make_gold(phase, scenario, run_files(relations=""))
    page = overview()
    assert "Test, Scenario 1: gold version 2 is a candidate." in page
    assert reverse("desk_gold_version", args=[phase.task.slug, candidate.pk]) in page


def test_the_number_of_queries_does_not_grow_with_runs_teams_and_phases(client, overview, fails, phase, task):
    with CaptureQueriesContext(connection) as few:
        overview()
    for k in range(3):
        other = make_user(f"Person {k}")
        make_run(phase, make_team(f"Team {k}", other))
        make_submission(phase, make_team(f"Waiting {k}", other), make_user(f"Other {k}"))
        make_phase(task, f"phase-{k}")
    Scoring.objects.filter(state="queued").update(fault="disk full", not_before=timezone.now() + timedelta(hours=1))
    with CaptureQueriesContext(connection) as many:
        overview()
    assert len(many) <= len(few) + 1  # what waits is told for how long


@pytest.mark.thorough
def test_the_busiest_day_is_the_highest_bar_and_a_closing_day_is_marked(phase):
    phase.closes = datetime(2026, 11, 3, 23, 59, tzinfo=UTC)
    days = chart([(date(2026, 11, k), n, 1 if n else 0) for k, n in enumerate([0, 2, 4, 1], start=1)], [phase])
    assert days.finding == "7 uploads in four weeks; most on 3 Nov 2026, when there were 4."
    assert max(days.bars, key=lambda bar: bar.height).when == date(2026, 11, 3)
    assert [(closing.x, closing.label) for closing in days.closings] == [(days.bars[2].middle, "Test closes")]
    assert [bar.n_uploads for bar in days.busy] == [1, 4, 2]
