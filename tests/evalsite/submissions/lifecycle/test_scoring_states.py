"""A scoring's life: claimed once, scored once, refused, failed, taken back from the dead."""

import hashlib
import json
import threading
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import scoring as engine
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Gold
from evalsite.jobs import sandbox
from evalsite.submissions import quotas
from evalsite.submissions.lifecycle import scorer, transitions, waiting
from evalsite.submissions.lifecycle.rescoring import score_again
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.runs import changing
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    run_files,
    scored,
)

pytestmark = pytest.mark.django_db


def test_a_queued_scoring_is_scored_with_intervals(submission):
    scoring = submission.scorings.get()
    assert scorer.score(scoring.pk) == "scored"
    result = Result.objects.get(scoring=scoring)
    assert result.scores["f1_a"] == pytest.approx(2 * (3 / 5) * (3 / 4) / (3 / 5 + 3 / 4))
    assert result.n_resamples == 200
    assert result.signature.startswith("family:ehealthkd|")


def test_a_scored_scoring_is_not_scored_again(scored_submission):
    scoring = scored_submission.scorings.get()
    assert scorer.score(scoring.pk) == ""
    assert Result.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_workers_that_claim_at_once_one_succeeds(submission):
    pk = submission.scorings.get().pk
    start, claims = threading.Barrier(6), []

    def claim():
        start.wait()
        claims.append(transitions.claim(pk))
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(claimed is not None for claimed in claims) == 1


def test_an_invalid_file_is_refused_with_its_problems(phase, team, alice):
    bad = PARTLY_RIGHT | {"output_a_scenario1.txt": "1\t4 8\tConcept\n"}
    scoring = make_submission(phase, team, alice, bad).scorings.get()
    assert scorer.score(scoring.pk) == "refused"
    scoring.refresh_from_db()
    [problem] = scoring.problems
    assert (problem["file"], problem["line"]) == ("output_a_scenario1.txt", 1)


def test_a_crash_of_the_engine_is_tried_three_times_and_then_told_to_the_organiser_only(
    submission, mailoutbox, monkeypatch
):
    monkeypatch.setattr(
        sandbox, "child", Mock(side_effect=sandbox.Crashed("The engine ended with signal 11 (SIGSEGV)."))
    )
    scoring = submission.scorings.get()
    states = [scorer.score(scoring.pk) for _ in range(3)]
    scoring.refresh_from_db()
    assert states == ["queued", "queued", "failed"]
    assert (scoring.fault, scoring.attempts, scoring.rests) == ("engine crashed", 3, 0)
    [mail] = mailoutbox
    assert mail.to == ["olga@example.org"]
    assert scoring.code in mail.body
    assert "SIGSEGV" in mail.body
    assert scoring.problems == []


def test_broken_gold_fails_at_once_because_trying_again_cannot_help(submission):
    gold = submission.scorings.get().gold
    Path(gold.file.path).unlink()
    Path(gold.file.path).write_bytes(b"no archive")
    Gold.objects.update(sha256=hashlib.sha256(b"no archive").hexdigest())
    assert scorer.score(submission.scorings.get().pk) == "failed"
    assert submission.scorings.get().fault == "gold broken"


@pytest.mark.thorough
def test_a_late_answer_of_a_worker_that_lost_its_lease_is_dropped(submission):
    scoring = submission.scorings.get()
    slow = transitions.claim(scoring.pk)
    Scoring.objects.update(lease_ends=timezone.now() - timedelta(seconds=1))
    assert waiting.reap() == [scoring.pk]
    quick = transitions.claim(scoring.pk)
    assert transitions.fail(slow, "too late", final=True) == ""
    scoring.refresh_from_db()
    assert (scoring.state, scoring.lease) == ("running", quick.lease)


def test_the_scoring_of_a_dead_worker_is_queued_again(submission):
    transitions.claim(submission.scorings.get().pk)
    assert waiting.reap() == []
    Scoring.objects.update(lease_ends=timezone.now() - timedelta(seconds=1))
    assert waiting.reap() == [submission.scorings.get().pk]
    assert submission.scorings.get().state == "queued"


