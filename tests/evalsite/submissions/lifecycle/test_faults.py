"""Faults of the machine use up no attempts: what they stop rests, is told of once an hour, and goes on by itself."""

import errno
import os
import shutil
import signal
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.rates import counted
from evalsite.base.faults import Fault
from evalsite.challenges.models import Event, Gold
from evalsite.jobs import sandbox
from evalsite.submissions.lifecycle import scorer, transitions, waiting, worker_start
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.lifecycle.lost_processes import ScoringRequest
from evalsite.submissions.lifecycle.rescoring import score_again_after
from evalsite.submissions.lifecycle.scorer import with_retries
from evalsite.submissions.models import Result, Scoring
from tests.factories import PARTLY_RIGHT, make_gold, make_organiser, make_submission, make_user, zip_upload
from tests.workers import states, wait_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("administering")]
TROUBLES = reverse("organise_troubles")


@pytest.fixture
def scoring(submission) -> Scoring:
    return submission.scorings.get()


@pytest.fixture
def several(phase, team, alice) -> list[Scoring]:
    made = [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(3)]
    return [submission.scorings.get() for submission in made]


@pytest.fixture
def disk(monkeypatch):
    """Full from `fill` on until `clear`."""

    class Disk:
        def fill(self):
            full = OSError(errno.ENOSPC, "No space left on device")
            monkeypatch.setattr("evalsite.challenges.storage.files.DurableStorage.save", Mock(side_effect=full))

        def clear(self):
            monkeypatch.undo()

    return Disk()


def engine_that(evaluates):
    """Take the place of `sandbox.child`, with this instead of the engine's answers."""

    @contextmanager
    def child(*args, **kwargs):
        yield evaluates

    return child


def awake() -> None:
    """Make it as if all had rested long enough."""
    a_moment_ago = timezone.now() - timedelta(seconds=1)  # databases do not count microseconds
    Scoring.objects.exclude(not_before=None).update(not_before=a_moment_ago)


class TestResting:
    def test_a_full_disk_uses_up_no_attempt_and_the_run_is_scored_when_there_is_room(self, scoring, disk):
        disk.fill()
        for n_rests in range(1, 5):
            pause = n_rests * transitions.MIN_BACKOFF
            before = timezone.now()
            assert scorer.score(scoring.pk) == "queued"
            scoring.refresh_from_db()
            assert (scoring.fault, scoring.attempts, scoring.rests) == ("disk full", 0, n_rests)
            assert pause <= scoring.not_before - before < pause + timedelta(seconds=10)
            assert "No space left" in scoring.error
            awake()
        disk.clear()
        assert scorer.score(scoring.pk) == "scored"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.error, scoring.not_before, scoring.attempts) == ("", "", None, 1)

    def test_who_rests_is_neither_claimed_nor_told_to_the_broker_before_it_is_due(self, several, disk):
        scoring, other, _ = several
        disk.fill()
        for each in (scoring, other):
            scorer.score(each.pk)
        Scoring.objects.update(created=timezone.now() - timedelta(days=2))
        assert transitions.claim(scoring.pk) is None
        assert scoring.pk not in waiting.reap()
        awake()
        assert scoring.pk in waiting.reap()
        assert transitions.claim(scoring.pk)

    @pytest.mark.thorough
    @pytest.mark.parametrize("hours", [2, -2])
    def test_a_rest_goes_by_the_clock_of_the_database_whatever_that_of_the_worker_says(self, scoring, disk, hours):
        disk.fill()
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            scorer.score(scoring.pk)
            assert transitions.claim(scoring.pk) is None, "it rests"
        scoring.refresh_from_db()
        assert abs(scoring.not_before - timezone.now()) < timedelta(hours=1)

    @pytest.mark.thorough
    def test_the_longest_rest_is_ten_minutes_so_that_nobody_waits_for_long_once_all_is_well(self, scoring, disk):
        disk.fill()
        Scoring.objects.update(rests=500)
        scorer.score(scoring.pk)
        scoring.refresh_from_db()
        assert timedelta(minutes=9) < scoring.not_before - timezone.now() <= timedelta(minutes=10)

    @pytest.mark.thorough
    def test_an_engine_whose_disk_is_full_has_not_crashed(self, scoring, monkeypatch):
        crash = sandbox.Crashed("OSError: [Errno 28] No space left on device", errno.ENOSPC)
        monkeypatch.setattr(sandbox, "child", engine_that(Mock(side_effect=crash)))
        assert scorer.score(scoring.pk) == "queued"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.attempts) == ("disk full", 0)

    @pytest.mark.thorough
    def test_others_of_a_person_that_have_rested_follow_one_another(self, several, disk):
        disk.fill()
        for scoring in several:
            scorer.score(scoring.pk)
        first, second, _ = several
        assert waiting.next_of_person(first.pk) == [], "not while they rest"
        disk.clear()
        awake()
        assert scorer.score(first.pk) == "scored"
        assert waiting.next_of_person(first.pk) == [second.pk]


