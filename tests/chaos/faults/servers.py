"""What the site stands on: the database, Redis and the object store."""

import random
import signal
import time
from collections.abc import Callable

from tests.chaos.injecting import fault
from tests.chaos.processes import answers, wait_for
from tests.chaos.site import Site


@fault("PostgreSQL ends at once and starts again", breaks="postgresql", seconds=12)
def restart_postgresql(site: Site, rng: random.Random) -> str:
    return _away(site, "postgresql", signal.SIGQUIT, rng.choice((0, 12)), site.has_postgresql)


@fault("Redis forgets everything", breaks="redis")
def empty_redis(site: Site, rng: random.Random) -> str:
    site.redis().flushall()
    return "FLUSHALL"


@fault("Redis away", breaks="redis", seconds=15)
def redis_away(site: Site, rng: random.Random) -> str:
    return _away(site, "redis", signal.SIGKILL, rng.choice((1, 25)), lambda: answers(site.redis_port))


@fault("object store away", breaks="storage", seconds=15, storage="s3")
def storage_away(site: Site, rng: random.Random) -> str:
    door, seconds = site.storage_door, rng.uniform(8, 20)
    assert door is not None
    door.shut()
    try:
        time.sleep(seconds)
    finally:
        door.open()
    return f"for {seconds:.0f} s"


@fault("object store answers slowly", breaks="storage", seconds=12, storage="s3")
def storage_slow(site: Site, rng: random.Random) -> str:
    def wait(chunk: bytes) -> tuple[bytes, bool]:
        time.sleep(rng.uniform(0.5, 3))
        return chunk, True

    door, seconds = site.storage_door, rng.uniform(8, 15)
    assert door is not None
    door.spoil = wait
    try:
        time.sleep(seconds)
    finally:
        door.spoil = None
    return f"for {seconds:.0f} s"


def _away(site: Site, name: str, number: signal.Signals, seconds: float, is_back: Callable[[], bool]) -> str:
    program = site.programs[name]
    for each in site.programs.values():
        each.hurt()
    program.hold()
    try:
        program.send(number)
        time.sleep(seconds)
    finally:
        program.release()
    time.sleep(1)
    wait_for(is_back, name)
    return f"for {seconds:.0f} s and its start"
