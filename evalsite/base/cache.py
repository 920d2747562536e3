"""The shared cache in Redis: signed values, and no error while it is away.

Values are signed with the site's key, so that nothing is unpickled but what the site has put there: a pickle runs code
when it is read, and whoever writes into Redis would run code in the site.

While Redis is away nothing is found in the cache, and nobody is refused for that. Limits on log-ins count in the cache:
while it is away they let everybody pass, and only the limits of the proxy in front hold. All other values are computed
again by whoever asks.
"""

import pickle
from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from django.core.signing import BadSignature
from django.utils.crypto import constant_time_compare, salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError
from redis.retry import Retry

log = structlog.get_logger()
SECONDS_TO_ANSWER = 1.0
SECONDS_LEFT_ALONE = 2.0  # after an error, so that not every request of these seconds waits for it
_SALT = "evalsite.signed_values"
_LENGTH = 32  # bytes of a signature


class SignedSerializer:
    """Django's serializer of values in Redis, with a signature before each pickle."""

    def dumps(self, value: Any) -> int | bytes:
        if type(value) is int:  # as Django does it: Redis counts, and a whole number is read as nothing else
            return value
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return _signature(content) + content

    def loads(self, data: bytes) -> Any:
        """Return the value; raise BadSignature unless the site has signed it with this key."""
        try:
            return int(data)
        except ValueError:
            signature, content = data[:_LENGTH], data[_LENGTH:]
        if not constant_time_compare(signature, _signature(content)):
            raise BadSignature("a value in the cache is not the site's")
        return pickle.loads(content)


def _signature(content: bytes) -> bytes:
    return salted_hmac(_SALT, content, algorithm="sha256").digest()


_OPTIONS = {
    "socket_connect_timeout": SECONDS_TO_ANSWER,
    "socket_timeout": SECONDS_TO_ANSWER,
    # A connection that was idle while Redis restarted is broken, so one retry. A command to a Redis that hangs is not
    # repeated: Redis would execute both when it goes on, and take a lock that it has just given for another's.
    "retry": Retry(NoBackoff(), 1, (Disconnected,)),
    "serializer": SignedSerializer,
}


def _forgiving(method: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method so that it answers `otherwise` where Redis is away or the value has no valid signature."""

    @wraps(method)
    def forgiving(cache: "ForgivingRedisCache", *args: Any, **options: Any) -> Any:
        if monotonic() >= cache.away_until:
            try:
                return method(cache, *args, **options)
            except BadSignature:
                pass
            except (RedisError, OSError) as error:
                log.error("the cache does not answer; the site goes on without it", error=str(error))
                type(cache).away_until = monotonic() + SECONDS_LEFT_ALONE
        return otherwise(*args, **options)

    return forgiving


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis, which finds nothing and accepts everything while Redis is away."""

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