class TestFiles:
    def test_a_missing_upload_is_not_an_invalid_one(self, scoring, submission):
        path = Path(submission.file.path)
        content = path.read_bytes()
        path.unlink()
        assert scorer.score(scoring.pk) == "queued"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.attempts, scoring.problems) == ("file missing", 0, [])
        path.write_bytes(content)
        awake()
        assert scorer.score(scoring.pk) == "scored"

    def test_missing_gold_waits_for_it(self, scoring):
        Path(scoring.gold.file.path).unlink()
        assert scorer.score(scoring.pk) == "queued"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.attempts) == ("file missing", 0)

    @pytest.mark.thorough
    def test_temporary_files_that_somebody_deletes_are_no_fault_of_the_run(self, scoring, monkeypatch):
        ask = sandbox.Child.__call__

        def ask_without_folder(child, arguments, on_step):
            shutil.rmtree(Path(arguments["evaluation"]).parent)
            return ask(child, arguments, on_step)

        monkeypatch.setattr(sandbox.Child, "__call__", ask_without_folder)
        assert scorer.score(scoring.pk) == "queued"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.attempts, scoring.problems) == ("machine", 0, [])
        monkeypatch.undo()
        awake()
        assert scorer.score(scoring.pk) == "scored"

    @pytest.mark.thorough
    def test_an_upload_whose_temporary_file_is_deleted_is_not_taken_and_not_refused(
        self, client, phase, team, alice, monkeypatch
    ):
        ask = sandbox.Child.__call__

        def ask_without_file(child, arguments, on_step):
            Path(arguments["upload"].path).unlink(missing_ok=True)
            return ask(child, arguments, on_step)

        monkeypatch.setattr(sandbox.Child, "__call__", ask_without_file)
        client.force_login(alice)
        files = {"files": zip_upload(PARTLY_RIGHT), "method": "m", "team": str(team.pk)}
        page = client.post(reverse("submit", args=[phase.task.slug, phase.slug]), files)
        assert page.status_code == 503
        assert not counted("refused_upload", alice.pk)

    @pytest.mark.thorough
    def test_a_folder_that_is_not_mounted_is_missing_too(self, scoring, settings, tmp_path):
        settings.MEDIA_ROOT = tmp_path / "elsewhere"
        assert scorer.score(scoring.pk) == "queued"
        assert Scoring.objects.get().fault == "file missing"

    @pytest.mark.parametrize("which", ["gold", "submission"])
    def test_a_file_that_was_changed_is_never_scored(self, scoring, which):
        path = Path(getattr(scoring, which).file.path)
        changed = path.read_bytes() + b" "
        path.unlink()
        path.write_bytes(changed)
        assert scorer.score(scoring.pk) == "queued"
        scoring.refresh_from_db()
        assert (scoring.fault, scoring.attempts) == ("file changed", 0)
        assert path.name in scoring.error
        assert not Result.objects.exists()

    @pytest.mark.thorough
    @pytest.mark.parametrize("found", [{"problems": [{"message": "no such file"}], "causes": []}, {"error": "no file"}])
    def test_the_engine_blames_nobody_for_a_folder_that_went_while_it_read(self, scoring, monkeypatch, found):
        def evaluate(arguments, on_step):
            Path(scoring.submission.file.path).unlink()
            return found

        monkeypatch.setattr(sandbox, "child", engine_that(evaluate))
        assert scorer.score(scoring.pk) == "queued"
        assert Scoring.objects.get().fault == "file missing"


