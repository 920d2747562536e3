"""The doctor says of each part in plain words whether it is well, and what to do; none of them can hold it up."""

import json
import threading
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import redis
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from evalsite.challenges.models import Gold, Scenario
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result, Scoring
from evalsite.upkeep.checks import CHECKS, contents, machine, services
from evalsite.upkeep.findings import Check, State, ok, run, wrong
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.stored import file_fields
from evalsite.upkeep.tasks import pulse
from tests.factories import make_submission, make_team, make_user
from tests.workers import use_broker

REDIS_CACHE = "evalsite.base.cache.ForgivingRedisCache"


def path_of(file) -> Path:
    return Path(default_storage.path(file.name))


def test_a_part_that_breaks_or_hangs_does_not_hold_up_the_others():
    hanging = threading.Event()
    checks = [
        Check("breaks", lambda: 1 / 0),
        Check("hangs", lambda: ok("never") if hanging.wait(60) else ok("never"), seconds=0.1),
        Check("stands", lambda: ok("It stands.")),
        Check("leans", lambda: ok("never"), needs=["stands", "hangs"]),
        Check("alone", lambda: ok("It stands."), needs=["not asked for"]),
    ]
    found = {each.check: each for each in run(checks)}
    hanging.set()
    assert "ZeroDivisionError" in found["breaks"].said
    assert found["hangs"].state == State.WRONG
    assert "No answer" in found["hangs"].said
    assert [found[name].state for name in ("stands", "leans", "alone")] == ["ok", "unknown", "ok"]
    assert found["leans"].said == "Not looked at, because of: hangs."


def test_the_command_tells_people_and_programs_and_its_status_says_whether_something_is_wrong(monkeypatch):
    def doctor(*words: str) -> tuple[int, str]:
        output = StringIO()
        try:
            call_command("doctor", *words, stdout=output)
        except SystemExit as end:
            return int(end.code), output.getvalue()
        return 0, output.getvalue()

    checks = [Check("disk", lambda: ok("Room.")), Check("mail", lambda: wrong("No server.", "Start it."))]
    monkeypatch.setattr("evalsite.upkeep.management.commands.doctor.CHECKS", checks)
    status, text = doctor()
    assert status == 1
    assert "WRONG    mail        No server." in text
    assert "-> Start it." in text
    assert text.endswith("1 wrong.\n")
    assert doctor("disk")[0] == 0
    status, told = doctor("--json")
    assert status == 1
    assert json.loads(told)["ok"] is False
    assert [each["state"] for each in json.loads(told)["findings"]] == ["ok", "wrong"]


def test_each_finding_of_a_check_that_is_not_well_says_what_to_do():
    assert all(check.look.__doc__ for check in CHECKS)
    with pytest.raises(TypeError):
        wrong("It is broken.")  # a remedy is owed


def test_versions_and_the_secret_key_are_looked_at(settings, monkeypatch):
    assert machine.versions().state == "ok"
    monkeypatch.setattr(machine.metadata, "version", lambda package: "0.1")
    assert "Django 0.1 instead of" in machine.versions().said
    settings.SECRET_KEY = "secret" * 10
    assert machine.secret_key().state == "wrong"


def test_a_full_disk_is_told(monkeypatch):
    assert machine.disk().state in ("ok", "warning")
    monkeypatch.setattr(machine, "FULL", 2**60)
    assert "A disk is full" in machine.disk().said


@pytest.mark.parametrize(
    ("gigabytes", "free", "state"), [(1, 0.9, "ok"), (100, 6, "ok"), (100, 4, "warning"), (4, 1, "warning")]
)
def test_a_disk_that_will_be_full_soon_is_told_though_not_a_small_one_that_is_empty(
    monkeypatch, gigabytes, free, state
):
    usage = SimpleNamespace(total=gigabytes * 1024**3, free=free * 1024**3)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda path: usage)
    assert machine.disk().state == state


