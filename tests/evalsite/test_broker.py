"""Each kind of broker is started as the demo starts it and moves a message."""

import os
import shutil
import subprocess
import sys

import pytest
import redis

from evalsite.base import broker

LOCAL_REDIS = shutil.which("redis-server") or shutil.which("valkey-server")
WITHOUT_REDIS = os.environ | {"PATH": "", "REDIS_URL": ""}
kinds = pytest.mark.parametrize(
    "environ",
    [
        pytest.param(WITHOUT_REDIS, id="embedded"),
        pytest.param(
            os.environ | {"REDIS_URL": ""},
            id="redis",
            marks=pytest.mark.skipif(not LOCAL_REDIS, reason="neither redis-server nor valkey-server is on PATH"),
        ),
    ],
)


@kinds
def test_a_started_broker_moves_messages_and_writes_nothing(environ, tmp_path):
    port = broker.free_port()
    command = broker.command(port, environ)
    with subprocess.Popen(command, cwd=tmp_path, env=environ | {"PYTHONPATH": os.getcwd()}) as process:
        try:
            broker.wait_until_ready(broker.url(port), lambda: None)
            with redis.Redis.from_url(broker.url(port)) as client:
                client.lpush("queue", b"first", b"second")
                assert client.brpop("queue", timeout=5) == (b"queue", b"first")
                assert client.eval("return redis.call('llen', KEYS[1])", 1, "queue") == 1
        finally:
            process.terminate()
    assert list(tmp_path.iterdir()) == []


def test_the_embedded_broker_serves_where_no_redis_is_installed():
    assert broker.command(7000, WITHOUT_REDIS) == [
        sys.executable,
        "-m",
        "evalsite.base.embedded_broker",
        "--port",
        "7000",
    ]


def test_a_configured_broker_is_used_as_it_is():
    assert broker.command(7000, {"REDIS_URL": "redis://queue.example.org/0"}) is None


def test_a_redis_on_the_path_is_kept_to_this_machine(tmp_path):
    (tmp_path / "valkey-server").touch(mode=0o755)
    command = broker.command(7000, {"PATH": str(tmp_path)})
    assert command[0] == str(tmp_path / "valkey-server")
    assert command[command.index("--bind") + 1] == "127.0.0.1"


def test_waiting_ends_when_the_broker_has_died():
    def died():
        raise ChildProcessError("the broker has died")

    with pytest.raises(ChildProcessError):
        broker.wait_until_ready(broker.url(broker.free_port()), died)


def test_waiting_ends_with_the_reason_after_a_while():
    with pytest.raises(redis.ConnectionError):
        broker.wait_until_ready(broker.url(broker.free_port()), lambda: None, timeout=0)