class TestMails:
    def test_of_a_fault_of_the_machine_goes_one_mail_an_hour_however_many_wait(self, several, disk, olga, mailoutbox):
        make_user("Root", is_staff=True, is_superuser=True)
        disk.fill()
        for scoring in several:
            scorer.score(scoring.pk)
        assert {tuple(mail.to) for mail in mailoutbox} == {("olga@example.org",), ("root@example.org",)}
        assert len(mailoutbox) == 2, "one for each of them, who need not know the other's address"
        mail = mailoutbox[0]
        assert "disk full" in mail.subject
        assert "1 scoring waits until this is solved." in mail.body
        assert "Free some space on it." in mail.body
        assert "No space left on device" in mail.body
        awake()
        with time_machine.travel(timezone.now() + timedelta(minutes=61)):
            scorer.score(several[0].pk)
        assert len(mailoutbox) == 4
        assert "3 scorings wait until this is solved." in mailoutbox[-1].body

    @pytest.mark.thorough
    def test_without_the_cache_nobody_gets_a_mail_for_each_scoring(self, several, disk, mailoutbox, monkeypatch):
        """Such as a cache answers that is away: whatever is to be stored is taken, and nothing is found."""
        disk.fill()
        monkeypatch.setattr(
            "evalsite.submissions.mails.cache", Mock(add=lambda *words, **more: True, get=Mock(return_value=None))
        )
        for scoring in several:
            scorer.score(scoring.pk)
        assert not mailoutbox

    @pytest.mark.thorough
    def test_of_a_lost_file_people_are_told_once_a_day(self, scoring, submission, mailoutbox):
        Path(submission.file.path).unlink()
        for hours, n_mails in ((0, 1), (23, 1), (25, 2)):
            awake()
            with time_machine.travel(timezone.now() + timedelta(hours=hours)):
                scorer.score(scoring.pk)
            assert len(mailoutbox) == n_mails

    @pytest.mark.thorough
    def test_another_fault_is_told_of_within_the_hour(self, several, disk, mailoutbox):
        Path(several[0].submission.file.path).unlink()
        scorer.score(several[0].pk)
        disk.fill()
        scorer.score(several[1].pk)
        assert [mail.subject.rpartition(": ")[2] for mail in mailoutbox] == ["file missing", "disk full"]

    @pytest.mark.thorough
    def test_each_cause_of_failures_is_told_of_once(self, several, mailoutbox):
        faults = (Fault.ENGINE_CRASHED, Fault.ENGINE_CRASHED, Fault.TOOK_TOO_LONG)
        for scoring, fault in zip(several, faults, strict=True):
            transitions.fail(transitions.claim(scoring.pk), "broken", fault=fault, final=True)
        assert [mail.subject.rpartition(": ")[2] for mail in mailoutbox] == ["engine crashed", "took too long"]

    @pytest.mark.thorough
    def test_a_mail_that_could_not_be_sent_is_tried_again_soon(self, several, disk, mailoutbox, monkeypatch):
        disk.fill()
        monkeypatch.setattr("evalsite.submissions.mails.get_connection", Mock(side_effect=ConnectionRefusedError))
        scorer.score(several[0].pk)
        monkeypatch.undo()
        disk.fill()
        for minutes, n_mails in ((4, 0), (6, 1)):
            awake()
            with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
                scorer.score(several[1].pk)
            assert len(mailoutbox) == n_mails


