"""Tests whose fault an error is: the machine's, which passes or is mended, or the program's."""

import errno
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection
from django.http import UnreadablePostError
from django.urls import reverse
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisError

from evalsite.accounts.rates import counted
from evalsite.api import tokens
from evalsite.base.faults import ADVICE, Fault, fault_of
from evalsite.challenges.storage.uploads import SparingUploadHandler, fault_of_files
from evalsite.jobs import sandbox
from evalsite.submissions.models import KeptUpload, Submission
from tests.factories import PARTLY_RIGHT, zip_upload


def of_store(status: int) -> Exception:
    """An error as boto's, which is not installed everywhere."""
    kind = type("ClientError", (Exception,), {"__module__": "botocore.exceptions"})
    error = kind("An error occurred")
    error.response = {"ResponseMetadata": {"HTTPStatusCode": status}}
    return error


def caused(error: Exception, **facts: object) -> Exception:
    cause = Exception("of the driver")
    vars(cause).update(facts)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), Fault.DISK_FULL),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), Fault.DISK_FULL),
        (OSError(errno.ESTALE, "Stale file handle"), Fault.STORAGE_AWAY),
        (TimeoutError(), Fault.STORAGE_AWAY),
        (PermissionError(errno.EACCES, "Permission denied"), Fault.MACHINE),
        (of_store(503), Fault.STORAGE_AWAY),
        (of_store(404), Fault.FILE_MISSING),
        (OperationalError("the database system is shutting down"), Fault.DATABASE_AWAY),
        (InterfaceError("connection already closed"), Fault.DATABASE_AWAY),
        (caused(OperationalError("could not extend file"), sqlstate="53100"), Fault.DISK_FULL),
        (caused(OperationalError("full"), sqlite_errorcode=sqlite3.SQLITE_FULL), Fault.DISK_FULL),
        (caused(OperationalError("database is locked"), sqlite_errorcode=sqlite3.SQLITE_BUSY), Fault.DATABASE_AWAY),
        (caused(InternalError("in a read-only transaction"), sqlstate="25006"), Fault.DATABASE_AWAY),
        (BrokerError(), Fault.BROKER_AWAY),
        (RedisError(), Fault.BROKER_AWAY),
        (sandbox.Crashed("OSError: no space", errno.ENOSPC), Fault.DISK_FULL),
        (sandbox.Crashed("OSError: too many open files", errno.EMFILE), Fault.MACHINE),
    ],
)
def test_these_are_faults_of_the_machine(error, fault):
    assert fault_of(error) == fault


@pytest.mark.parametrize(
    "error",
    [
        ValueError(),
        MemoryError(),
        DatabaseError("of a constraint"),
        caused(InternalError("current transaction is aborted"), sqlstate="25P02"),
        caused(OperationalError("no such table: x"), sqlite_errorcode=sqlite3.SQLITE_ERROR),
        UnreadablePostError("the client went away"),
        sandbox.Crashed("The engine ended with signal 11 (SIGSEGV)."),
        sandbox.Crashed("PermissionError: a child may open nothing else", errno.EACCES),
    ],
)
def test_these_are_not(error):
    assert fault_of(error) is None


def test_for_each_fault_it_is_said_what_to_do():
    assert set(ADVICE) == set(Fault)
    assert all(len(fault) <= 14 for fault in Fault)


