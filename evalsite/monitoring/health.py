"""Probes the services that the site depends on: database, broker, cache, storage; each for a second or two."""

import uuid
from collections.abc import Callable
from time import monotonic

import structlog
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu.exceptions import OperationalError

from evalsite.base.write_probe import probe_write
from evalsite.celery import app

log = structlog.get_logger()
CACHE_SECONDS = 2.0  # for which a result is reused, so that frequent requests cost nothing
NEEDED = ("database", "migrations")  # without them no page can be answered
_BROKER_SECONDS = 1.0

_cached: tuple[float, dict[str, bool]] | None = None


def service_health() -> dict[str, bool]:
    """Return whether each service answers, by name; a result of two seconds ago is still good."""
    global _cached  # noqa: PLW0603 - one for each process
    if _cached is None or monotonic() - _cached[0] > CACHE_SECONDS:
        _cached = monotonic(), {name: _answers(name, probe) for name, probe in _PROBES.items()}
    return _cached[1]


def _answers(name: str, probe: Callable[[], bool]) -> bool:
    try:
        return probe()
    except Exception as error:  # whatever a library raises, the service does not answer
        log.warning("a part does not answer", part=name, error=f"{type(error).__name__}: {error}")
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _writes() -> bool:
    probe_write()  # raises if the database takes none
    return True


_is_migrated = False


def _migrations() -> bool:
    """Return whether all migrations are applied; once they are, that is not asked again."""
    global _is_migrated  # noqa: PLW0603 - one for each process
    if not _is_migrated:
        executor = MigrationExecutor(connection)
        _is_migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _is_migrated


def _broker() -> bool:
    try:
        with app.connection_for_write(connect_timeout=_BROKER_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=_BROKER_SECONDS)
    except OperationalError:
        return False
    return True


def _cache() -> bool:
    value = uuid.uuid4().hex
    cache.set("monitoring", value, 60)
    return cache.get("monitoring") is not None


def _storage() -> bool:
    default_storage.exists("monitoring")  # raises if the storage is away
    return True


_PROBES: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "writes": _writes,
    "broker": _broker,
    "cache": _cache,
    "storage": _storage,
}
