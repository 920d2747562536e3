"""A cache in Redis that is away refuses nobody, and has forgotten nothing that it should forget when it is back."""

import os
import pickle
import signal
import subprocess
import threading
from pathlib import Path

import pytest
import redis
from django.core.cache import caches
from django.test import override_settings
from django.urls import reverse
from kombu.exceptions import ContentDisallowed
from kombu.serialization import loads, prepare_accept_content

from evalsite import broker, forgiving_cache
from evalsite.celery import app
from evalsite.forgiving_cache import ForgivingRedisCache, forgiving
from evalsite.signed_values import SignedSerializer
from tests.factories import PASSWORD
from tests.workers import end


class Server:
    """A Redis that can be stopped, as a machine that is being restarted, and goes on with what it had."""

    def __init__(self) -> None:
        self.port = broker.free_port()
        self.url = broker.url(self.port)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
        command = broker.command(self.port, environ)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        broker.wait_until_ready(self.url, lambda: None)

    def stop(self) -> None:
        if self.process:
            end(self.process, signal.SIGTERM)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(forgiving_cache, "SECONDS_LEFT_ALONE", 0.0)
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def connected(server):
    """Makes caches as the threads of a process have them."""
    made: list[ForgivingRedisCache] = []

    def connect() -> ForgivingRedisCache:
        made.append(ForgivingRedisCache(server.url, {}))
        return made[-1]

    yield connect
    for cache in made:
        cache._cache.get_client().connection_pool.disconnect()


@pytest.fixture
def cache(connected):
    return connected()


def test_while_it_answers_it_is_a_cache_as_any_other(cache):
    cache.set("a", [1], 60)
    assert cache.get("a") == [1]
    assert cache.add("a", 2) is False
    assert cache.get_many(["a", "b"]) == {"a": [1]}
    cache.set_many({"n": 1})
    assert cache.incr("n") == 2
    assert cache.has_key("n")
    assert cache.delete("a") is True
    cache.delete_many(["n"])
    assert cache.get("n", "nothing") == "nothing"
    cache.clear()


class Payload:
    """A pickle that makes a file when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize("form", ["plain", "signed with another key", "signed by cutting"])
def test_what_a_stranger_has_put_into_redis_is_missing_and_not_read(cache, tmp_path, settings, form):
    path = tmp_path / "made"
    with override_settings(SECRET_KEY="another" if form == "signed with another key" else settings.SECRET_KEY):
        signed = SignedSerializer().dumps(Payload(path))
    data = {"plain": signed[32:], "signed by cutting": signed[:-1]}.get(form, signed)
    cache.client().set(cache.make_key("a"), data)
    assert cache.get("a", "nothing") == "nothing"
    cache.set("b", 1)
    assert cache.get_many(["a", "b"]) == {"b": 1}
    assert not path.exists()
    cache.set("a", {"of": "the site"})
    assert cache.get("a") == {"of": "the site"}


def test_what_is_no_value_at_all_is_missing(cache):
    cache.client().rpush(cache.make_key("a"), "of a list")
    assert cache.get("a", "nothing") == "nothing"


def test_a_worker_takes_no_message_that_is_a_pickle(tmp_path):
    path = tmp_path / "made"
    content = pickle.dumps(Payload(path))
    with pytest.raises(ContentDisallowed):
        loads(
            content, "application/x-python-serialize", "binary", accept=prepare_accept_content(app.conf.accept_content)
        )
    assert not path.exists()
    assert {app.conf.task_serializer, app.conf.result_serializer, *app.conf.accept_content} == {"json"}


def test_while_it_is_away_nothing_is_found_and_everybody_passes(cache, server, caplog):
    cache.set("a", 1)
    server.stop()
    assert cache.get("a", "default") == "default"
    assert cache.add("lock", True) is True
    cache.set("b", 1)
    assert cache.delete("a") is False
    assert cache.get_many(["a"]) == {}
    assert cache.incr("n") == 1
    assert sum("the cache does not answer" in record.getMessage() for record in caplog.records) == 1, "and is told once"


def test_what_became_old_while_it_was_away_is_gone_when_it_is_back(connected, cache, monkeypatch):
    """As a session that was ended meanwhile, which another thread of the process asks for first."""

    def fail(*args, **kwargs):
        raise redis.ConnectionError("Connection refused")

    other = connected()
    cache.set_many({"session": "alice", "page": "old", "kept": 1}, 60)
    with monkeypatch.context() as away:
        away.setattr(redis.connection.AbstractConnection, "send_command", fail)
        cache.delete("session")
        cache.set("page", "new")
    assert other.get_many(["session", "page", "kept"]) == {"kept": 1}
    cache.set("page", "newer")
    assert other.get("page") == "newer"


def test_only_redis_needs_it():
    assert forgiving({"BACKEND": "django.core.cache.backends.locmem.LocMemCache"})["BACKEND"].endswith("LocMemCache")
    found = forgiving({"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://x"})
    assert found == {"BACKEND": "evalsite.forgiving_cache.ForgivingRedisCache", "LOCATION": "redis://x"}


@pytest.mark.django_db
def test_people_log_in_while_it_is_away(client, alice, settings, server):
    settings.CACHES = {"default": forgiving({"BACKEND": "django.core.cache.backends.redis.RedisCache"})}
    settings.CACHES["default"]["LOCATION"] = server.url
    server.stop()
    for _ in range(12):
        assert client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}).url == reverse("home")
        client.post("/accounts/logout/")
    assert isinstance(caches["default"], ForgivingRedisCache)


def test_what_a_server_that_hangs_did_not_answer_is_asked_once(server, connected):
    """Or it would do both when it goes on, and refuse the second time what it has given the first time."""
    cache = connected()
    cache.set("known", 1)
    os.kill(server.process.pid, signal.SIGSTOP)
    going_on = threading.Timer(1.5 * forgiving_cache.SECONDS_TO_ANSWER, os.kill, (server.process.pid, signal.SIGCONT))
    going_on.start()
    try:
        assert cache.add("lock", 1)
    finally:
        going_on.join()