class TestScoringAgain:
    def test_all_that_met_one_fault_are_queued_and_no_others(self, several, olga, task):
        crashed, died, waits = several
        Scoring.objects.filter(pk=crashed.pk).update(state="failed", fault="engine crashed", attempts=3)
        Scoring.objects.filter(pk=died.pk).update(state="failed", fault="worker died", attempts=3)
        later = timezone.now() + timedelta(hours=1)
        Scoring.objects.filter(pk=waits.pk).update(fault="engine crashed", not_before=later)
        own = olga.organised_tasks.all()
        assert score_again_after(Fault.ENGINE_CRASHED, own, by=olga) == 2
        crashed.refresh_from_db()
        assert (crashed.state, crashed.attempts, crashed.fault) == ("queued", 0, "")
        assert transitions.claim(crashed.pk)
        died.refresh_from_db()
        assert died.state == "failed"
        event = Event.objects.get(kind="queued again")
        assert (event.task, event.detail) == (task, {"fault": "engine crashed", "scorings": 1})

    @pytest.mark.thorough
    def test_those_that_an_older_engine_failed_at_get_a_scoring_by_this_one(self, scoring, olga):
        Scoring.objects.update(state="failed", fault="engine crashed", engine_version="0.9")
        assert score_again_after(Fault.ENGINE_CRASHED, olga.organised_tasks.all(), by=olga) == 1
        assert set(Scoring.objects.values_list("engine_version", "state")) > {("0.9", "failed")}

    @pytest.mark.thorough
    def test_many_cost_no_more_queries_than_few(self, several, olga):
        costs = []
        for n in (1, 3):
            Scoring.objects.filter(pk__in=[each.pk for each in several[:n]]).update(state="failed", fault="worker died")
            with CaptureQueriesContext(connection) as queries:
                assert score_again_after(Fault.WORKER_DIED, olga.organised_tasks.all(), by=olga) == n
            costs.append(len(queries))
        assert costs[0] == costs[1]

    def test_the_page_lists_faults_and_its_button_scores_again(self, client, several, olga):
        Scoring.objects.update(state="failed", fault="engine crashed", error="SIGSEGV")
        client.force_login(olga)
        page = client.get(TROUBLES).content.decode()
        assert "engine crashed" in page
        assert "SIGSEGV" in page
        assert "this is a fault in the code" in page
        answer = client.post(TROUBLES, {"fault": "engine crashed"}, follow=True).content.decode()
        assert "3 scorings queued." in answer
        assert "Nothing has failed" in answer
        assert states() == {"queued"}

    @pytest.mark.parametrize("who", ["alice", "viewer"])
    def test_nobody_else_sees_or_changes_anything_there(self, client, several, task, request, who):
        Scoring.objects.update(state="failed", fault="engine crashed", error="SIGSEGV")
        user = make_user("Vera") if who == "viewer" else request.getfixturevalue(who)
        if who == "viewer":
            make_organiser(task, user, "viewer")
        client.force_login(user)
        assert "SIGSEGV" not in client.get(TROUBLES).content.decode()
        client.post(TROUBLES, {"fault": "engine crashed"})
        assert states() == {"failed"}

    @pytest.mark.thorough
    def test_an_administrator_sees_those_of_all_tasks(self, client, several):
        Scoring.objects.update(state="failed", fault="engine crashed", error="SIGSEGV")
        client.force_login(make_user("Root", is_staff=True, is_superuser=True))
        assert "SIGSEGV" in client.get(TROUBLES).content.decode()


def test_who_waits_is_told_that_nothing_is_to_be_done(as_alice, scoring, disk):
    disk.fill()
    scorer.score(scoring.pk)
    page = as_alice.get(scoring.submission.get_absolute_url()).content.decode()
    assert "A problem on our side has to be solved first" in page
    assert "not valid" not in page


