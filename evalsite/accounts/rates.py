"""Limits on how often somebody does something, by the settings' RATE_LIMITS: "30/5m" allows 30 in five minutes.

The cache counts, for all processes at once. A window of time begins with what is counted first. While the cache is
away, nobody is refused.
"""

import time
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from math import ceil

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from evalsite.base.cache_keys import cache_key

SECONDS_OF_ONE = 2  # what takes longer counts once more for each of these
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_IPV6_PREFIX = 64  # bits of an address that name a household; the others are a client's own choice


@dataclass(frozen=True)
class Rate:
    amount: int
    seconds: int


def rate_of(action: str) -> Rate:
    amount, duration = settings.RATE_LIMITS[action].split("/")[:2]
    return Rate(int(amount), int(float(duration[:-1] or 1) * _SECONDS[duration[-1]]))


def client_of(request: HttpRequest) -> str:
    """Return the address of the client, of IPv6 that of its network."""
    address = ip_address(get_adapter().get_client_ip(request))
    return str(ip_network((address, _IPV6_PREFIX), strict=False)) if address.version == 6 else str(address)


def seconds_to_wait(action: str, who: object) -> int:
    """Count an action and return 0; where the limit is reached, return the seconds until the next one is allowed."""
    rate = rate_of(action)
    counter, ends = _window(action, who, rate)
    if _add(counter, 1) <= rate.amount:
        return 0
    _add(counter, -1)
    return max(1, ceil(ends - time.time()))


def charge(action: str, who: object, seconds: float) -> None:
    """Count an action once more for each two seconds that it has kept the site busy, whatever the limit."""
    if times := int(seconds // SECONDS_OF_ONE):
        _add(_window(action, who, rate_of(action))[0], times)


def refund(action: str, who: object) -> None:
    """Take back what `seconds_to_wait` has counted."""
    if counted(action, who):
        _add(_window(action, who, rate_of(action))[0], -1)


def counted(action: str, who: object) -> int:
    """Return how often it was done in the window of now."""
    return cache.get(_window(action, who, rate_of(action))[0], 0)


def reset(action: str, who: object) -> None:
    """Forget all that was counted."""
    cache.delete(cache_key("rate", action, who))


def _window(action: str, who: object, rate: Rate) -> tuple[str, float]:
    """Return the key of the window's counter, and when the window ends."""
    key, now = cache_key("rate", action, who), time.time()
    cache.add(key, now, rate.seconds)  # of several processes one begins the window
    began = cache.get(key, now)
    if not began <= now < began + rate.seconds:  # by a clock that was wrong
        began = now
        cache.set(key, began, rate.seconds)
    counter = f"{key}-{began}"
    cache.add(counter, 0, rate.seconds)
    return counter, began + rate.seconds


def _add(counter: str, times: int) -> int:
    try:
        return cache.incr(counter, times)
    except ValueError:  # the cache needed the room, or keeps nothing
        return times