@pytest.mark.thorough
def test_a_failure_is_kept_when_no_mail_can_be_sent(submission, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert transitions.fail(transitions.claim(submission.scorings.get().pk), "broken", final=True) == "failed"


@pytest.mark.thorough
def test_a_scoring_that_kills_each_worker_fails_after_three_attempts(submission, mailoutbox):
    pk = submission.scorings.get().pk
    for _ in range(3):
        transitions.claim(pk)
        Scoring.objects.update(lease_ends=timezone.now() - timedelta(seconds=1))
        waiting.reap()
    scoring = submission.scorings.get()
    assert (scoring.state, scoring.attempts) == ("failed", 3)
    assert len(mailoutbox) == 1
    assert waiting.reap() == []


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_renews_the_lease_and_tells_the_step(submission, settings):
    settings.LEASE = timedelta(seconds=0.6)
    claimed = transitions.claim(submission.scorings.get().pk)
    first = claimed.lease_ends
    renewed = threading.Event()
    with transitions.heartbeat(claimed) as on_step:
        on_step("matching")
        for _ in range(100):
            row = submission.scorings.get()
            if row.lease_ends > first and row.step:
                renewed.set()
                break
            threading.Event().wait(0.05)
    assert renewed.is_set()
    assert row.step == "matching"


class TestForgotten:
    """These test which queued scorings the reaper tells the broker of."""

    @pytest.fixture
    def queued(self, submission) -> Scoring:
        return submission.scorings.get()

    def age(self, scoring: Scoring, **ages: int) -> None:
        now = timezone.now()
        Scoring.objects.filter(pk=scoring.pk).update(
            **{name: now - timedelta(seconds=seconds) for name, seconds in ages.items()}
        )

    def test_a_new_one_is_left_to_its_own_process(self, queued):
        assert waiting.reap() == []

    @pytest.mark.thorough
    def test_one_that_was_never_told_is_told(self, queued):
        Scoring.objects.update(enqueued=None)
        assert waiting.reap() == [], "its own process may be about to"
        self.age(queued, created=10)
        assert waiting.reap() == [queued.pk]

    @pytest.mark.thorough
    def test_one_of_a_process_whose_clock_is_ahead_is_told_too(self, queued):
        Scoring.objects.update(enqueued=None)
        self.age(queued, created=-3600)
        assert waiting.reap() == [queued.pk]

    def test_one_whose_message_is_lost_is_told_again_when_nobody_works(self, queued):
        self.age(queued, created=40, enqueued=40)
        assert waiting.reap() == [queued.pk]

    @pytest.mark.thorough
    def test_one_that_waits_its_turn_is_not_told_twice(self, queued, phase, strangers, charlie):
        self.age(queued, created=40, enqueued=40)
        older = make_submission(phase, strangers, charlie, run_files(relations="")).scorings.get()
        self.age(older, created=60, enqueued=60)
        transitions.claim(older.pk)
        assert waiting.reap() == []

    @pytest.mark.thorough
    def test_one_that_was_overtaken_is_told_again(self, queued, phase, strangers, charlie):
        self.age(queued, created=60, enqueued=60)
        younger = make_submission(phase, strangers, charlie, run_files(relations="")).scorings.get()
        self.age(younger, created=40, enqueued=40)
        transitions.claim(younger.pk)
        assert waiting.reap() == [queued.pk]


class TestAgain:
    def test_a_score_that_stands_is_not_queued_again(self, scored_submission, olga):
        assert score_again([scored_submission], by=olga) == []

    def test_a_failed_one_gets_its_attempts_again(self, submission, olga):
        Scoring.objects.update(state="failed", attempts=3, error="MemoryError")
        [key] = score_again([submission], by=olga)
        scoring = Scoring.objects.get(pk=key)
        assert (scoring.state, scoring.attempts, scoring.error) == ("queued", 0, "")

    def test_a_refused_one_stays_refused_by_the_gold_and_engine_that_refused_it(self, submission, olga):
        Scoring.objects.update(state="refused", attempts=1, problems=[{"message": "x"}])
        assert score_again([submission], by=olga) == []
        assert submission.scorings.get().state == "refused"

    @pytest.mark.thorough
    def test_a_refused_one_is_tried_on_newer_gold(self, submission, phase, scenario, olga):
        Scoring.objects.update(state="refused")
        gold = make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        [key] = score_again([submission], by=olga)
        assert Scoring.objects.get(pk=key).gold == gold

    @pytest.mark.thorough
    def test_a_refused_one_is_tried_by_a_newer_engine(self, submission, olga):
        Scoring.objects.update(state="refused", engine_version="0.9")
        [key] = score_again([submission], by=olga)
        assert Scoring.objects.get(pk=key).engine_version == engine.__version__

    @pytest.mark.thorough
    def test_a_cancelled_one_stays_cancelled_on_newer_gold_too(self, submission, phase, scenario, olga, alice):
        changing.cancel([submission], by=alice)
        assert score_again([submission], by=olga) == []
        make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        assert score_again([submission], by=olga) == []
        assert submission.scorings.get().state == "cancelled"

    @pytest.mark.thorough
    def test_what_the_organisers_stop_from_being_scored_again_can_be_chosen_once_more(
        self, scored_submission, phase, scenario, olga
    ):
        make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        score_again([scored_submission], by=olga)
        assert changing.cancel([scored_submission], by=olga, side="organisers") == 1
        assert scored_submission.scorings.get().state == "scored"
        assert len(score_again([scored_submission], by=olga)) == 1

    @pytest.mark.thorough
    def test_a_team_cannot_stop_its_run_from_being_scored_again(self, scored_submission, phase, scenario, olga, alice):
        make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        score_again([scored_submission], by=olga)
        assert changing.cancel([scored_submission], by=alice) == 0

    @pytest.mark.thorough
    def test_many_runs_cost_no_more_queries_than_few(self, submission, phase, team, alice, olga):
        made = [submission]
        made += [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(9)]
        costs = []
        for chosen in (made[:2], made):
            Scoring.objects.update(state="failed")
            with CaptureQueriesContext(connection) as queries:
                assert len(score_again(chosen, by=olga)) == len(chosen)
            costs.append(len(queries))
        assert costs[0] == costs[1]

    def test_new_gold_adds_a_scoring_and_keeps_the_old_result(self, scored_submission, phase, scenario, olga):
        make_gold(phase, scenario, run_files(relations="in-place\t4\t5\n"))
        [key] = score_again([scored_submission], by=olga)
        scorer.score(key)
        assert sorted(Result.objects.values_list("scoring__gold__version", flat=True)) == [1, 2]

    def test_cancelling_stops_what_is_queued_and_frees_its_place(self, submission, alice, phase, team):
        phase.window_limit = 5
        assert quotas.quota(phase, team, timezone.now()).left == 4
        assert changing.cancel([submission], by=alice) == 1
        assert scorer.score(submission.scorings.get().pk) == ""
        assert quotas.quota(phase, team, timezone.now()).left == 5


@pytest.mark.thorough
def test_a_headline_that_single_units_do_not_have_is_stored_without_their_distribution(alice, tmp_path):
    task = make_task("announcements")
    scenario = make_scenario(task, family="spacy", options={"scores": [{"name": "textcat_multilabel"}]})
    phase = make_phase(task)
    lines = [json.dumps({"id": i, "words": ["x"], "cats": {"A": float(i % 2)}}) for i in range(4)]
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    add_gold(phase, scenario, path, path.name, by=None)
    submission = scored(make_submission(phase, make_team("Team", alice), alice, {"run.jsonl": path.read_text()}))
    result = submission.scorings.get().result
    assert result.headline == 1
    assert not any(result.distribution)


def test_stored_tables_keep_the_order_of_their_columns(scored_submission):
    result = Result.objects.get()
    assert list(result.tables["entity_labels"][0])[:3] == ["label", "gold", "system"]
