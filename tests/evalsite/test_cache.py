"""A cache in Redis that is away refuses nobody, and a stranger who writes into it brings no code into the site."""

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

from evalsite.base import broker
from evalsite.base.cache import SECONDS_TO_ANSWER, ForgivingRedisCache, SignedSerializer
from evalsite.celery import app
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
    monkeypatch.setattr(ForgivingRedisCache, "away_until", 0.0)
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def cache(server):
    return ForgivingRedisCache(server.url, {})


@pytest.fixture
def client_of_server(server):
    with redis.Redis.from_url(server.url) as client:
        yield client


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
def test_what_a_stranger_has_put_into_redis_is_missing_and_not_read(cache, client_of_server, tmp_path, settings, form):
    path = tmp_path / "made"
    with override_settings(SECRET_KEY="another" if form == "signed with another key" else settings.SECRET_KEY):
        signed = SignedSerializer().dumps(Payload(path))
    data = {"plain": signed[32:], "signed by cutting": signed[:-1]}.get(form, signed)
    client_of_server.set(cache.make_key("a"), data)
    assert cache.get("a", "nothing") == "nothing"
    assert cache.get_many(["a"]) == {}
    assert not path.exists()
    cache.set("a", {"of": "the site"})
    assert cache.get("a") == {"of": "the site"}


def test_what_is_no_value_at_all_is_missing(cache, client_of_server):
    client_of_server.rpush(cache.make_key("a"), "of a list")
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


@pytest.mark.django_db
def test_people_log_in_while_it_is_away(client, alice, settings, server):
    settings.CACHES = {"default": {"BACKEND": f"{ForgivingRedisCache.__module__}.ForgivingRedisCache"}}
    settings.CACHES["default"]["LOCATION"] = server.url
    server.stop()
    for _ in range(12):
        assert client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}).url == reverse("home")
        client.post("/accounts/logout/")
    assert isinstance(caches["default"], ForgivingRedisCache)


def test_what_a_server_that_hangs_did_not_answer_is_asked_once(server, cache):
    """Or it would do both when it goes on, and refuse the second time what it has given the first time."""
    cache.set("known", 1)
    os.kill(server.process.pid, signal.SIGSTOP)
    going_on = threading.Timer(1.5 * SECONDS_TO_ANSWER, os.kill, (server.process.pid, signal.SIGCONT))
    going_on.start()
    try:
        assert cache.add("lock", 1)
    finally:
        going_on.join()
