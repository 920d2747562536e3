"""Tests how often uploads, and those who wait for one, ask the database: most of its work on the last evening."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.versions import golds_of
from evalsite.submissions.lifecycle import enqueueing
from evalsite.submissions.lifecycle.waiting import QueuePosition, queue_positions
from evalsite.submissions.models import Scoring, Submission
from tests.factories import make_gold, make_run, make_scenario, make_submission, run_files, zip_upload

pytestmark = pytest.mark.django_db
LIVE = {"hx-request": "true"}


@pytest.fixture
def queries():
    return CaptureQueriesContext(connection)


@pytest.fixture
def at_work(settings, monkeypatch, as_alice, team, task, phase):
    """Alice logged in at a site whose processes share a cache, in a phase with three scenarios."""
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
    monkeypatch.setattr(enqueueing, "send_message", lambda *arguments: True)
    for number in (2, 3):
        make_gold(phase, make_scenario(task, number))
    return as_alice


def send(client, phase, team, note: str):
    files = run_files(scenarios=(1, 2, 3)) | {"note.txt": note}
    form = {"team": team.pk, "method": "Rules", "files": zip_upload(files), "anyway": "1"}
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), form)


def test_an_upload_of_three_scenarios_is_taken_in_twenty_queries(at_work, phase, team, queries, clock_queries):
    send(at_work, phase, team, "the first one enters the task")
    with queries:
        assert send(at_work, phase, team, "another one").status_code == 302
    assert Scoring.objects.exclude(enqueued=None).count() == 6
    assert len(queries) <= 20 + clock_queries, [each["sql"] for each in queries]


def test_the_form_is_made_in_ten_queries(at_work, phase, team, queries):
    send(at_work, phase, team, "so that the team is in the task")
    address = reverse("submit", args=[phase.task.slug, phase.slug])
    at_work.get(address)
    with queries:
        assert at_work.get(address).status_code == 200
    assert len(queries) <= 10, [each["sql"] for each in queries]


def test_golds_alone_are_read_where_nothing_related_is_asked_for(phase, queries):
    with queries:
        golds_of([phase.pk], related=())
    [query] = queries
    assert "JOIN" not in query["sql"]


def test_a_page_whose_run_still_waits_asks_for_that_alone(at_work, phase, team, queries):
    send(at_work, phase, team, "it waits")
    run = Submission.objects.get()
    address = f"{run.get_absolute_url()}?seen=queued-queued-queued"
    at_work.get(address, headers=LIVE)
    with queries:
        answer = at_work.get(address, headers=LIVE)
    assert answer["HX-Retarget"] == "#progress-asks"
    assert len([each for each in queries if "submissions_scoring" in each["sql"]]) == 1
    assert len(queries) == 2, [each["sql"] for each in queries]  # who asks, and the state


def test_a_page_whose_run_waits_no_more_is_told_to_load_itself_by_that_alone(as_alice, scored_submission, queries):
    address = f"{scored_submission.get_absolute_url()}?seen=queued"
    as_alice.get(address, headers=LIVE)
    with queries:
        answer = as_alice.get(address, headers=LIVE)
    assert answer["HX-Refresh"] == "true"
    assert "submissions_result" not in "".join(each["sql"] for each in queries)


def test_where_it_still_waits_its_place_in_the_queue_is_told_anew(as_alice, alice, submission, phase, team):
    second = make_submission(phase, team, alice, run_files(relations=""))
    address = f"{second.get_absolute_url()}?seen=queued"
    assert "Next in the queue." not in as_alice.get(address, headers=LIVE).content.decode()
    submission.scorings.update(state=Scoring.State.CANCELLED)
    now = as_alice.get(address, headers=LIVE).content.decode()
    assert 'id="queue-1" hx-swap-oob="true"' in now
    assert "Next in the queue." in now


def test_of_a_run_that_is_not_theirs_nobody_learns_whether_it_waits(as_charlie, submission):
    address = f"{submission.get_absolute_url()}?seen=queued"
    assert as_charlie.get(address, headers=LIVE).status_code == 404


def test_what_comes_behind_seen_gets_into_no_page(as_alice, submission):
    answer = as_alice.get(f'{submission.get_absolute_url()}?seen=queued&scenario="><b>', headers=LIVE)
    assert "<b>" not in answer.content.decode()


def place_of(scoring: Scoring) -> QueuePosition:
    return queue_positions(scoring.submission_id)[scoring.pk]


def test_how_long_scorings_take_is_looked_up_once_for_all_that_wait(submission, phase, team, queries):
    make_run(phase, team, run_files(relations=""))
    ended = timezone.now()
    Scoring.objects.filter(state="scored").update(started=ended - timedelta(seconds=4), finished=ended)
    scoring = submission.scorings.get()
    assert place_of(scoring).wait == timedelta(seconds=4)
    with queries:
        assert place_of(scoring).wait == timedelta(seconds=4)
    assert len(queries) == 1
    cache.clear()  # as ten seconds later
    Scoring.objects.filter(state="scored").update(started=ended - timedelta(seconds=6))
    assert place_of(scoring).wait == timedelta(seconds=6)


def test_that_nothing_was_scored_yet_is_looked_up_once_too(submission, queries):
    assert place_of(submission.scorings.get()).wait is None
    with queries:
        assert place_of(submission.scorings.get()).wait is None
    assert len(queries) == 2  # the scoring, and how many are before it
