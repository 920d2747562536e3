"""Whether what the site stands on answers: database, broker, cache, storage; each is asked for a second or two."""

import uuid
from collections.abc import Callable
from time import monotonic

import structlog
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu.exceptions import OperationalError

from evalsite.celery import app
from evalsite.monitoring.writing import try_a_write

log = structlog.get_logger()
ANSWERED_FOR = 2.0  # seconds for which an answer stands, so that whoever asks often costs nothing
NEEDED = ("database", "migrations")  # without them no page can be answered
_BROKER_SECONDS = 1.0

_asked: tuple[float, dict[str, bool]] | None = None


def parts() -> dict[str, bool]:
    """By name, whether each part answers; an answer of two seconds ago is still good."""
    global _asked  # noqa: PLW0603 - one for each process
    if _asked is None or monotonic() - _asked[0] > ANSWERED_FOR:
        _asked = monotonic(), {name: _answers(name, ask) for name, ask in _ASK.items()}
    return _asked[1]


def _answers(name: str, ask: Callable[[], bool]) -> bool:
    try:
        return ask()
    except Exception as error:  # whatever a library raises: the part does not answer
        log.warning("a part does not answer", part=name, error=f"{type(error).__name__}: {error}")
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _writes() -> bool:
    try_a_write()  # raises where the database takes none
    return True


_is_migrated = False


def _migrations() -> bool:
    """Whether the database has all that this code needs; once it has, that is not asked again."""
    global _is_migrated  # noqa: PLW0603 - one for each process
    if not _is_migrated:
        executor = MigrationExecutor(connection)
        _is_migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _is_migrated


def _broker() -> bool:
    try:
        with app.connection_for_write(connect_timeout=_BROKER_SECONDS) as asked:
            asked.ensure_connection(max_retries=1, interval_start=0, timeout=_BROKER_SECONDS)
    except OperationalError:
        return False
    return True


def _cache() -> bool:
    value = uuid.uuid4().hex
    cache.set("monitoring", value, 60)
    return cache.get("monitoring") is not None


def _storage() -> bool:
    default_storage.exists("monitoring")  # raises where the storage is away
    return True


_ASK: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "writes": _writes,
    "broker": _broker,
    "cache": _cache,
    "storage": _storage,
}
