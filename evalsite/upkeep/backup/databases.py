"""Dumps and loads the site's database, by PostgreSQL's programs or SQLite itself."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

from evalsite.upkeep.backup.manifest import BackupError
from evalsite.upkeep.stored import FileField

FILE_NAMES = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}
_PATIENCE = "30s"  # for others to let go of a table


@contextmanager
def dumped(target: Path) -> Iterator[Any]:
    """Dump the database into the file, and yield a cursor that sees the same state of it. Raises BackupError."""
    with (_dumped_postgresql if connection.vendor == "postgresql" else _dumped_sqlite)(target) as cursor:
        yield cursor


@contextmanager
def _dumped_postgresql(target: Path) -> Iterator[Any]:
    """Share one snapshot with pg_dump: what is listed is what is dumped, whatever the site does meanwhile."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        _run("pg_dump", ["--format=custom", f"--snapshot={cursor.fetchone()[0]}", f"--file={target}"])
        yield cursor


@contextmanager
def _dumped_sqlite(target: Path) -> Iterator[Any]:
    """Copy the database with SQLite's own backup, which holds up nobody who writes."""
    source = sqlite3.connect(connection.settings_dict["NAME"], timeout=60)
    with closing(source), closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        yield copy.cursor()


def file_names(cursor: Any, field: FileField) -> Iterator[tuple[str, str]]:
    """Yield name and digest of the file of each row; the digest is empty if rows of the kind do not have it."""
    meta = field.model._meta
    digest = "sha256" if any(field.column == "sha256" for field in meta.concrete_fields) else "''"
    # Names of tables and columns are the models' own.
    cursor.execute(f"SELECT {field.column}, {digest} FROM {meta.db_table} WHERE {field.column} <> ''")  # noqa: S608
    yield from cursor.fetchall()


def load(dump: Path) -> None:
    """Replace all that the database has by this dump, or leave it as it was. Raises BackupError."""
    connection.close()
    (_load_postgresql if connection.vendor == "postgresql" else _load_sqlite)(dump)
    connection.close()


def _load_sqlite(dump: Path) -> None:
    target = sqlite3.connect(connection.settings_dict["NAME"], timeout=60)
    with closing(sqlite3.connect(f"file:{dump}?mode=ro", uri=True)) as source, closing(target):
        try:
            source.backup(target)
        except sqlite3.Error as error:
            raise BackupError(f"The database could not be written: {error}. Stop the site first.") from error


def _load_postgresql(dump: Path) -> None:
    """Unpack the whole dump first, and then load it in one transaction."""
    with connection.cursor() as cursor:
        tables = map(connection.ops.quote_name, connection.introspection.table_names(cursor))
    connection.close()
    words = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", "--single-transaction"]
    words += [f"--command=SET LOCAL lock_timeout = '{_PATIENCE}'"]
    words += [f"--command=DROP TABLE IF EXISTS {table} CASCADE" for table in tables]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "database.sql")
        unpacked = ["--no-owner", "--no-acl", "--no-comments", f"--file={script}", str(dump)]
        _run("pg_restore", unpacked, is_of_site=False)
        try:
            _run("psql", [*words, f"--file={script}"])
        except BackupError as error:
            hint = " Is the site still running? Stop it first." if "lock timeout" in str(error) else ""
            raise BackupError(
                f"The database is as it was, since the dump could not be loaded: {error}{hint}"
            ) from error


def _run(program: str, words: list[str], is_of_site: bool = True) -> None:
    """Run one of PostgreSQL's programs, on the site's database; raises BackupError with what it said.

    It gets the password by its environment, since everybody on the machine can read a command line.
    """
    path = shutil.which(program)
    if not path:
        raise BackupError(f"There is no {program} on PATH. Install PostgreSQL's client programs (postgresql-client).")
    environment = dict(os.environ)
    if is_of_site:
        configured = connection.settings_dict
        (_, *words), variables = DatabaseClient.settings_to_cmd_args_env(configured, ["--no-password", *words])
        environment |= {"PGOPTIONS": configured["OPTIONS"].get("options", "")} | (variables or {})
    done = subprocess.run([path, *words], stderr=subprocess.PIPE, env=environment, check=False, text=True)
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")
