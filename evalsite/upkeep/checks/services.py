"""Checks that the site's own programs, and those that it needs, answer."""

import secrets
import time
from datetime import UTC, datetime, timedelta
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.cache import cache as site_cache
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from evalsite.base.moment import database_now
from evalsite.base.write_probe import probe_write
from evalsite.celery import app
from evalsite.upkeep.findings import Finding, ok, warning, wrong
from evalsite.upkeep.models import BEAT_LATE, Pulse
from evalsite.upkeep.upgrading import newer
from evalsite.upkeep.wording import counted, duration

OLDEST_REDIS = (6, 2)
PATIENCE = 5  # seconds to connect
TIDY_LATE, BACKUP_LATE = timedelta(days=3), timedelta(days=8)


def database() -> Finding:
    """Check that it answers, has the shape that this code expects, and can be written to."""
    try:
        began = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        milliseconds = round(1000 * (time.monotonic() - began), 1)
    except Exception as error:  # of the driver, of the network, of the settings
        remedy = "Start it, and see that DATABASE_URL names it: docs/server.md."
        return wrong(f"The database does not answer: {type(error).__name__}: {error}", remedy)
    version = ".".join(map(str, connection.get_database_version()))
    facts = {"vendor": connection.vendor, "version": version, "milliseconds": milliseconds}
    executor = MigrationExecutor(connection)
    if missing := [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]:
        have = "has" if len(missing) == 1 else "have"
        text = f"{counted(len(missing), 'migration')} {have} not been applied, the first is {missing[0]}."
        return wrong(text, "Stop the site, make a backup, and run manage.py migrate.", missing=missing, **facts)
    if later := newer(executor.loader.applied_migrations):
        text = f"The database is of a newer version of the site: it has {later[0]}, which this code has not."
        return wrong(text, "Run the newer code, or restore the backup that was made before the upgrade.", **facts)
    try:
        probe_write()
    except DatabaseError as error:
        return wrong(f"The database answers, but takes no writes: {error}", _DATABASE_REMEDY, **facts)
    return ok(f"{connection.display_name} {version} answers, is up to date and takes writes.", **facts)


_DATABASE_REMEDY = (
    "See that its disk has room, that it is no copy that is only read, and who holds a lock: with SQLite a process of "
    "the site, with PostgreSQL pg_stat_activity says which."
)


def clock() -> Finding:
    """Check that this machine and the database agree about the time."""
    apart = abs(_clock_difference())
    facts = {"seconds_apart": round(apart.total_seconds(), 1)}
    remedy = "Have all machines keep the time by NTP (timedatectl set-ntp true)."
    text = f"This machine's clock and the database's are {duration(apart)} apart."
    if apart > settings.LEASE / 3:
        return wrong(text, remedy, **facts)
    if apart > timedelta(seconds=2):
        return warning(text, remedy, **facts)
    return ok("This machine and the database agree about the time.", **facts)


def _clock_difference() -> timedelta:
    if connection.vendor != "postgresql":
        return timedelta(0)  # SQLite has the clock of this machine
    began = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    ended = datetime.now(UTC)
    return theirs - (began + (ended - began) / 2)


def broker() -> Finding:
    """Check that it takes messages, and does not forget them when its memory is full."""
    url = str(app.conf.broker_url)
    if not url.startswith(("redis", "unix")):
        with app.connection_for_write() as messages:
            messages.ensure_connection(max_retries=1, timeout=PATIENCE)
        return ok("The broker answers.")
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as client:
            _probe_redis_write(client)
            facts = _redis_facts(client)
    except redis.ResponseError as error:
        remedy = f"{_REDIS_REMEDY} Uploads wait meanwhile; none is lost."
        return wrong(f"The broker at {_host(url)} answers, but takes no message: {error}", remedy)
    except (redis.RedisError, OSError) as error:
        remedy = "Start Redis, and see that REDIS_URL names it. Uploads wait meanwhile; none is lost."
        return wrong(f"The broker at {_host(url)} does not answer: {error}", remedy)
    version = facts.get("version", "")
    if version and tuple(map(int, version.split(".")[:2])) < OLDEST_REDIS:
        return wrong(f"Redis {version} is too old.", "Install Redis 6.2 or newer.", **facts)
    if facts.get("policy", "noeviction") != "noeviction":
        text = f"Redis may forget messages when its memory is full (maxmemory-policy {facts['policy']})."
        return warning(text, "Set maxmemory-policy noeviction.", **facts)
    waiting = sum(facts["waiting"].values())
    return ok(f"The broker at {_host(url)} answers; {counted(waiting, 'message')} in its queues.", **facts)


def _host(address: str) -> str:
    """Return host and port of an address, without its password."""
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port or 6379}" if parts.hostname else parts.path


_REDIS_REMEDY = (
    "See that it has memory (maxmemory) and room on its disk, and that it is no replica (redis-cli info replication)."
)


def _probe_redis_write(client: Any) -> None:
    """Raise if Redis is away, or keeps nothing: one whose memory is full, or a replica, answers all the same."""
    key = f"doctor-{secrets.token_hex(8)}"
    client.set(key, "", ex=60)
    client.delete(key)


