"""Limits on how often somebody tries to log in, where a clock or the cache has failed.

allauth keeps the times of attempts, the latest first, and forgets from the end what a limit does not last for. Times
that a wrong clock has left there would hold up what stands before them, until somebody with the right password is
turned away. So whatever lies further away than a limit lasts, on either side, is forgotten before.

It changes them under a lock in the cache, and turns away whoever does not get it. A lock may be nobody's: taken by a
request that has long given up, when the network at last brings it to Redis. So a lock ends before others give up.
"""

from allauth.core.internal import ratelimit

# Seconds. What is done under the lock takes some milliseconds.
LOCK_LASTS, LOCK_IS_WAITED_FOR = 1, 2
_apply_rate = ratelimit.apply_rate


def apply_rate(
    history: list[float], now: float, rate: ratelimit.Rate, *, dry_run: bool = False
) -> tuple[bool, list[float]]:
    """As allauth's, of which it takes the place: there is no other way to change what is kept."""
    near = [each for each in history if abs(now - each) < rate.duration]
    return _apply_rate(near, now, rate, dry_run=dry_run)


def outlive_faults() -> None:
    """From now on, in this process."""
    ratelimit.apply_rate = apply_rate
    ratelimit.CACHE_LOCK_TIMEOUT, ratelimit.CACHE_LOCK_WAIT_TIMEOUT = LOCK_LASTS, LOCK_IS_WAITED_FOR
