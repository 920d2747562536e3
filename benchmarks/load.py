"""Measures pages and uploads while hundreds of people use a site at once, and what they cost.

    DATABASE_URL=postgres://… python benchmarks/load.py [--users 300] [--seconds 60] [--entries 200] [--folder FOLDER]

Real parts: gunicorn as in `deploy/`, a worker of two processes, beat, Redis, and another database on the server that
DATABASE_URL names; the client shares the two cores with them. It is the last hour before a deadline: everybody is
logged in, has a team, thinks for two to six seconds and looks, at a board (45 of 79 times), at home, the task, a
board's history or the own runs (22), or uploads three scenarios (12), waits on the page of the run until they are
scored, and reads the results. Who waits for a worker looks at nothing else: of 300 people so many think as the worker
leaves time for, and the others' pages ask for the state of their runs. With a folder that is kept, the filled site is
used again. Before the crowd comes each kind is asked for alone, for the processor time of its requests. Ends with
status 1 where a limit is missed.
"""

import argparse
import asyncio
import json
import math
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from load_client import Person, Times
from load_site import PASSWORD, PHASE, TASK, Site, address_of, processor_seconds, run_of, seconds_of_database, site

LIMITS_MS = {"board": 200, "upload": 500}  # at p95
LIMIT_CPU_MS = 10  # of the web server, of a request on average
_ALONE = ("board", "home", "task", "history", "own runs")
_LOGINS_AT_ONCE = 4
_SECONDS_TO_SETTLE = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--entries", type=int, default=200, help="of each board, at the beginning")
    parser.add_argument("--think", type=float, default=4.0, help="seconds between two pages of a person")
    parser.add_argument("--alone", type=int, default=30, help="requests of each kind, one after another")
    parser.add_argument("--folder", type=Path, help="where the filled site stays")
    asked = parser.parse_args()
    server = os.environ.get("DATABASE_URL", "postgres://root@127.0.0.1/postgres")
    with tempfile.TemporaryDirectory() as folder:
        kept = (asked.folder or Path(folder)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        with site(kept, server, asked.entries, asked.users) as found:
            return asyncio.run(measured(found, asked, kept / "cookies.json"))


async def measured(found: Site, asked: argparse.Namespace, cookies: Path) -> int:
    times = Times()
    people = [Person(number, found.port, times, run_of, asked.think) for number in range(asked.users)]
    await until_it_answers(people[0])
    await log_in(people, cookies)
    await print_alone(found, people, asked.alone)
    clock = asyncio.get_running_loop().time
    until = clock() + _SECONDS_TO_SETTLE + asked.seconds
    crowd = [asyncio.create_task(person.live(until, TASK, PHASE)) for person in people]
    await asyncio.sleep(_SECONDS_TO_SETTLE)
    times.is_counting = True
    before = seconds_used(found)
    client = sum(os.times()[:2])
    await asyncio.sleep(asked.seconds)
    used = {kind: seconds - before[kind] for kind, seconds in seconds_used(found).items()}
    used["client"] = sum(os.times()[:2]) - client
    times.is_counting = False
    await asyncio.gather(*crowd)
    return report(times, used, asked)


async def until_it_answers(person: Person) -> None:
    for _ in range(300):
        try:
            await person.browser.get("/")
        except OSError:
            await asyncio.sleep(0.2)
        else:
            return
    raise RuntimeError("the site does not answer")


async def log_in(people: Sequence[Person], cookies: Path) -> None:
    """Their cookies stay in the folder: a password takes a third of a second of the processor to check."""
    kept = json.loads(cookies.read_text()) if cookies.exists() else {}
    for person in people:
        person.browser.cookies = kept.get(str(person.number), {})
    places = asyncio.Semaphore(_LOGINS_AT_ONCE)

    async def enter(person: Person) -> None:
        async with places:
            await person.log_in(address_of(person.number), PASSWORD)

    await asyncio.gather(*(enter(person) for person in people if not person.browser.cookies))
    cookies.write_text(json.dumps({person.number: person.browser.cookies for person in people}))


async def print_alone(found: Site, people: Sequence[Person], n_requests: int) -> None:
    """What a request of each kind costs the web server while nothing else is asked of it."""
    print(f"{'alone, of ' + str(n_requests):<16}{'web CPU ms':>12}{'median ms':>12}")
    for kind in _ALONE:
        await one_by_one(kind, found, people, n_requests, 0)
    await one_by_one("upload", found, people, n_requests, asyncio.get_running_loop().time())


async def one_by_one(kind: str, found: Site, people: Sequence[Person], n_requests: int, until: float) -> None:
    own = Times(is_counting=True)
    for person in people[:n_requests]:
        person.times, shared = own, person.times
        await person.act(kind, TASK, PHASE, until)  # what is cached is cached then, as in the hour of a deadline
        person.times = shared
    own.by_kind.clear()
    before = processor_seconds(found.processes["web"].pid)
    for number in range(n_requests):
        person = people[number % len(people)]
        person.times, shared = own, person.times
        await person.act(kind, TASK, PHASE, until)
        person.times = shared
    used = processor_seconds(found.processes["web"].pid) - before
    median = statistics.median(own.by_kind[kind])
    note = "  (form, upload and page of the run)" if kind == "upload" else ""
    print(f"{kind:<16}{1000 * used / n_requests:>12.1f}{median:>12.1f}{note}", flush=True)


def seconds_used(found: Site) -> dict[str, float]:
    by_kind = {kind: processor_seconds(process.pid) for kind, process in found.processes.items()}
    return by_kind | {"postgres": seconds_of_database(found.database)}


def report(times: Times, used: dict[str, float], asked: argparse.Namespace) -> int:
    n_requests = sum(map(len, times.by_kind.values()))
    print(f"\n{asked.users} users, {asked.seconds} s: {n_requests / asked.seconds:.1f} requests a second")
    print(f"{'ms':<16}{'requests':>10}{'p50':>9}{'p95':>9}{'p99':>9}{'limit':>9}")
    missed = not n_requests or bool(times.errors)
    for kind, taken in sorted(times.by_kind.items()):
        p50, p95, p99 = (percentile(taken, share) for share in (0.50, 0.95, 0.99))
        limit = LIMITS_MS.get(kind)
        is_over = limit is not None and p95 > limit
        missed |= is_over
        row = f"{kind:<16}{len(taken):>10}{p50:>9.0f}{p95:>9.0f}{p99:>9.0f}{limit or '-':>9}"
        print(row + ("   MISSED" if is_over else ""))
    print("processor seconds: " + ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in used.items()))
    each = 1000 * used["web"] / max(1, n_requests)
    missed |= each > LIMIT_CPU_MS
    print(f"web CPU a request: {each:.1f} ms, limit {LIMIT_CPU_MS}" + ("   MISSED" if each > LIMIT_CPU_MS else ""))
    for error, number in sorted(times.errors.items()):
        print(f"{number} times: {error}")
    return int(missed)


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


if __name__ == "__main__":
    sys.exit(main())
