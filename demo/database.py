"""Makes the database of a first start, which running all migrations would hold up most."""

import os
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection


def is_new() -> bool:
    return not connection.introspection.table_names()


def create_database() -> None:
    """Make the database's file, with all tables.

    A file beside takes the database's place once it is whole, so a start that is interrupted leaves no part of it.
    """
    name = str(connection.settings_dict["NAME"])
    beside = f"{name}.new"
    Path(beside).unlink(missing_ok=True)
    connection.close()
    connection.settings_dict["NAME"] = beside
    try:
        create_tables()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
    os.replace(beside, name)


def create_tables() -> None:
    """Make the tables from the models, and note all migrations as applied: running these takes ten times as long.

    The first is what Django does for a database of tests that is not migrated.
    """
    modules = settings.MIGRATION_MODULES
    settings.MIGRATION_MODULES = {config.label: None for config in apps.get_app_configs()}
    try:
        call_command("migrate", run_syncdb=True, verbosity=0)
    finally:
        settings.MIGRATION_MODULES = modules
    call_command("migrate", fake=True, verbosity=0)
