"""While the database takes no writes, the site says so; what is tried for it leaves nothing behind."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, connections

from evalsite.base import write_probe
from evalsite.base.write_probe import probe_write
from evalsite.monitoring import health
from evalsite.upkeep.checks import services

pytestmark = pytest.mark.django_db(transaction=True)
NOTHING_CHANGES = "Nothing can be changed at the moment, so uploads are not accepted."


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(health, "_cached", None)
    yield
    health._cached = None


@contextmanager
def held_by_another() -> Iterator[None]:
    """Hold what all writes need, by a connection that has begun to write and does not end."""
    other = connections.create_connection("default")
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            if other.vendor == "sqlite":
                cursor.execute("BEGIN IMMEDIATE")
            else:
                cursor.execute(f"LOCK TABLE {Session._meta.db_table} IN SHARE MODE")
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def read_only() -> Iterator[None]:
    """Refuse writes, as where the database is a copy, or its administrator has stopped all of them."""
    on, off = {
        "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
        "postgresql": ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(on)
        try:
            yield
        finally:
            cursor.execute(off)


@pytest.mark.parametrize("hindered", [held_by_another, read_only])
def test_a_database_that_takes_no_writes_is_told_to_all_who_ask(client, monkeypatch, settings, hindered):
    settings.METRICS_TOKEN = "of operators"
    monkeypatch.setattr(write_probe, "LOCK_SECONDS", 0.1)
    with hindered():
        page = client.get("/status/")
        ready = client.get("/readyz", headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"})
        found = services.database()
    assert page.status_code == 200
    assert NOTHING_CHANGES in page.content.decode()
    assert "All is well." not in page.content.decode()
    told = json.loads(ready.content)
    assert (ready.status_code, told["database"], told["writes"]) == (200, True, False)  # pages are answered
    assert found.state == "wrong"
    assert found.said.startswith("The database answers, but takes no writes: ")
    cache.clear()
    monkeypatch.setattr(health, "_cached", None)
    assert "All is well." in client.get("/status/").content.decode()
    assert services.database().state == "ok"


def test_what_was_tried_is_taken_back_and_the_connection_has_its_patience_again():
    before = _patience()
    probe_write()
    assert not Session.objects.exists()
    assert _patience() == before


def _patience() -> str:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
        return cursor.fetchone()[0]


def test_many_visitors_of_the_page_cost_one_write(client, monkeypatch):
    tried = []
    monkeypatch.setattr(health, "probe_write", lambda: tried.append(1))
    for _ in range(20):
        client.get("/status/")
    assert len(tried) == 1