class TestPatience:
    """The database restarts; each of these needs a connection that is in no transaction."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture
    def restarts(self, monkeypatch):
        """Fails at the first statements of a kind after `at` is called, as when the server restarts."""

        def at(statement: str, times: int):
            left = [times]

            def execute(run, sql, params, many, context):
                if left[0] and sql.startswith(statement):
                    left[0] -= 1
                    raise OperationalError("terminating connection due to administrator command")
                return run(sql, params, many, context)

            return connection.execute_wrapper(execute)

        monkeypatch.setattr("time.sleep", lambda seconds: None)
        return at

    @pytest.mark.parametrize("statement", ["UPDATE", "INSERT", "SELECT"])
    def test_a_restart_costs_neither_attempt_nor_work(self, scoring, restarts, statement, monkeypatch):
        engine = Mock(wraps=sandbox.child)
        monkeypatch.setattr(sandbox, "child", engine)
        with restarts(statement, 3):
            assert scorer.score(scoring.pk) == "scored"
        assert engine.call_count == 1
        assert Scoring.objects.get().attempts == 1
        assert Result.objects.count() == 1

    @pytest.mark.thorough
    def test_the_wait_has_an_end(self, settings, monkeypatch):
        settings.DATABASE_PATIENCE = timedelta(seconds=1)
        clock = iter(range(0, 100))
        monkeypatch.setattr("evalsite.submissions.lifecycle.scorer.time", Mock(monotonic=lambda: next(clock) / 4))
        away = Mock(side_effect=OperationalError("the database system is shutting down"))
        with pytest.raises(OperationalError):
            with_retries(away)
        assert 2 <= away.call_count <= 4

    @pytest.mark.thorough
    def test_a_run_that_is_stored_is_never_lost_to_a_broker_that_cannot_be_told(self, scoring, restarts):
        with restarts("UPDATE", 1):
            enqueue([scoring.pk])
        assert states() == {"queued"}


class TestDeadProcesses:
    @pytest.mark.thorough
    @pytest.mark.django_db(transaction=True)
    def test_a_run_whose_process_is_killed_is_taken_at_once_by_another(self, celery, submission):
        """Long before its lease ends, and without beat, whose reaper would take it back."""
        with celery("worker", "--concurrency", "1", N_RESAMPLES="1000000", LEASE_SECONDS="3600") as worker:
            enqueue([submission.scorings.get().pk])
            wait_for(lambda: states() == {"running"})
            os.kill(child_of(worker.pid), signal.SIGKILL)
            wait_for(lambda: submission.scorings.get().attempts == 2)
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait(10)

    @pytest.mark.thorough
    def test_nobody_else_is_robbed_of_a_claim(self, scoring):
        claimed = transitions.claim(scoring.pk, transitions.lease_of("message", 7))
        for message, process in (("message", 8), ("another", 7)):
            assert not transitions.release(scoring.pk, transitions.lease_of(message, process))
        assert claimed.leased.exists()
        assert transitions.release(scoring.pk, transitions.lease_of("message", 7))
        assert states() == {"queued"}

    @pytest.mark.thorough
    def test_after_its_last_attempt_it_is_left_to_the_reaper(self, scoring, settings, mailoutbox):
        Scoring.objects.update(attempts=settings.MAX_ATTEMPTS - 1)
        lease = transitions.lease_of("message", 7)
        transitions.claim(scoring.pk, lease)
        assert transitions.release(scoring.pk, lease)
        assert waiting.reap() == []
        scoring.refresh_from_db()
        assert (scoring.state, scoring.fault) == ("failed", "worker died")
        assert len(mailoutbox) == 1

    @pytest.mark.thorough
    def test_a_database_that_is_away_too_does_not_end_the_worker(self, scoring, monkeypatch):
        away = Mock(side_effect=OperationalError("the database system is shutting down"))
        monkeypatch.setattr("evalsite.submissions.lifecycle.lost_processes.release", away)
        monkeypatch.setattr("evalsite.submissions.lifecycle.lost_processes.connection", Mock())
        ScoringRequest._release(Mock(args=(str(scoring.pk),), id="message", worker_pid=7))
        away.assert_called_once()


def child_of(worker: int) -> int:
    """The pool's only process."""
    found: list[int] = []

    def look() -> bool:
        children = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
        found[:] = [int(each) for each in children if b"jobs.server" not in Path(f"/proc/{each}/cmdline").read_bytes()]
        return bool(found)

    wait_for(look)
    return found[0]


class TestStartOfAWorker:
    @pytest.mark.thorough
    def test_with_the_gold_of_all_open_phases_it_starts(self, phase, caplog):
        worker_start.look_at_gold()
        assert not caplog.records

    def test_with_none_of_it_it_does_not(self, phase, settings, tmp_path):
        settings.MEDIA_ROOT = tmp_path / "elsewhere"
        with pytest.raises(SystemExit, match="cannot read the gold of any open phase"):
            worker_start.look_at_gold()

    @pytest.mark.thorough
    def test_of_a_single_file_it_says_so_and_starts(self, phase, scenario, caplog, alice, team):
        make_submission(phase, team, alice)
        newer = make_gold(phase, scenario)
        Path(newer.file.path).unlink()
        worker_start.look_at_gold()
        assert "the gold of an open phase cannot be read here" in caplog.text
        assert "gold version 2" in caplog.text

    @pytest.mark.thorough
    def test_phases_that_are_over_do_not_matter(self, phase, caplog):
        Path(Gold.objects.get().file.path).unlink()
        phase.closes = timezone.now() - timedelta(hours=1)
        phase.save()
        worker_start.look_at_gold()
        assert not caplog.records
