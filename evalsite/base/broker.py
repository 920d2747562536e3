"""The message broker of a laptop: that of REDIS_URL, else a Redis on PATH, else one written in Python.

All that Evalsite keeps in a broker can be made again from the database, so one started here writes nothing to disk.
"""

import shutil
import socket
import sys
import time
from collections.abc import Callable, Mapping

import redis

LOOPBACK = "127.0.0.1"


def command(port: int, environ: Mapping[str, str]) -> list[str] | None:
    """Return the command that starts a broker on this port; None where REDIS_URL names one that runs already."""
    if environ.get("REDIS_URL"):
        return None
    for name in ("redis-server", "valkey-server"):
        if server := shutil.which(name, path=environ.get("PATH")):
            options = {"--port": str(port), "--bind": LOOPBACK, "--save": "", "--appendonly": "no"}
            return [server, *(word for option in options.items() for word in option)]
    return [sys.executable, "-m", "evalsite.base.embedded_broker", "--port", str(port)]


def url(port: int) -> str:
    return f"redis://{LOOPBACK}:{port}/0"


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until_ready(url: str, check: Callable[[], None], timeout: float = 20) -> None:
    """Wait up to `timeout` seconds for the answer to a PING, and call `check` between the attempts."""
    end = time.monotonic() + timeout
    with redis.Redis.from_url(url, socket_connect_timeout=2) as client:
        while True:
            try:
                client.ping()
                return
            except (redis.ConnectionError, redis.TimeoutError):
                if time.monotonic() > end:
                    raise
            check()
            time.sleep(0.05)