def _redis_facts(client: Any) -> dict[str, Any]:
    """Return what the server says of itself; hosted ones, and the one written in Python, say less."""
    facts: dict[str, Any] = {"waiting": {name: client.llen(name) for name in app.amqp.queues}}
    try:
        facts["version"] = str(client.info("server").get("redis_version", ""))
        facts["policy"] = client.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
    except redis.ResponseError:
        pass
    return facts


def cache() -> Finding:
    """Check that values that are put into it come out again."""
    key, value = f"doctor-{secrets.token_hex(8)}", secrets.token_hex(8)
    try:
        if "redis" in (address := str(settings.CACHES["default"].get("LOCATION", ""))):
            # The cache itself hides that Redis is away.
            with redis.Redis.from_url(address, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as client:
                _probe_redis_write(client)
        site_cache.set(key, value, 60)
        stored = site_cache.get(key)
        site_cache.delete(key)
    except redis.ResponseError as error:
        return wrong(f"The cache answers, but keeps nothing: {error}", _REDIS_REMEDY)
    except Exception as error:  # each backend has its own
        return wrong(f"The cache does not answer: {error}", "Start it, and see that CACHE_URL names it.")
    if stored != value:
        return wrong(
            "The cache forgets at once what it is given.", "See that it has memory, and that CACHE_URL is right."
        )
    if settings.PRODUCTION and "locmem" in settings.CACHES["default"]["BACKEND"]:
        text = "Each process has a cache of its own, so that limits on log-ins hold for each of them alone."
        return warning(text, "Set CACHE_URL, such as rediscache://127.0.0.1:6379/1.")
    return ok("The cache answers.")


def mail() -> Finding:
    """Check that the mail server lets the site in; no mail is sent."""
    backend = str(getattr(settings, "MAIL_TRANSPORT", settings.EMAIL_BACKEND))
    remedy = "Set EMAIL_URL, such as smtp+tls://user:password@host:587."
    if not backend.endswith("smtp.EmailBackend"):
        text = f"Mail goes to no mail server, but to {backend.rpartition('.')[0].rpartition('.')[2]}."
        return wrong(text, remedy) if settings.PRODUCTION else ok(text)
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        transport = get_connection(backend, timeout=PATIENCE)
        transport.open()
        transport.close()
    except (OSError, SMTPException) as error:
        return wrong(f"The mail server {server} does not take the site's mail: {error}", remedy)
    return ok(f"The mail server {server} lets the site in.")


def workers() -> Finding:
    """Check that they are alive, and no queue is without one."""
    active = app.control.inspect(timeout=3).active_queues() or {}
    serving = {name: sorted(queue["name"] for queue in queues) for name, queues in active.items()}
    expected = set(app.amqp.queues)
    remedy = "Start one: celery -A evalsite.celery worker, or systemctl start its unit. Uploads wait meanwhile."
    if not serving:
        return wrong("No worker answers.", remedy, workers={}, queues=sorted(expected))
    facts = {"workers": serving, "queues": sorted(expected)}
    if unserved := sorted(expected - {name for names in serving.values() for name in names}):
        return wrong(f"No worker serves the queue {', '.join(unserved)}.", remedy, unserved=unserved, **facts)
    words = "; ".join(f"{name} serves {', '.join(queues)}" for name, queues in sorted(serving.items()))
    return ok(f"{counted(len(serving), 'worker')}: {words}.", **facts)


def beat() -> Finding:
    """Check that periodic work is being done."""
    remedy = "Start celery -A evalsite.celery beat, and a worker. Without it what a dead worker held is not taken back."
    pulse = Pulse.objects.filter(name=Pulse.Name.BEAT).first()
    if pulse is None:
        return wrong("Beat has never been heard of.", remedy)
    ago = database_now() - pulse.last
    facts = {"seconds_ago": round(ago.total_seconds())}
    if ago > BEAT_LATE:
        return wrong(f"Beat was last heard of {duration(ago)} ago.", remedy, **facts)
    return ok(f"Beat was heard of {duration(ago)} ago.", **facts)


def upkeep() -> Finding:
    """Check that backups are made, and what nobody owns is tidied away."""
    last = dict(Pulse.objects.values_list("name", "last"))
    now = database_now()
    backup, tidied = last.get(Pulse.Name.BACKUP), last.get(Pulse.Name.TIDY)
    facts = {name: when.isoformat() for name, when in last.items()}
    if settings.PRODUCTION and (backup is None or now - backup > BACKUP_LATE):
        text = f"The last backup is {duration(now - backup)} old." if backup else "There is no backup."
        return warning(text, "Run manage.py backup each night: docs/backup.md.", **facts)
    if tidied is not None and now - tidied > TIDY_LATE:
        text = f"The site was last tidied {duration(now - tidied)} ago; beat does it each day."
        return warning(text, "Run manage.py tidy, and see what it says.", **facts)
    return ok("Backups and tidying are up to date." if backup else "Tidying is up to date.", **facts)
