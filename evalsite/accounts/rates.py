"""Limits on how often somebody does something: allauth's, also for what it knows nothing of.

They outlive a clock or a cache that has failed. allauth keeps the times of attempts, the latest first, and forgets from
the end what a limit does not last for. Times that a wrong clock has left there would hold up what stands before them,
until somebody with the right password is turned away. So whatever lies further away than a limit lasts, on either side,
is forgotten before.

It changes them under a lock in the cache, and turns away whoever does not get it. A lock may be nobody's: taken by a
request that has long given up, when the network at last brings it to Redis. So a lock ends before others give up.
"""

import time
from math import ceil

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

from evalsite.accounts.models import User

_APP = "allauth.account"  # in whose settings the limits stand

# Seconds. What is done under the lock takes some milliseconds.
LOCK_LASTS, LOCK_IS_WAITED_FOR = 1, 2
_apply_rate = ratelimit.apply_rate


def apply_rate(
    history: list[float], now: float, rate: ratelimit.Rate, *, dry_run: bool = False
) -> tuple[bool, list[float]]:
    """As allauth's, of which it takes the place: there is no other way to change what is kept."""
    near = [each for each in history if abs(now - each) < rate.duration]
    return _apply_rate(near, now, rate, dry_run=dry_run)


def seconds_to_wait(
    action: str, *, request: HttpRequest | None = None, key: str | None = None, user: User | None = None
) -> int:
    """Count what somebody does; 0, or where it is one too many the seconds until the next is allowed.

    Who it is, the limit in the settings says: the client of the request, the key, or the user.
    """
    asked = request or HttpRequest()
    source = {"app": _APP, "action": action, "key": key, "user": user}
    if ratelimit.consume(asked, limit_get=True, **source):
        return 0
    now, waits = time.time(), [1.0]  # where it was the lock that nobody gave, or another process was quicker
    for rate in ratelimit.get_rates(app=_APP, action=action):
        history = cache.get(ratelimit.get_cache_key(asked, rate=rate, **source), [])
        if len(history) >= rate.amount:
            waits.append(history[rate.amount - 1] + rate.duration - now)
    return ceil(max(waits))


def outlive_faults() -> None:
    """From now on, in this process."""
    ratelimit.apply_rate = apply_rate
    ratelimit.CACHE_LOCK_TIMEOUT, ratelimit.CACHE_LOCK_WAIT_TIMEOUT = LOCK_LASTS, LOCK_IS_WAITED_FOR
