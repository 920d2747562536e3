"""The database of a first start is the one that migrations make, and whole or not there."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

SCHEMA = """
import json
from django.db import connection
with connection.cursor() as cursor:
    def rows(sql): return sorted(map(repr, cursor.execute(sql).fetchall()))
    tables = [name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    print(json.dumps({
        "indexes": rows("SELECT name, sql FROM sqlite_master WHERE type = 'index'"),
        "columns": {table: rows(f'SELECT name, type, "notnull", pk FROM pragma_table_info("{table}")')
                    for table in tables},
        "keys": {table: rows(f'SELECT "table", "from", "to" FROM pragma_foreign_key_list("{table}")')
                 for table in tables},
        "migrations": rows("SELECT app, name FROM django_migrations"),
        "permissions": rows("SELECT codename FROM auth_permission"),
    }))
"""
STOPPED = """
from demo import database
make = database.call_command
def stopped(*words, **options):
    make(*words, **options)
    if "fake" in options:
        raise KeyboardInterrupt
database.call_command = stopped
try:
    database.create_database()
except KeyboardInterrupt:
    print(database.is_new())
database.call_command = make
database.create_database()
print(database.is_new())
"""


def run(folder, *programs):
    """Return what the programs print, run in turn by a process whose site has all apps and its data in this folder.

    Without an app, migrations of before it was one still make its tables, which are then waiting for it.
    """
    environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "EVALSITE_WITHOUT")}
    environ |= {"EVALSITE_DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "evalsite.settings"}
    command = [sys.executable, "-c", "\n".join(["import django; django.setup()", *programs])]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environ, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.thorough
def test_a_first_start_makes_what_migrations_make(tmp_path):
    short = run(tmp_path / "short", "from demo.database import create_database; create_database()", SCHEMA)
    migrated = "from django.core.management import call_command; call_command('migrate', verbosity=0)"
    assert json.loads(short) == json.loads(run(tmp_path / "long", migrated, SCHEMA))


def test_a_start_that_is_stopped_while_it_makes_the_database_leaves_none(tmp_path):
    assert run(tmp_path, STOPPED) == "True\nFalse\n"
