"""Tests what a scoring may take, what happens to one that wants more, and how many of one person run at a time."""

import re
from datetime import timedelta
from html import unescape
from itertools import pairwise

import pytest
import time_machine
from django.utils import timezone

from evalsite.submissions import quotas
from evalsite.submissions.checking import quick_check
from evalsite.submissions.lifecycle import scorer, transitions, waiting
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Scoring
from evalsite.submissions.uploads import as_upload
from tests.factories import (
    PARTLY_RIGHT,
    long_run,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    run_files,
    zip_upload,
)
from tests.workers import states, wait_for

pytestmark = pytest.mark.django_db
N_PHRASES = 800_000


def bomb() -> dict[str, str]:
    """2 MB as an archive, 18 MB inflated, so that nothing looks at it before the worker."""
    phrases = "".join(f"{number}\t0 3\tConcept\tLas\n" for number in range(N_PHRASES))
    return PARTLY_RIGHT | {"output_a_scenario1.txt": phrases, "output_b_scenario1.txt": ""}


@pytest.fixture
def little_memory(settings, all_limits):
    settings.SCORING_MEMORY_BYTES = 64 * 1024**2


@pytest.fixture
def breaking(phase, team, alice, little_memory) -> Scoring:
    """A scoring that wants too much memory."""
    scoring = make_submission(phase, team, alice, bomb()).scorings.get()
    scorer.score(scoring.pk)
    scoring.refresh_from_db()
    return scoring


def test_an_ordinary_run_has_room_enough(submission, little_memory):
    assert scorer.score(submission.scorings.get().pk) == "scored"


@pytest.mark.django_db(transaction=True)  # the heartbeat writes beside the test
def test_what_wants_too_much_is_refused_with_what_to_do_and_nobody_is_mailed(breaking, mailoutbox, as_alice):
    assert (breaking.state, breaking.attempts, breaking.broke_limits) == ("refused", 1, True)
    [problem] = breaking.problems
    assert "Scoring these files needs more memory than it may use (64 MB), so it was stopped." in problem["message"]
    assert "Look for lines, annotations or labels" in problem["message"]
    assert not mailoutbox
    page = re.sub(r"\s+", " ", unescape(as_alice.get(breaking.submission.get_absolute_url()).content.decode()))
    assert "more memory than it may use (64 MB)" in page
    assert (
        "The first time this happens to a team in a phase, the upload is not counted; every further time uses" in page
    )


def test_one_that_takes_too_long_is_refused_too(submission, settings):
    settings.SCORING_SECONDS, settings.N_RESAMPLES = 0.02, 1_000_000
    assert scorer.score(submission.scorings.get().pk) == "refused"
    assert "more time than it may take" in submission.scorings.get().problems[0]["message"]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)  # the heartbeat writes beside the test
def test_of_a_team_the_first_that_breaks_the_limits_is_free_and_the_second_counts(breaking, phase, team, bob):
    phase.window_limit = 5
    assert quotas.quota(phase, team, timezone.now()).left == 5
    again = make_submission(phase, team, bob, bomb() | {"n.txt": "2"})
    scorer.score(again.scorings.get().pk)
    assert quotas.quota(phase, team, timezone.now()).left == 4
    assert quotas.quota(phase, make_team("Others"), timezone.now()).left == 5


def test_an_ordinary_refusal_counts_as_little_as_ever(phase, team):
    phase.window_limit = 5
    for number in range(2):
        bad = PARTLY_RIGHT | {"output_a_scenario1.txt": "1\t4 8\tConcept\n", "n.txt": str(number)}
        make_run(phase, team, bad)
    assert states() == {"refused"}
    assert quotas.quota(phase, team, timezone.now()).left == 5


def test_a_check_counts_the_members_of_an_archive_and_opens_it_no_second_time(phase, monkeypatch):
    """Another phase is there, for which the archive could have been made."""
    make_gold(make_phase(phase.task, "other"), phase.task.scenarios.get())
    monkeypatch.setattr(quick_check, "made_for", None)
    with as_upload([zip_upload(dict.fromkeys(map(str, range(20_001)), ""))]) as upload:
        [part] = quick_check.check(phase, upload, list(phase.task.scenarios.all()), [])
    assert [problem.message for problem in part.problems] == ["the archive has more than 20000 members"]


@pytest.mark.thorough
def test_an_archive_that_inflates_to_far_more_than_the_gold_is_refused_before_it_is_read(phase, team):
    notes = PARTLY_RIGHT | {"notes.txt": "".join(f"{number}\n" for number in range(2_900_000))}
    scoring = make_run(phase, team, notes).scorings.get()
    assert scoring.state == "refused"
    assert "inflates to more than 20 MB" in scoring.problems[0]["message"]
    assert not scoring.broke_limits


def test_organisers_are_mailed_once_an_hour_of_the_failures_of_a_task(
    phase, team, alice, strangers, charlie, mailoutbox
):
    made = [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}).scorings.get() for n in range(3)]
    for scoring in made[:2]:
        transitions.fail(transitions.claim(scoring.pk), "broken", final=True)
    assert len(mailoutbox) == 1
    assert "are not mailed within the next hour" in mailoutbox[0].body
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        transitions.fail(transitions.claim(made[2].pk), "broken", final=True)
    assert len(mailoutbox) == 2