@pytest.mark.django_db
def test_a_database_that_lacks_migrations_is_told(monkeypatch):
    assert services.database().state == "ok"
    assert not Pulse.objects.exists()  # what it tried to write is taken back
    monkeypatch.setattr(services.MigrationExecutor, "migration_plan", lambda *arguments: [("upkeep.0002_later", 0)])
    found = services.database()
    assert found.state == "wrong"
    assert found.said == "1 migration has not been applied, the first is upkeep.0002_later."


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_told(monkeypatch):
    def refuse():
        raise OSError("connection refused")

    monkeypatch.setattr(connection, "cursor", refuse)
    assert services.database().said.startswith("The database does not answer: OSError: connection refused")


@pytest.mark.django_db
def test_clocks_that_differ_are_told(monkeypatch):
    assert services.clock().state == "ok"
    monkeypatch.setattr(services, "_clock_difference", lambda: timedelta(seconds=-40))
    assert "40 s apart" in services.clock().said


def test_a_broker_that_is_away_is_told_and_one_that_is_there_with_its_queues(broker_url):
    found = services.broker()
    assert found.state == "ok"
    assert set(found.facts["waiting"].values()) == {0}
    use_broker("redis://127.0.0.1:1/0")
    assert "The broker at 127.0.0.1:1 does not answer" in services.broker().said


@pytest.mark.parametrize(
    ("setting", "reason"), [("maxmemory", "used memory"), ("min-replicas-to-write", "Not enough good replicas")]
)
def test_a_redis_that_answers_and_keeps_nothing_is_told(broker_url, settings, setting, reason):
    settings.CACHES = {**settings.CACHES, "default": {"BACKEND": REDIS_CACHE, "LOCATION": broker_url}}
    with redis.Redis.from_url(broker_url) as client:
        assert [services.broker().state, services.cache().state] == ["ok", "ok"]
        client.config_set(setting, 1)
        try:
            of_broker, of_cache = services.broker(), services.cache()
        finally:
            client.config_set(setting, 0)
    assert of_broker.said.startswith(f"The broker at {urlsplit(broker_url).netloc} answers, but takes no message: ")
    assert of_cache.said.startswith("The cache answers, but keeps nothing: ")
    assert reason in of_broker.said
    assert reason in of_cache.said


def test_queues_that_no_worker_serves_are_told(monkeypatch):
    class Inspected:
        queues: dict = {}

        def __init__(self, timeout: float) -> None:
            self.timeout = timeout

        def active_queues(self):
            return self.queues

    monkeypatch.setattr(services.app.control, "inspect", Inspected)
    assert services.workers().said == "No worker answers."
    expected = sorted(services.app.amqp.queues)
    Inspected.queues = {"w1@host": [{"name": name} for name in expected]}
    assert services.workers().said == f"1 worker: w1@host serves {', '.join(expected)}."
    Inspected.queues = {"w1@host": [{"name": "others"}]}
    assert services.workers().facts["unserved"] == expected


