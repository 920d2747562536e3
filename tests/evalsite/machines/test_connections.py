"""Connections to PostgreSQL stay from page to page, and one that the server has ended is noticed before it is used."""

from collections.abc import Iterator

import pytest
from django.db.utils import ConnectionHandler
from environ import Env

from evalsite.postgresql.base import DatabaseWrapper
from tests.hosts import postgresql, postgresql_programs

pytestmark = pytest.mark.skipif(not postgresql_programs(), reason="PostgreSQL is not installed here")


@pytest.fixture
def connections(tmp_path, django_db_blocker) -> Iterator[list[DatabaseWrapper]]:
    """Two, of one server of our own."""
    with postgresql(tmp_path / "server", "127.0.0.1") as url, django_db_blocker.unblock():
        of_site = Env.db_url_config(url) | {
            "ENGINE": "evalsite.postgresql",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
        handler = ConnectionHandler({"default": of_site, "other": of_site})
        yield [handler["default"], handler["other"]]
        handler.close_all()


def process_of(connection: DatabaseWrapper) -> int:
    """The server's, which answers on this connection, asked as the next page asks."""
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def test_a_connection_stays_until_the_server_ends_it(connections):
    own, other = connections
    first = process_of(own)
    assert process_of(own) == first
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    assert process_of(own) != first


def test_a_connection_that_was_closed_here_is_not_used(connections):
    own, _ = connections
    first = process_of(own)
    own.connection.close()
    assert not own.is_usable()
    assert process_of(own) != first
