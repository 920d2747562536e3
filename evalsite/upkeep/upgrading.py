"""Checks which databases this code can take: empty ones, and those of version 1.2.0 and later, up to its own.

Each app begins with the tables of 1.2.0. The steps on the way there are recorded in databases, but no files any more.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

import scoring as engine
from scoring.families.parts import for_part

Recorded = Iterable[tuple[str, str]]  # app and name of each migration that was applied

TOO_OLD = "is of a version before 1.2.0."
OPTIONS_FIRST = (
    "Nothing was changed. Go on with the version before, and choose other options there, or make the task's archive "
    "and delete it: CHANGELOG.md says what to use instead of an option that is gone."
)
UPGRADE_FIRST = (
    "Upgrade it to 1.2.0 first, by that version's own manage.py migrate, and then to this one: docs/server.md."
)


def newer(recorded: Recorded) -> list[str]:
    """Return the migrations, as app.name, whose numbers are beyond all that this code has of their app."""
    last: dict[str, str] = {}
    for app, name in sorted(MigrationLoader(None).disk_migrations or ()):
        last[app] = _number(name)
    return sorted(f"{app}.{name}" for app, name in recorded if _number(name) > last.get(app, _number(name)))


def is_too_old(recorded: Recorded) -> bool:
    """Return whether an app of the site has tables, but not those with which it begins here."""
    names = set(recorded)
    apps = {app for app, _ in names}
    files = MigrationLoader(None).disk_migrations or {}
    initial = {key: file for key, file in files.items() if file.initial and file.__module__.startswith("evalsite.")}
    return any(
        key[0] in apps and key not in names and not (file.replaces and names.issuperset(map(tuple, file.replaces)))
        for key, file in initial.items()
    )


@register(Tags.database)
def check_age(databases: Iterable[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each database that is too old: `migrate` asks, and stops before anything is changed."""
    recorded = (MigrationRecorder(connections[alias]).applied_migrations() for alias in databases or ())
    return [
        Error(f"This database {TOO_OLD}", UPGRADE_FIRST, id="evalsite.E004")
        for migration in recorded
        if is_too_old(migration)
    ]


@register(Tags.database)
def check_options(databases: Iterable[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each scenario whose options this engine does not take any more: `migrate` stops before it."""
    return [
        Error(f"This engine does not take the options of {named}: {error}.", OPTIONS_FIRST, id="evalsite.E005")
        for alias in databases or ()
        for named, error in untaken_options(connections[alias])
    ]


def untaken_options(connection: Any) -> Iterator[tuple[str, str]]:
    """Yield the name, and the problem, of each scenario with options that its family refuses.

    Their pages could not be shown. Rows are read as every version since 1.2.0 stores them, before any migration.
    """
    if "challenges_scenario" not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT slug, number, family, options FROM challenges_scenario "
            "JOIN challenges_task ON challenges_task.id = task_id ORDER BY slug, number"
        )
        for task, number, family, stored in cursor.fetchall():
            options = json.loads(stored) if isinstance(stored, str) else stored
            try:
                if family in engine.FAMILIES:
                    for_part(engine.FAMILIES[family], options).configure(options)
            except engine.ConfigurationError as error:
                yield f"{task}, scenario {number}", str(error)


def _number(name: str) -> str:
    """Return the last step that the migration stands for: 0026 of 0001_squashed_0026_kept_resamples."""
    return re.findall(r"^\d+|(?<=_squashed_)\d+", name)[-1]