def test_mail_that_goes_nowhere_is_wrong_in_production_alone(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    settings.MAIL_TRANSPORT = settings.EMAIL_BACKEND
    assert services.mail().state == "ok"
    settings.PRODUCTION = True
    assert services.mail().state == "wrong"
    settings.MAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert services.mail().said.startswith("The mail server 127.0.0.1:1 does not take")


@pytest.mark.django_db
def test_beat_that_is_silent_is_told():
    assert services.beat().said == "Beat has never been heard of."
    pulse()
    assert services.beat().state == "ok"
    Pulse.objects.update(last=timezone.now() - timedelta(hours=3))
    assert services.beat().said == "Beat was last heard of 3 h ago."


def test_a_storage_is_tried_and_left_as_it_was(monkeypatch):
    assert contents.storage().state == "ok"
    assert default_storage.listdir("kept") == ([], [])

    def refuse(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(type(default_storage._wrapped), "_save", refuse)
    assert "No space left on device" in contents.storage().said


@pytest.mark.django_db
def test_gold_of_an_open_phase_that_is_lost_or_other_than_it_was_is_told(phase):
    assert contents.gold().said == "Gold of open phases is whole (1 file)."
    path = path_of(Gold.objects.get().file)
    path.unlink()
    path.write_bytes(b"other")
    assert "is not what was stored" in contents.gold().said
    path.unlink()
    assert "is missing" in contents.gold().said
    type(phase).objects.update(closes=timezone.now() - timedelta(minutes=1))
    assert contents.gold().state == "ok"


@pytest.mark.django_db
def test_boards_that_rank_by_another_engine_are_told(scored_submission):
    assert contents.engine_versions().state == "ok"
    Gold.objects.update(engine="0.9")
    assert "1 board by engine 0.9" in contents.engine_versions().said


@pytest.mark.django_db
def test_a_scenario_whose_options_the_engine_no_longer_takes_is_told(phase, scenario):
    assert contents.families().state is State.OK
    Scenario.objects.filter(pk=scenario.pk).update(options={"rules": "2018"})
    finding = contents.families()
    assert (finding.state, finding.facts["untaken"]) == (
        State.WRONG,
        ["health, scenario 1: option rules: '2018' is not one of 2019, 2020, 2021, documented"],
    )


def test_a_queue_that_stands_still_is_told_and_a_long_one_that_moves_is_no_fault(phase, submission):
    assert contents.queue().state == "ok"
    Scoring.objects.update(created=timezone.now() - timedelta(minutes=20))
    assert "the oldest has waited 20 min, and nothing has ended meanwhile" in contents.queue().said
    charlie = make_user("Charlie")
    other = make_submission(phase, make_team("Others", charlie), charlie)
    other.scorings.update(state="scored", finished=timezone.now())
    assert contents.queue().state == "warning"
    other.scorings.update(state="running", lease=other.pk, lease_ends=timezone.now() - timedelta(minutes=20))
    assert contents.queue().said == "1 run held by dead workers, and not taken back."


@pytest.mark.django_db
def test_a_board_that_is_not_made_anew_is_told(phase, scenario):
    since = timezone.now() - timedelta(minutes=1)
    board = Board.objects.create(phase=phase, scenario=scenario, wanted=2, made=1, stale_since=since)
    assert contents.boards().state == "ok"
    Board.objects.update(stale_since=since - timedelta(minutes=2))
    found = contents.boards()
    assert found.said == f"1 board not made anew for more than 2 min: {board}."
    assert found.facts["stale"] == [str(board)]
    Board.objects.update(made=2)
    assert contents.boards().state == "ok"


@pytest.mark.django_db
def test_rows_without_files_and_files_without_rows_are_told_with_as_many_queries_for_many_as_for_one(
    scored_submission, django_assert_max_num_queries
):
    found = contents.files()
    assert found.state == "ok"
    assert (found.facts["rows"], found.facts["files"]) == (3, 3)
    for number in range(20):
        default_storage.save(f"submissions/{number}/run.zip", ContentFile(b"x"))
    with django_assert_max_num_queries(len(file_fields())):
        assert contents.files().facts["young"] == 20
    path_of(Result.objects.get().evaluation).unlink()
    path_of(scored_submission.file).unlink()
    path_of(scored_submission.file).touch()
    found = contents.files()
    assert found.state == "wrong"
    assert found.said.startswith("Of 3 rows 1 lack their file, and 1 have an empty one")
    assert f"result {Result.objects.get().pk}: " in found.said


@pytest.mark.django_db
def test_a_site_without_a_backup_is_told_so_in_production(settings):
    settings.PRODUCTION = True
    assert services.upkeep().said == "There is no backup."
    note(Pulse.Name.BACKUP)
    assert services.upkeep().state == "ok"
