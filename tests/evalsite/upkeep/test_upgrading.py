"""A database of version 1.2.0, kept in `version_1_2`, gets the tables of a new one, and its rows are still there."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from evalsite.upkeep.checks import services
from evalsite.upkeep.upgrading import newer

pytestmark = pytest.mark.thorough

# Tables of what a later version does without, whose rows go with them.
LET_GO = {"submissions_keptpart", "submissions_fingerprint"}
FORMER = Path(__file__).with_name("version_1_2")


@contextmanager
def former_database(folder: Path) -> Iterator[None]:
    """Make a database of version 1.2.0, beside that of the tests, which is there again afterwards."""
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
        call_command("migrate", verbosity=0)
        upgraded = tables()
    assert upgraded == new


def test_all_its_rows_are_there_in_every_column_that_is_left(former):
    before = rows()
    call_command("migrate", verbosity=0)
    after = rows()
    assert before.keys() - after.keys() == LET_GO
    for table, values in before.items():
        # Django's own tables get a row for each new model.
        if table not in LET_GO and not table.startswith(("django_", "auth_")):
            left = values[0].keys() & after[table][0].keys() if values else set()
            assert [[row[name] for name in sorted(left)] for row in values] == [
                [row[name] for name in sorted(left)] for row in after[table]
            ], table
    # The steps on the way to 1.2.0 are taken for no newer version's.
    assert newer(MigrationRecorder(connection).applied_migrations()) == []


def rows() -> dict[str, list[dict[str, object]]]:
    """Return the rows of each table, in an order that does not depend on new columns."""
    with connection.cursor() as cursor:
        return {name: list(_rows(cursor, name)) for name in connection.introspection.table_names(cursor)}


def _rows(cursor, table: str) -> Iterator[dict[str, object]]:
    cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
    names = [column[0] for column in cursor.description]
    yield from (dict(zip(names, row, strict=True)) for row in cursor.fetchall())


def test_an_older_one_is_refused_with_the_way_to_go_before_anything_is_changed(former):
    MigrationRecorder.Migration.objects.filter(app="submissions", name__startswith="0020_").delete()
    before = tables()
    with pytest.raises(SystemCheckError, match=r"(?s)before 1\.2\.0.*Upgrade it to 1\.2\.0 first"):
        call_command("migrate", verbosity=0, skip_checks=False)
    assert tables() == before


def test_one_with_options_that_are_gone_is_refused_before_anything_is_changed(former):
    execute("UPDATE challenges_scenario SET options = '{\"rules\": \"2018\"}' WHERE family = 'ehealthkd'")
    before = tables()
    with pytest.raises(SystemCheckError, match=r"(?s)of elsewhere, scenario 1: option rules: '2018'.*version before"):
        call_command("migrate", verbosity=0, skip_checks=False)
    assert tables() == before


@pytest.mark.django_db
def test_doctor_knows_one_of_a_newer_version_by_its_number():
    MigrationRecorder.Migration.objects.create(app="submissions", name="0999_later")
    assert "newer version of the site: it has submissions.0999_later" in services.database().said
