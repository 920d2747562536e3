"""The database: away, silent, slow, full of connections, read-only."""

import random
import signal
import time
from contextlib import ExitStack
from typing import Any

import psycopg

from tests.chaos.faults.hurting import away, kill, lost, stopped
from tests.chaos.injecting import fault
from tests.chaos.processes import LOOPBACK, children, command_of, descendants, wait_for
from tests.chaos.site import Site

LOCAL = "127.0.0.1("  # in the title of a connection's process


@fault("PostgreSQL ends at once and starts again", breaks="postgresql", seconds=4)
def restart_postgresql(site: Site, rng: random.Random) -> str:
    return away(site, "postgresql", signal.SIGQUIT, 0)


@fault("PostgreSQL away", breaks="postgresql", seconds=15)
def postgresql_away(site: Site, rng: random.Random) -> str:
    return away(site, "postgresql", signal.SIGQUIT, 12)


@fault("kill -9 of a database connection's process", breaks="postgresql", seconds=4)
def kill_backend(site: Site, rng: random.Random) -> str:
    """PostgreSQL then ends all connections and recovers."""
    server = site.programs["postgresql"]
    pids = [pid for pid in children(server.pid) if LOCAL in command_of(pid)]
    words = kill(server, rng.choice(pids))
    wait_for(site.has_postgresql, "PostgreSQL")
    return words


@fault("PostgreSQL hangs", breaks="postgresql", seconds=20)
def postgresql_hangs(site: Site, rng: random.Random) -> str:
    """It takes connections and says nothing."""
    server = site.programs["postgresql"]
    return stopped(server, [server.pid, *descendants(server.pid)], rng.uniform(10, 25))


@fault("PostgreSQL answers slowly", breaks="postgresql", seconds=12)
def postgresql_slow(site: Site, rng: random.Random) -> str:
    """For most of the time it stands still, so that a page's queries together take seconds."""
    server, end = site.programs["postgresql"], time.monotonic() + rng.uniform(8, 15)
    while time.monotonic() < end:
        stopped(server, [server.pid, *descendants(server.pid)], 0.4)
        time.sleep(0.1)
    return "in a fifth of the time"


@fault("packets to PostgreSQL are lost", breaks="postgresql", seconds=25)
def postgresql_cut_off(site: Site, rng: random.Random) -> str:
    return lost(site, site.postgresql_port, rng.uniform(10, 25))


@fault("PostgreSQL takes no more connections", breaks="postgresql", seconds=15)
def postgresql_crowded(site: Site, rng: random.Random) -> str:
    """All places are taken by others; whoever is in stays in."""
    end, taken = time.monotonic() + rng.uniform(8, 15), []
    with ExitStack() as stack:
        while time.monotonic() < end:
            try:
                taken.append(stack.enter_context(database(site)))
            except psycopg.OperationalError:
                time.sleep(0.1)
    return f"{len(taken)} by others"


@fault("PostgreSQL is read-only", breaks="postgresql", seconds=12)
def postgresql_read_only(site: Site, rng: random.Random) -> str:
    """As a standby is, to which the address has moved too early."""
    return _set(site, "default_transaction_read_only", "on", rng.uniform(8, 12))


@fault("statements time out", breaks="postgresql", seconds=12)
def statements_time_out(site: Site, rng: random.Random) -> str:
    return _set(site, "statement_timeout", "2ms", rng.uniform(8, 12))


@fault("database connections ended one by one", breaks="postgresql", seconds=10)
def connections_ended(site: Site, rng: random.Random) -> str:
    """In the middle of whatever they do, as an administrator or a failing network ends them."""
    end, n_ended = time.monotonic() + 10, 0
    others = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    with database(site) as connection:
        while time.monotonic() < end:
            if pids := [pid for (pid,) in connection.execute(f"{others} ORDER BY state = 'idle', random() LIMIT 1")]:
                connection.execute("SELECT pg_terminate_backend(%s)", pids)
                n_ended += 1
            time.sleep(rng.uniform(0.02, 0.3))
    return f"{n_ended} of them"


@fault("rows locked by somebody else", breaks="postgresql", seconds=15)
def rows_locked(site: Site, rng: random.Random) -> str:
    """By a transaction that was left open: task, phases, teams, people, boards, scorings."""
    seconds = rng.uniform(8, 15)
    with database(site) as connection, connection.transaction():
        for table in ("challenges_task", "challenges_phase", "accounts_team", "accounts_user", "leaderboard_board"):
            connection.execute(f"SELECT 1 FROM {table} FOR UPDATE")
        connection.execute("SELECT 1 FROM submissions_scoring WHERE state IN ('queued', 'running') FOR UPDATE")
        time.sleep(seconds)
    return f"for {seconds:.0f} s"


@fault("a table locked by somebody else", breaks="postgresql", seconds=15)
def table_locked(site: Site, rng: random.Random) -> str:
    """As while a migration changes it: not even readers come in."""
    table = rng.choice(("submissions_scoring", "submissions_result", "leaderboard_edition", "accounts_user"))
    seconds = rng.uniform(8, 15)
    with database(site) as connection, connection.transaction():
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        time.sleep(seconds)
    return f"{table} for {seconds:.0f} s"


def database(site: Site) -> "psycopg.Connection[tuple[Any, ...]]":
    """A connection of an administrator, which commits each statement."""
    place = {"host": LOOPBACK, "port": site.postgresql_port, "user": "postgres", "dbname": "postgres"}
    return psycopg.connect(**place, autocommit=True, connect_timeout=5)


def _set(site: Site, name: str, value: str, seconds: float) -> str:
    """A setting of the server that holds for connections which stand, too."""
    with database(site) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute("SET statement_timeout = 0")
        for change, pause in ((f"SET {name} = '{value}'", seconds), (f"RESET {name}", 0)):
            connection.execute(f"ALTER SYSTEM {change}")
            connection.execute("SELECT pg_reload_conf()")
            time.sleep(pause)
    return f"{name} = {value} for {seconds:.0f} s"
