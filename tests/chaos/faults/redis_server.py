"""Redis as broker and as cache: away, silent, full, forgetful."""

import random
import signal
import time
from contextlib import suppress
from uuid import uuid4

from celery import Celery
from redis.exceptions import RedisError

from evalsite import queues
from tests.chaos.faults.hurting import away, lost, stopped
from tests.chaos.injecting import fault
from tests.chaos.processes import LOOPBACK
from tests.chaos.site import Site

BROKER, CACHE = 0, 1  # Redis' databases


@fault("Redis forgets everything", breaks="redis")
def flush_redis(site: Site, rng: random.Random) -> str:
    site.redis().flushall()
    return "FLUSHALL"


@fault("Redis killed", breaks="redis", seconds=6)
def restart_redis(site: Site, rng: random.Random) -> str:
    return away(site, "redis", signal.SIGKILL, rng.uniform(1, 6))


@fault("Redis away", breaks="redis", seconds=25)
def redis_away(site: Site, rng: random.Random) -> str:
    return away(site, "redis", signal.SIGKILL, 25)


@fault("Redis forgets one of its databases", breaks="redis")
def flush_database(site: Site, rng: random.Random) -> str:
    number = rng.choice((BROKER, CACHE))
    site.redis(number).flushdb()
    return f"FLUSHDB of {number}"


@fault("Redis hangs", breaks="redis", seconds=15)
def redis_hangs(site: Site, rng: random.Random) -> str:
    server = site.programs["redis"]
    return stopped(server, [server.pid], rng.uniform(8, 20))


@fault("packets to Redis are lost", breaks="redis", seconds=20)
def redis_cut_off(site: Site, rng: random.Random) -> str:
    return lost(site, site.redis_port, rng.uniform(10, 20))


@fault("Redis has no memory left", breaks="redis", seconds=12)
def redis_full(site: Site, rng: random.Random) -> str:
    """It is read, and refuses what would be written."""
    seconds = rng.uniform(8, 15)
    site.redis().config_set("maxmemory", "1")
    time.sleep(seconds)
    site.redis().config_set("maxmemory", "0")
    return f"for {seconds:.0f} s"


@fault("Redis is a replica", breaks="redis", seconds=12)
def redis_replica(site: Site, rng: random.Random) -> str:
    """Of a server that is not there, as after a change of leaders that went wrong: it refuses what would be written."""
    seconds = rng.uniform(8, 15)
    site.redis().replicaof(LOOPBACK, 1)
    time.sleep(seconds)
    site.redis().replicaof("NO", "ONE")
    return f"for {seconds:.0f} s"


@fault("Redis cuts its connections", breaks="redis", seconds=8)
def redis_cuts(site: Site, rng: random.Random) -> str:
    end, n_cut = time.monotonic() + 8, 0
    while time.monotonic() < end:
        n_cut += site.redis().client_kill_filter(_type="normal", skipme=True)
        time.sleep(rng.uniform(0.1, 1))
    return f"{n_cut} of them"


@fault("Redis takes no more connections", breaks="redis", seconds=12)
def redis_crowded(site: Site, rng: random.Random) -> str:
    """Those that stood are cut."""
    return _turned_away(site, "maxclients", "1", rng.uniform(8, 15))


@fault("Redis wants another password", breaks="redis", seconds=12)
def redis_locked(site: Site, rng: random.Random) -> str:
    return _turned_away(site, "requirepass", "another", rng.uniform(8, 15))


def _turned_away(site: Site, setting: str, value: str, seconds: float) -> str:
    """Whoever comes while Redis is set so; the connection by which that is done stays."""
    with site.redis().client() as connection:
        before = connection.config_get(setting)[setting]
        connection.config_set(setting, value)
        connection.client_kill_filter(_type="normal", skipme=True)
        time.sleep(seconds)
        connection.config_set(setting, before)
    return f"for {seconds:.0f} s"


@fault("messages that nobody has sent", breaks="redis", seconds=5)
def foreign_messages(site: Site, rng: random.Random) -> str:
    """Such as another site sends that was given the same Redis."""
    sender = Celery(broker=f"redis://{LOOPBACK}:{site.redis_port}/{BROKER}")
    for queue in queues.ALL:
        sender.send_task("another.site.job", args=["x"], queue=queue)
    sender.send_task("evalsite.submissions.tasks.score", args=["no key"], queue=queues.SCORINGS)
    sender.send_task("evalsite.submissions.tasks.score", args=[str(uuid4())], queue=queues.SCORINGS)
    sender.send_task("evalsite.submissions.tasks.score", args=[], queue=queues.SCORINGS)
    sender.send_task("evalsite.leaderboard.tasks.refresh_board", args=["no", "keys"], queue=queues.BOARDS)
    sender.send_task("evalsite.background.tasks.send", args=["no key"], queue=queues.MAIL)
    return "unknown jobs, and wrong keys"


@fault("messages that are no messages", breaks="redis", seconds=5)
def garbled_messages(site: Site, rng: random.Random) -> str:
    broker = site.redis(BROKER)
    for queue in queues.ALL:
        broker.lpush(queue, rng.choice((b"\0\xff no JSON", b"{}", b"[]", b'{"body": "e30=", "headers": null}')))
    return "one in each queue"


@fault("messages come again and again", breaks="redis", seconds=10)
def repeated_messages(site: Site, rng: random.Random) -> str:
    """Those of some seconds come three times more, and some of them are lost."""
    broker, seen, end = site.redis(BROKER), [], time.monotonic() + 6
    while time.monotonic() < end:
        for queue in queues.ALL:
            with suppress(RedisError):
                seen += [(queue, message) for message in broker.lrange(queue, 0, -1)]
                if rng.random() < 0.05:
                    broker.rpop(queue)
        time.sleep(0.01)
    for queue, message in dict.fromkeys(seen):
        broker.lpush(queue, message, message, message)
    return f"{len(set(seen))} of them"
