"""The cast: alice and bob share a team, charlie is a stranger, olga organises; and a task they meet in."""

import os
from contextlib import AbstractContextManager, nullcontext
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.core.cache import caches
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import resolve
from django.utils import translation

from evalsite.accounts.models import Team, User
from evalsite.background import services as background
from evalsite.base.leases import renewing
from evalsite.celery import app
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.jobs import sandbox
from evalsite.jobs.sandbox import Limits
from evalsite.leaderboard.making import scheduling
from evalsite.public_pages import middleware as public_pages
from evalsite.submissions.lifecycle import transitions
from evalsite.submissions.models import Submission
from tests.factories import (
    make_gold,
    make_organiser,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    scored,
)
from tests.printed import addresses_in
from tests.thoroughness import is_thorough
from tests.workers import broker_process, broker_url, celery

MAILED_HOSTS = ("testserver", "localhost", "127.0.0.1", "example.org")


def _migrates(database: BaseDatabaseWrapper) -> bool:
    return is_thorough() and database.vendor == "postgresql"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """A database for each process of the tests; SQLite's is a file, so that workers and browsers can work on it too."""
    default = connections["default"]
    # From the models they are made in a fraction of the time; CI makes PostgreSQL's by the migrations, as every site
    # does, and compares SQLite's with what they make (tests/demo/test_database.py).
    default.settings_dict["TEST"]["MIGRATE"] = _migrates(default)
    if default.vendor == "sqlite":
        default.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        # It need not outlive a power cut, and does not wait for the disk.
        default.settings_dict["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Note that no migration is missing, where the tables were made from the models."""
    if not _migrates(connection):
        with django_db_blocker.unblock():
            recorder = MigrationRecorder(connection)
            recorder.ensure_schema()
            for key, migration in MigrationLoader(connection).disk_migrations.items():
                for app_label, name in (key, *migration.replaces):
                    recorder.record_applied(app_label, name)


@pytest.fixture(autouse=True, scope="session")
def _no_foreign_broker():
    """Messages go nowhere; the tests of worker and broker start their own."""
    app.conf.broker_url = "memory://"


@pytest.fixture(autouse=True, scope="session")
def _engine_is_loaded():
    """Start the engine, as in a process that has been up for a second: the first job would else wait for it."""
    return sandbox.missing_limits(Limits(10, 2**28, 2**20))


@pytest.fixture
def all_limits(_engine_is_loaded):
    """Skip tests of what a child may not do, on systems that cannot keep it from that."""
    if _engine_is_loaded:
        pytest.skip(f"this system sets its processes no limit of {' and '.join(_engine_is_loaded)}")


@pytest.fixture(autouse=True)
def _private_files(settings, tmp_path, monkeypatch):
    """Uploads of a test go with the test, rate limits and kept pages are forgotten, and passwords cost no time.

    Nor do static files, which each client would else look for all over again before its first request, nor the disk,
    for which each stored file would wait four times.
    """
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.CACHE_DIR = tmp_path / "cache"
    settings.N_RESAMPLES = 200
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr(public_pages, "MAX_AGE", 0)  # what a test does is seen at once, but in those of public pages
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(autouse=True)
def _no_heart_in_a_transaction(monkeypatch):
    """It beats over a connection of its own, which on SQLite waits for the end of the test's transaction: 20 seconds
    for whatever takes one on a busy machine. Tests of hearts are in no transaction."""
    for module in (background, scheduling, transitions):
        monkeypatch.setattr(module, "renewing", _renewing)


def _renewing(*words, **times) -> AbstractContextManager[None]:
    return nullcontext() if connection.in_atomic_block else renewing(*words, **times)


__all__ = ["broker_process", "broker_url", "celery"]  # fixtures from tests.workers


@pytest.fixture
def alice(db) -> User:
    return make_user("Alice")


@pytest.fixture
def bob(db) -> User:
    return make_user("Bob")


@pytest.fixture
def charlie(db) -> User:
    return make_user("Charlie")


@pytest.fixture
def olga(db) -> User:
    return make_user("Olga", may_create_tasks=True)


@pytest.fixture
def administering(olga) -> User:
    """Olga as an administrator of the site, for the pages of the administration."""
    User.objects.filter(pk=olga.pk).update(is_staff=True, is_superuser=True)
    olga.refresh_from_db()
    return olga


@pytest.fixture
def team(alice, bob) -> Team:
    return make_team("Alice and Bob", alice, bob)


@pytest.fixture
def strangers(charlie) -> Team:
    return make_team("Charlie's team", charlie)


@pytest.fixture
def task(olga) -> Task:
    return make_task(organiser=olga)


@pytest.fixture
def otto(task) -> User:
    """A second organiser of the task, who does not own it."""
    otto = make_user("Otto")
    make_organiser(task, otto)
    return otto


@pytest.fixture
def scenario(task) -> Scenario:
    return make_scenario(task)


@pytest.fixture
def phase(task, scenario) -> Phase:
    """An open phase with gold for scenario 1."""
    phase = make_phase(task)
    make_gold(phase, scenario)
    return phase


@pytest.fixture
def submission(phase, team, alice) -> Submission:
    """A queued submission of alice."""
    return make_submission(phase, team, alice)


@pytest.fixture
def scored_submission(submission) -> Submission:
    return scored(submission)


@pytest.fixture(autouse=True)
def _english():
    """A request leaves its language to the thread that answered it; the next test begins in English."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _mails_lead_somewhere():
    """Each address in a mail, whoever sends it, is on the site that sends it, and there is such a page."""
    yield
    for letter in getattr(mail, "outbox", []):
        for address in map(urlsplit, addresses_in(letter.body)):
            assert address.hostname in MAILED_HOSTS, f"{letter.subject}: {address.geturl()}"
            resolve(address.path or "/")


def logged_in(user: User) -> Client:
    """Return a browser of the user's own, so that several people can act in one test."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice) -> Client:
    return logged_in(alice)


@pytest.fixture
def as_bob(bob) -> Client:
    return logged_in(bob)


@pytest.fixture
def as_charlie(charlie) -> Client:
    return logged_in(charlie)


@pytest.fixture
def as_olga(olga) -> Client:
    return logged_in(olga)


@pytest.fixture
def clock_queries() -> int:
    """Return how many queries it takes to ask for the time: SQLite has the clock of this machine."""
    return 0 if connection.vendor == "sqlite" else 1
