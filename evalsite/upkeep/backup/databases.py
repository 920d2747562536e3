"""Dumps of the site's database as it is at one moment, with the names of the files that its rows know, and back again.

PostgreSQL's own programs do it, which are told of the database by their environment: a command line can be read by
everybody on the machine.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from evalsite.upkeep.backup.manifest import BackupError
from evalsite.upkeep.stored import AT_ONCE, file_fields

Rows = Iterator[tuple[Any, ...]]
Ask = Callable[[str], Rows]

FILE_NAMES = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}
_BY_ENVIRONMENT = {  # options of the driver that have a variable
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "service": "PGSERVICE",
    "passfile": "PGPASSFILE",
    "options": "PGOPTIONS",
}
_PATIENCE = "30s"  # for others to let go of a table


@dataclass(frozen=True)
class Named:
    """A file that a row knows, in the order of names."""

    name: str
    sha256: str  # "" where rows of the kind do not know it
    table: str


@contextmanager
def dumped(target: Path) -> Iterator[Ask]:
    """Dump the database into the file; then gives what asks the same state of it. Raises BackupError."""
    with (_dumped_postgresql if connection.vendor == "postgresql" else _dumped_sqlite)(target) as ask:
        yield ask


def named(ask: Ask) -> list[Iterator[Named]]:
    """The files of all rows: an iterator for each column, and each in the order of names."""
    return [_named(ask, field) for field in file_fields()]


def _named(ask: Ask, field: Any) -> Iterator[Named]:
    meta = field.model._meta
    # Bytes in their order, as a merge of several lists needs, whatever the database's language is.
    collation = '"C"' if connection.vendor == "postgresql" else "BINARY"
    digest = "sha256" if any(each.column == "sha256" for each in meta.concrete_fields) else "''"
    # Names of tables and columns are the models' own.
    query = f"SELECT {field.column}, {digest} FROM {meta.db_table} WHERE {field.column} <> '' "  # noqa: S608
    for name, sha256 in ask(f"{query} ORDER BY {field.column} COLLATE {collation}"):
        yield Named(name, sha256 or "", meta.db_table)


@contextmanager
def _dumped_postgresql(target: Path) -> Iterator[Ask]:
    """One snapshot for pg_dump and for us: what is listed is what is dumped, whatever the site does meanwhile."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        run(["pg_dump", "--no-password", "--format=custom", f"--snapshot={snapshot}", f"--file={target}"])
        yield _ask_postgresql


def _ask_postgresql(query: str) -> Rows:
    with connection.chunked_cursor() as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(AT_ONCE):
            yield from rows


@contextmanager
def _dumped_sqlite(target: Path) -> Iterator[Ask]:
    """SQLite copies a database while others write to it; whoever writes is not held up."""
    source = sqlite3.connect(connection.settings_dict["NAME"], timeout=60)
    with closing(source), closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        yield lambda query: iter(copy.execute(query))


def load(dump: Path) -> None:
    """Put this dump in the place of all that the database has, or leave it as it was. Raises BackupError."""
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
    """All in one transaction, which ends well only if the whole dump has come."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    connection.close()
    words = ["psql", "--no-password", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    with subprocess.Popen(
        [_program("psql"), *words[1:]], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as psql:
        assert psql.stdin
        psql.stdin.write(f"BEGIN; SET LOCAL lock_timeout = '{_PATIENCE}';\n".encode())
        for table in tables:
            psql.stdin.write(f"DROP TABLE IF EXISTS {connection.ops.quote_name(table)} CASCADE;\n".encode())
        psql.stdin.flush()
        said = ""
        try:
            run(["pg_restore", "--no-owner", "--no-acl", "--no-comments", "--file=-", str(dump)], into=psql.stdin)
            psql.stdin.write(b"\nCOMMIT;\n")
        except (BackupError, BrokenPipeError) as error:
            said = str(error)
        _, errors = psql.communicate()
    if said or psql.returncode:
        told = errors.decode(errors="replace").strip() or said
        hint = " Is the site still running? Stop it first." if "lock timeout" in told else ""
        raise BackupError(f"The database is as it was, since the dump could not be loaded: {told}{hint}")


def run(words: list[str], into: Any = None) -> None:
    """Run one of PostgreSQL's programs on the site's database; raises BackupError with what it said."""
    done = subprocess.run(
        [_program(words[0]), *words[1:]], stdout=into, stderr=subprocess.PIPE, env=environment(), check=False
    )
    if done.returncode:
        raise BackupError(f"{words[0]} failed: {done.stderr.decode(errors='replace').strip()}")


def _program(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise BackupError(f"There is no {name} on PATH. Install PostgreSQL's client programs (postgresql-client).")
    return found


def environment() -> dict[str, str]:
    """Where the database is, and who we are there."""
    told = connection.settings_dict
    own = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    found = {variable: str(told[name]) for variable, name in own.items() if told.get(name)}
    options = told.get("OPTIONS", {})
    found |= {variable: str(options[name]) for name, variable in _BY_ENVIRONMENT.items() if name in options}
    kept = {name: value for name, value in os.environ.items() if not re.match(r"PG[A-Z]+$", name) or name not in found}
    return kept | found
