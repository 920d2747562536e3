"""A database of former code, whose migrations were one by one what a new database gets at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

# In the middle for these and for what they need; the other apps had no tables yet.
FORMER = [
    ("challenges", "0019_states_of_gold"),
    ("submissions", "0014_fingerprints_by_gold"),
    ("leaderboard", "0007_late_runs"),
]


@contextmanager
def empty_database(folder: Path) -> Iterator[None]:
    """Beside that of the tests, which is there again afterwards."""
    given = connection.settings_dict["NAME"]
    is_file = connection.vendor == "sqlite"
    connection.close()
    connection.settings_dict["NAME"] = str(folder / "former.sqlite3") if is_file else f"{given}_former"
    own = connection.ops.quote_name(connection.settings_dict["NAME"])
    try:
        if not is_file:
            run_outside(f"CREATE DATABASE {own}")
        yield
    finally:
        connection.close()
        if not is_file:
            run_outside(f"DROP DATABASE {own}")
        connection.settings_dict["NAME"] = given


def run_outside(statement: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


def migrate_one_by_one(targets: list[tuple[str, str]]) -> None:
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate(targets)


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


@pytest.mark.django_db(transaction=True)
def test_a_database_of_former_code_gets_the_tables_of_a_new_one(tmp_path):
    wanted = tables()
    with empty_database(tmp_path):
        migrate_one_by_one(FORMER)
        former = tables()
        call_command("migrate", verbosity=0)
        upgraded = tables()
    assert "submissions_adoptedgold" in former
    assert upgraded == wanted