class TestUploads:
    """These test what somebody sees whose upload meets a fault, on the page and by the API."""

    pytestmark = pytest.mark.django_db

    @pytest.fixture
    def full_store(self, settings, monkeypatch):
        def save(*args, **kwargs):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("evalsite.challenges.storage.files.DurableStorage.save", save)

    @pytest.fixture
    def full_folder_of_temporary_files(self, monkeypatch):
        def write(*args, **kwargs):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("django.core.files.uploadhandler.TemporaryFileUploadHandler.receive_data_chunk", write)

    @pytest.fixture
    def no_database(self):
        """Act as a server that is stopped: each statement fails from the moment that this is called."""

        def fail(*args):
            raise OperationalError("the database system is shutting down")

        with ExitStack() as stack:
            yield lambda: stack.enter_context(connection.execute_wrapper(fail))

    def upload(self, client, phase, team):
        client.raise_request_exception = False
        data = {"files": [zip_upload(PARTLY_RIGHT)], "team": str(team.pk), "method": "My “method”"}
        return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)

    @pytest.mark.parametrize("where", ["full_store", "full_folder_of_temporary_files"])
    def test_a_full_disk_is_said_in_the_form_and_what_was_typed_is_kept(
        self, client, phase, team, alice, request, where, tmp_path, settings, mailoutbox
    ):
        settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
        request.getfixturevalue(where)
        client.force_login(alice)
        response = self.upload(client, phase, team)
        page = response.content.decode()
        assert response.status_code == 503
        assert int(response["Retry-After"]) == 60
        assert "disk full" in mailoutbox[0].subject, "those who run the site are told, as the page says"
        assert "This upload was not accepted: the disk of this site is full." in page
        assert 'value="My “method”"' in page
        assert "Choose the files of your run" not in page, "that they are gone is not the participant's fault"
        assert not Submission.objects.exists()
        assert not KeptUpload.objects.exists()
        assert not counted("refused_upload", alice.pk), "it does not count as a refused one"
        left = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "gold.zip"]
        assert not left, "nothing half-made remains"

    @pytest.mark.parametrize("name", ["upload", "check"])
    def test_a_full_disk_is_said_to_programs(self, client, phase, alice, full_folder_of_temporary_files, name):
        _, token = tokens.make(alice, "laptop", "read upload", None)
        address = reverse(f"api:{name}", args=[phase.task.slug, phase.slug])
        data = {"files": zip_upload(PARTLY_RIGHT), "method": "Rules"}
        response = client.post(address, data, headers={"Authorization": f"Bearer {token}"})
        assert response.status_code == 503
        assert response["Retry-After"] == "60"
        assert response["Content-Type"] == "application/problem+json"
        assert response.json()["detail"].startswith("This upload was not accepted: the disk of this site is full.")

    def test_without_a_database_what_was_typed_comes_back_in_a_page_that_asks_nothing(
        self, client, phase, team, alice, no_database
    ):
        client.force_login(alice)
        no_database()
        response = self.upload(client, phase, team)
        page = response.content.decode()
        assert response.status_code == 503
        assert response["Retry-After"] == "60"
        assert "This upload was not accepted: the database of this site is not responding." in page
        assert 'name="method" value="My “method”"' in page

    @pytest.mark.parametrize(
        ("error", "status", "words"),
        [
            (
                OperationalError("the database system is in recovery mode"),
                503,
                "database of this site is not responding",
            ),
            (
                DatabaseError("Save with update_fields did not affect any rows."),
                400,
                "This request was not understood.",
            ),
        ],
    )
    def test_a_database_that_is_away_when_a_session_is_stored_is_told_from_a_session_that_was_deleted(
        self, client, alice, error, status, words
    ):
        alice.set_password("a long enough secret")
        alice.save()

        def fail_at_last(execute, sql, params, many, context):
            if sql.startswith("UPDATE") and "django_session" in sql:
                raise error
            return execute(sql, params, many, context)

        client.raise_request_exception = False
        with connection.execute_wrapper(fail_at_last):
            form = {"login": alice.email, "password": "a long enough secret"}
            response = client.post("/accounts/login/", form)
        assert response.status_code == status
        assert words in response.content.decode()

    @pytest.mark.parametrize("outcomes", ["kill, answer", "kill, kill"])
    @pytest.mark.parametrize("name", ["submit", "open_check", "api:check"])
    def test_a_check_that_the_machine_killed_is_done_once_more_and_is_no_fault_of_the_file(
        self, client, phase, team, alice, monkeypatch, name, outcomes
    ):
        """Kill it, as the killer of processes does when memory is short."""

        def ask(*args, **options):
            if kills and kills.pop():
                raise sandbox.Killed("The engine ended with signal 9 (SIGKILL).")
            return ask_as_usual(*args, **options)

        kills, ask_as_usual = [True] * outcomes.count("kill"), sandbox.Child.__call__
        monkeypatch.setattr(sandbox.Child, "__call__", ask)
        _, token = tokens.make(alice, "laptop", "read upload", None)
        client.raise_request_exception = False
        if name == "submit":
            client.force_login(alice)
        data = {"files": [zip_upload(PARTLY_RIGHT)], "team": str(team.pk), "method": "Rules"}
        headers = {"Authorization": f"Bearer {token}"} if name.startswith("api:") else {}
        response = client.post(reverse(name, args=[phase.task.slug, phase.slug]), data, headers=headers)
        if outcomes.endswith("answer"):
            assert response.status_code == (302 if name == "submit" else 200)
        else:
            assert response.status_code == 503
            assert response["Retry-After"] == "60"
            assert "This upload was not accepted: something broke on our side." in response.content.decode()
        assert not kills
        assert not counted("refused_upload", alice.pk), "it does not count as a refused one"
        assert Submission.objects.exists() == (response.status_code == 302)

    @pytest.mark.parametrize("address", ["/", "/accounts/login/", "/admin/", "/api/v1/tasks"])
    def test_without_a_database_pages_are_calm(self, client, alice, no_database, address):
        client.force_login(alice)
        client.raise_request_exception = False
        no_database()
        response = client.get(address)
        assert response.status_code == 503
        assert "The database of this site is not responding." in response.content.decode()
        assert "This upload" not in response.content.decode()

    def test_a_mistake_in_the_code_keeps_the_page_that_says_so(self, client, phase, alice, monkeypatch):
        client.raise_request_exception = False
        client.force_login(alice)
        monkeypatch.setattr("evalsite.submissions.receiving.admission.standings", lambda *args: 1 / 0)
        response = client.get(reverse("submit", args=[phase.task.slug, phase.slug]))
        assert response.status_code == 500
        assert "Something broke on our side." in response.content.decode()

    def test_a_run_is_taken_where_only_tidying_up_afterwards_fails(self, client, phase, team, alice, monkeypatch):
        client.force_login(alice)

        def fail(*args):
            raise OperationalError("the database system is shutting down")

        monkeypatch.setattr("evalsite.submissions.receiving.pipeline._clean_up", fail)
        assert self.upload(client, phase, team).status_code == 302
        assert Submission.objects.get().method == "My “method”"

    def test_a_full_disk_is_found_at_the_end_of_a_file_too(self, rf, monkeypatch, tmp_path, settings):
        settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)

        def fail(*args):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("django.core.files.uploadhandler.TemporaryFileUploadHandler.file_complete", fail)
        request = rf.post("/", {"files": SimpleUploadedFile("run.zip", b"x"), "method": "Rules"})
        request.upload_handlers = [SparingUploadHandler(request)]
        assert request.POST["method"] == "Rules"
        assert not request.FILES
        assert fault_of_files(request)[0] == Fault.DISK_FULL
        assert not list(Path(tmp_path).iterdir())
