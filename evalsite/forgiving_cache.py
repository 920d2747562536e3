"""A shared cache that may be away: what it would have answered is then not known, and nobody is refused for that.

Limits on log-ins count in the cache. Without it they let everybody pass, for as long as it is away; the limits of the
proxy in front hold meanwhile. Sessions and pages that are cached come from where they were made.
"""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.core.signing import BadSignature
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError
from redis.retry import Retry

from evalsite.signed_values import SignedSerializer

log = structlog.get_logger()
Answer = TypeVar("Answer")
SECONDS_TO_ANSWER = 1.0
SECONDS_LEFT_ALONE = 2.0  # after an error, so that not every request of these seconds waits for it
_MOST_LOST = 10_000  # keys


def forgiving(cache: dict[str, Any]) -> dict[str, Any]:
    """The setting of a cache: one in Redis is made forgiving, any other stays as it is."""
    if not cache["BACKEND"].endswith(".RedisCache"):
        return cache
    return cache | {"BACKEND": "evalsite.forgiving_cache.ForgivingRedisCache"}


@dataclass
class _Server:
    """What this process knows of a server; its threads share it."""

    away_until: float = 0.0  # by the monotonic clock
    is_away: bool = False
    lost: set[str] = field(default_factory=set)  # keys that were to be changed while it was away
    lock: threading.Lock = field(default_factory=threading.Lock)

    def lose(self, key: str | None) -> None:
        with self.lock:
            if key is not None and len(self.lost) < _MOST_LOST:
                self.lost.add(key)

    def take_lost(self) -> set[str]:
        with self.lock:
            taken, self.lost = self.lost, set()
        return taken

    def leave_alone(self, error: Exception) -> None:
        """Logged once, and not for each request."""
        self.away_until = time.monotonic() + SECONDS_LEFT_ALONE
        if not self.is_away:
            log.error("the cache does not answer; the site goes on without it", error=str(error))
        self.is_away = True

    def find_again(self) -> None:
        if self.is_away:
            log.warning("the cache answers again")
        self.is_away = False


_servers: dict[str, _Server] = {}


class _Client(RedisCacheClient):
    """Finds only what the site has put there, and keeps the library's object.

    Django makes one for each call, which takes longer than to ask.
    """

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self._kept: dict[Any, Any] = {}  # by the pool of a server's connections

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]
        if pool not in self._kept:
            self._kept[pool] = self._client(connection_pool=pool)  # type: ignore[attr-defined]
        return self._kept[pool]

    def get(self, key: Any, default: Any) -> Any:
        return self.get_many([key]).get(key, default)

    def get_many(self, keys: Iterable[Any]) -> dict[Any, Any]:
        names = list(keys)
        found = {}
        for name, data in zip(names, self.get_client().mget(names), strict=True):
            if data is not None:
                # What somebody else has put there, or the site with another key, is taken for missing.
                with suppress(BadSignature):
                    found[name] = self._serializer.loads(data)  # type: ignore[attr-defined]
        return found


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis. While that is away nothing is found in it, and whatever is to be stored is taken.

    What could not be stored or deleted is deleted when it is back, as it has become old meanwhile: so a log-out counts
    although Redis has kept the session.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {
            "socket_connect_timeout": SECONDS_TO_ANSWER,
            "socket_timeout": SECONDS_TO_ANSWER,
            # A connection that was idle while Redis started anew is broken. What a Redis that hangs did not answer is
            # not asked again: it does both when it goes on, and takes a lock that it has just given for another's.
            "retry": Retry(NoBackoff(), 1, (Disconnected,)),
            "serializer": SignedSerializer,
        }
        super().__init__(server, params | {"OPTIONS": options | params.get("OPTIONS", {})})
        self._class = _Client
        self._server = _servers.setdefault(str(server), _Server())

    def client(self) -> Any:
        """The library's object, which forgives nothing."""
        return self._cache.get_client(write=True)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._asked(partial(super().add, key, value, timeout, version), True, [key], version)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._asked(partial(super().get, key, default, version), default)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._asked(partial(super().set, key, value, timeout, version), None, [key], version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._asked(partial(super().touch, key, timeout, version), False)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return self._asked(partial(super().delete, key, version), False, [key], version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return self._asked(partial(super().get_many, keys, version), {})

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return self._asked(partial(super().has_key, key, version), False)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return self._asked(partial(super().incr, key, delta, version), delta, [key], version)

    def set_many(self, data: dict[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> list[Any]:
        return self._asked(partial(super().set_many, data, timeout, version), [], data, version)

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        gone = list(keys)
        self._asked(partial(super().delete_many, gone, version), None, gone, version)

    def clear(self) -> None:
        self._asked(super().clear, None)

    def _asked(
        self, ask: Callable[[], Answer], otherwise: Answer, changed: Iterable[Any] = (), version: int | None = None
    ) -> Answer:
        """What the cache answers; `otherwise` where it does not, and then these keys are old when it is back."""
        if time.monotonic() >= self._server.away_until:
            try:
                self._forget_lost()
                answer = ask()
            except (RedisError, OSError) as error:
                self._server.leave_alone(error)
            else:
                self._server.find_again()
                return answer
        for key in changed:
            self._server.lose(self.make_and_validate_key(key, version))
        return otherwise

    def _forget_lost(self) -> None:
        lost = self._server.take_lost()
        try:
            if lost:
                self._cache.delete_many(lost)  # by the keys as Redis knows them
        except (RedisError, OSError):
            for key in lost:
                self._server.lose(key)
            raise
