"""A database of version 1.1.0, kept in `version_1_1`, gets the tables of a new one, and its rows are still there."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.challenges.models import Download, Gold, Phase
from evalsite.leaderboard.models import Board, Predecessor
from evalsite.submissions.models import Choice, KeptUpload, Result, Submission
from evalsite.upkeep.checks import services
from evalsite.upkeep.upgrading import newer

pytestmark = pytest.mark.thorough

FORMER = Path(__file__).with_name("version_1_1")


@contextmanager
def former_database(folder: Path) -> Iterator[None]:
    """Make a database of version 1.1.0, beside that of the tests, which is there again afterwards."""
    given = connection.settings_dict["NAME"]
    is_file = connection.vendor == "sqlite"
    name = str(folder / "former.sqlite3") if is_file else f"{given}_former"
    if not is_file:
        execute(f"CREATE DATABASE {name}")
    connect(name)
    try:
        load(gzip.decompress((FORMER / f"{connection.vendor}.sql.gz").read_bytes()).decode())
        connect(name)  # the dump has set the connection's own search path
        yield
    finally:
        connect(given)
        if not is_file:
            execute(f"DROP DATABASE {name}")


def connect(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def execute(statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statements)


def load(dump: str) -> None:
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.executescript(dump)
    else:
        execute(dump)


def tables() -> dict[str, object]:
    """Columns and constraints of each, whatever their order."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        return {name: (columns(cursor, name), constraints(cursor, name)) for name in names}


def columns(cursor, table: str) -> list[tuple]:
    return sorted(tuple(each) for each in connection.introspection.get_table_description(cursor, table))


def constraints(cursor, table: str) -> list[str]:
    found = connection.introspection.get_constraints(cursor, table)
    # SQLite counts those that it gives no name.
    return sorted(f"{'' if name.startswith(('fk_', '__')) else name} {said}" for name, said in found.items())


@pytest.fixture
def former(transactional_db, tmp_path):
    with former_database(tmp_path):
        yield


@pytest.mark.django_db(transaction=True)
def test_it_gets_the_tables_of_a_new_one(tmp_path):
    new = tables()
    with former_database(tmp_path):
        before = tables()
        call_command("migrate", verbosity=0)
        upgraded = tables()
    assert before != new
    assert upgraded == new


def test_its_rows_are_there_and_have_what_is_new(former):
    execute(
        "UPDATE challenges_phase SET extended_from = '2026-12-02 12:00+00:00', extended_on = '2026-11-20 09:00+00:00'"
    )
    written = "'{\"subject\": \"Hello\"}', '2026-11-01 12:00', 1, '2026-11-01 13:00'"
    execute(f"INSERT INTO letters_letter (message, created, attempts, next_attempt) VALUES ({written})")
    call_command("migrate", verbosity=0)
    assert set(User.objects.values_list("name", flat=True)) == {"Olga", "Alice"}
    assert Result.objects.count() == Submission.objects.count() == 4
    assert Choice.objects.get().submission.method == "First"
    assert not Phase.objects.get().counts_is_usual
    assert set(Gold.objects.values_list("file_name", flat=True)) == {"gold.zip"}
    assert Download.objects.get().file_name == "data.txt"
    assert set(Submission.objects.values_list("file_name", flat=True)) == {"run.zip"}
    assert KeptUpload.objects.get().name == "kept.zip"
    # Scores that a team had brought are reported ones, and their board is made anew.
    assert Submission.objects.get(is_reported=True).method == "Wishes"
    assert Board.objects.get(to_recount=True).scenario.name == "Marks"
    # Each run has the one of its team that counted when it came.
    before = Predecessor.objects.values_list("run__method", "before__method")
    assert dict(before) == {"First": None, "Second": "First", "Third": "First", "Wishes": None}
    # The closing that was told first is still told.
    [move] = Phase.objects.get().moves
    assert (move.closes, move.moved_on) == (
        datetime(2026, 12, 2, 12, tzinfo=UTC),
        datetime(2026, 11, 20, 9, tzinfo=UTC),
    )
    # A mail that waits goes on to wait.
    mail = Job.objects.get()
    assert (mail.kind, mail.arguments, mail.state) == (Job.MAIL, {"subject": "Hello"}, "queued")
    # The steps on the way to 1.1.0 are taken for no newer version's.
    assert newer(MigrationRecorder(connection).applied_migrations()) == []


def test_an_older_one_is_refused_with_the_way_to_go_before_anything_is_changed(former):
    MigrationRecorder.Migration.objects.filter(name__contains="_squashed_").delete()
    before = tables()
    with pytest.raises(SystemCheckError, match=r"(?s)before 1\.1\.0.*Upgrade it to 1\.1\.0 first"):
        call_command("migrate", verbosity=0, skip_checks=False)
    assert tables() == before


@pytest.mark.django_db
def test_doctor_knows_one_of_a_newer_version_by_its_number():
    MigrationRecorder.Migration.objects.create(app="submissions", name="0999_later")
    assert "newer version of the site: it has submissions.0999_later" in services.database().said