class TestOneOfAPersonAtATime:
    @pytest.fixture
    def two(self, phase, team, alice) -> list[Scoring]:
        made = [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(2)]
        scorings = [submission.scorings.get() for submission in made]
        Scoring.objects.update(enqueued=timezone.now())
        return scorings

    def test_the_second_waits_and_is_next_when_the_first_has_ended(self, two):
        first, second = two
        running = transitions.claim(first.pk)
        assert scorer.score(second.pk) == ""
        assert waiting.next_of_person(first.pk) == [], "not while the first one runs"
        transitions.fail(running, "broken", final=True)
        assert waiting.next_of_person(first.pk) == [second.pk]
        assert scorer.score(second.pk) == "scored"

    def test_the_reaper_leaves_it_waiting(self, two):
        transitions.claim(two[0].pk)
        transitions.claim(two[1].pk)
        Scoring.objects.update(created=timezone.now() - timedelta(hours=1))
        assert waiting.reap() == []

    def test_the_reaper_finds_it_when_the_worker_of_the_first_has_died(self, two):
        transitions.claim(two[0].pk)
        transitions.claim(two[1].pk)
        now = timezone.now()
        Scoring.objects.update(created=now - timedelta(hours=1))
        Scoring.objects.filter(pk=two[0].pk).update(lease_ends=now - timedelta(seconds=1))
        assert set(waiting.reap()) == {two[0].pk, two[1].pk}

    def test_it_is_the_person_that_counts_not_the_team(self, two, phase, team, bob, strangers, alice, charlie):
        transitions.claim(two[0].pk)
        for each, person in ((team, bob), (strangers, charlie)):
            scoring = make_submission(phase, each, person, run_files(relations="")).scorings.get()
            assert transitions.claim(scoring.pk), person
        own = make_submission(phase, make_team("Another of alice", alice), alice).scorings.get()
        assert transitions.claim(own.pk) is None

    def test_runs_that_were_scored_before_are_scored_again_by_all_workers(self, two, phase, scenario):
        for scoring in two:
            scorer.score(scoring.pk)
        gold = make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        again = [
            Scoring.objects.create(submission=each.submission, scenario=scenario, gold=gold, engine_version="1")
            for each in two
        ]
        assert all(transitions.claim(scoring.pk) for scoring in again)
        new = make_submission(phase, two[0].submission.team, two[0].submission.uploader, run_files()).scorings.first()
        assert transitions.claim(new.pk), "and they keep nobody from a first scoring"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_scenarios_of_one_upload_come_one_after_the_other_without_a_wait(celery, team, alice):
    task = make_task("three", title="Three")
    scenarios = [make_scenario(task, number, options={"scenario": str(number)}) for number in (1, 2, 3)]
    phase = make_phase(task)
    for scenario in scenarios:
        make_gold(phase, scenario)
    made = make_submission(phase, team, alice, run_files(scenarios=(1, 2, 3)), scenarios=scenarios)
    with celery("worker", "--concurrency", "2"):  # without beat, which would find what is forgotten
        enqueue(made.scorings.values_list("pk", flat=True))
        wait_for(lambda: states() == {"scored"})
    began = [(scoring.started, scoring.finished) for scoring in made.scorings.order_by("started")]
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(began))


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_memory_bomb_and_an_endless_job_are_refused_while_others_are_scored(
    celery, phase, team, alice, strangers, charlie, all_limits
):
    bombing = make_submission(phase, team, alice, bomb()).scorings.get()
    endless = endless_scoring(strangers, charlie)
    dora = make_user("Dora")
    honest = make_submission(phase, make_team("Dora's", dora), dora).scorings.get()
    limits = {"SCORING_MEMORY_MB": "128", "SCORING_TIME_LIMIT": "8", "N_RESAMPLES": "300000"}
    with celery("worker", "--concurrency", "2", **limits), celery("beat"):
        enqueue([endless.pk, bombing.pk, honest.pk])
        wait_for(lambda: not states() & {"queued", "running"})
    for scoring in (bombing, endless, honest):
        scoring.refresh_from_db()
    assert (bombing.state, endless.state, honest.state) == ("refused", "refused", "scored")
    assert "more memory than it may use (128 MB)" in bombing.problems[0]["message"]
    assert "more time than it may take (8 seconds)" in endless.problems[0]["message"]
    assert honest.finished < endless.finished
    assert endless.finished - endless.started > timedelta(seconds=7.9), "longer than a lease"
    assert {scoring.attempts for scoring in (bombing, endless, honest)} == {1}, "no lease was lost"


def endless_scoring(team, person) -> Scoring:
    """With as many resamples thirty thousand sentences take minutes, and two next to nothing."""
    task = make_task("long", title="Long")
    scenario = make_scenario(task)
    phase = make_phase(task)
    files = long_run(30_000)
    make_gold(phase, scenario, files)
    return make_submission(phase, team, person, files, scenarios=[scenario]).scorings.get()
