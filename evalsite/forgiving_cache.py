"""A shared cache that may be away: what it would have answered is then not known, and nobody is refused for that.

Limits on log-ins count in the cache. Without it they let everybody pass, for as long as it is away; the limits of the
proxy in front hold meanwhile. All else that is cached is made again by whoever asks.
"""

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from django.core.signing import BadSignature
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError
from redis.retry import Retry

from evalsite.signed_values import SignedSerializer

log = structlog.get_logger()
SECONDS_TO_ANSWER = 1.0
SECONDS_LEFT_ALONE = 2.0  # after an error, so that not every request of these seconds waits for it
_OPTIONS = {
    "socket_connect_timeout": SECONDS_TO_ANSWER,
    "socket_timeout": SECONDS_TO_ANSWER,
    # A connection that was idle while Redis started anew is broken. What a Redis that hangs did not answer is not asked
    # again: it does both when it goes on, and takes a lock that it has just given for another's.
    "retry": Retry(NoBackoff(), 1, (Disconnected,)),
    "serializer": SignedSerializer,
}


def _forgiving(ask: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """The same method, which answers `otherwise` where the cache does not, or with what the site has not signed."""

    @wraps(ask)
    def asked(cache: "ForgivingRedisCache", *args: Any, **options: Any) -> Any:
        if monotonic() >= cache.away_until:
            try:
                return ask(cache, *args, **options)
            except BadSignature:
                pass
            except (RedisError, OSError) as error:
                log.error("the cache does not answer; the site goes on without it", error=str(error))
                type(cache).away_until = monotonic() + SECONDS_LEFT_ALONE
        return otherwise(*args, **options)

    return asked


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis. While that is away nothing is found in it, and whatever is to be stored is taken."""

    away_until = 0.0  # by the monotonic clock; the threads of a process share it, and have an object each

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params | {"OPTIONS": _OPTIONS | params.get("OPTIONS", {})})

    add = _forgiving(RedisCache.add, lambda *_, **__: True)
    get = _forgiving(RedisCache.get, lambda key, default=None, version=None: default)
    set = _forgiving(RedisCache.set, lambda *_, **__: None)
    touch = _forgiving(RedisCache.touch, lambda *_, **__: False)
    delete = _forgiving(RedisCache.delete, lambda *_, **__: False)
    get_many = _forgiving(RedisCache.get_many, lambda *_, **__: {})
    has_key = _forgiving(RedisCache.has_key, lambda *_, **__: False)
    incr = _forgiving(RedisCache.incr, lambda key, delta=1, version=None: delta)
    set_many = _forgiving(RedisCache.set_many, lambda *_, **__: [])
    delete_many = _forgiving(RedisCache.delete_many, lambda *_, **__: None)
    clear = _forgiving(RedisCache.clear, lambda *_, **__: None)
