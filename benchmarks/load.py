"""Measures pages and uploads while hundreds of people use a site at once, and what they cost.

    python benchmarks/load.py [--users 150] [--seconds 60] [--entries 200] [--class 40]
    python benchmarks/load.py --users 300
    python benchmarks/load.py --tiny     whether it runs, in seconds; limits count for nothing

Real parts: nginx with deploy/nginx.conf (without TLS), the units of `deploy/` that docs/server.md starts, PostgreSQL (a
database of its own on the server that DATABASE_URL names, else a server of its own), and Redis; the client shares the
cores with them. It is the last hour before a deadline. Half of the people are logged in and have a team with a run on
the board. Everybody thinks for two to six seconds and looks: at a board, at home, the task, all boards side by side, a
board's history or pairs, a comparison of two runs. Who is logged in looks at their own runs and a run's page too, and
uploads three scenarios, waits on the page of the run until they are scored, and reads the results (load_client.py has
the shares). Each person comes from an address of their own; with `--class` so many of them come from one, of whom none
may be turned away. The column "web" has the mean of processor milliseconds in web processes, which load_gunicorn.py
notes; an answer that the proxy had is one of 0. With up to 150 people each kind of request has a limit at p95, with
more nothing may take longer than 1.5 s. Ends with status 1 where a limit is missed, or an answer was none that a person
expects.
"""

import asyncio
import math
import os
import platform
import re
import sys
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Sequence

import servers
from servers import HOST, PRODUCTION, cpu_seconds, database_process

TINY = {"users": 8, "seconds": 10, "entries": 4, "class": 4}
ARGUMENTS = servers.arguments(__doc__, TINY, **{"users": 150, "seconds": 60, "entries": 200, "class": 0})
N_OF_CLASS = vars(ARGUMENTS)["class"]  # people who share one address
# Seconds between two pages of a person, and before anything is counted.
THINK, SETTLE = (1.0, 0) if ARGUMENTS.tiny else (4.0, 10)
FOLDER = servers.start("load", **PRODUCTION)
REQUESTS_LOG = FOLDER / "requests.log"
os.environ["REQUESTS_LOG"] = str(REQUESTS_LOG)

import seeding
from django.test import Client
from load_client import Browser, Person, Times

from evalsite.base import broker
from evalsite.challenges.models import Phase
from evalsite.leaderboard.models import Edition
from evalsite.submissions.lifecycle.enqueueing import enqueue_waiting

# Milliseconds: at p95 with so many people, and the longest with more.
LIMITS = {"board": 200, "board, anonymous": 200, "upload": 500, "run's page": 500}
LIMITS |= {"comparison": 500, "comparison, anonymous": 500}
MOST_PEOPLE, LONGEST = 150, 1500
TASK = "load"
_SECONDS_TO_BOARD = 300


def main() -> int:
    servers.make_tables()
    servers.manage("collectstatic", "--noinput")
    port = broker.free_port()
    processes = start_site(port)
    people = seed()
    return asyncio.run(measured(port, people, processes))


def start_site(port: int) -> dict[str, int]:
    """Return the processes of the site by what they are."""
    units = [unit.configured("benchmarks/load_gunicorn.py") for unit in servers.units()]
    binds = {unit.bind: f"{broker.LOOPBACK}:{broker.free_port()}" for unit in units if unit.bind}
    processes = servers.start_units([unit.at(binds[unit.bind]) if unit.bind else unit for unit in units], FOLDER)
    return processes | {"nginx": servers.start_nginx(FOLDER, port, binds).pid}


def seed() -> list[seeding.Person]:
    """Boards of as many entries, the first of them of those who are logged in; these people."""
    task = seeding.make_task(TASK)
    phase, n_people = seeding.make_phase(task), (ARGUMENTS.users + 1) // 2
    people = seeding.make_people(max(n_people, ARGUMENTS.entries), task)
    scenarios = list(task.scenarios.all())
    for number, person in enumerate(people[: ARGUMENTS.entries]):
        seeding.upload(phase, person, number, scenarios)
    enqueue_waiting()
    seeding.wait_until_scored(poll=1)
    end = time.monotonic() + _SECONDS_TO_BOARD
    while _n_on_boards(phase) < ARGUMENTS.entries:
        if time.monotonic() > end:
            raise SystemExit("The boards do not show what is scored.")
        time.sleep(0.5)
    return people[:n_people]


def _n_on_boards(phase: Phase) -> int:
    """Entries of the shortest board, in one query: editions are made anew meanwhile."""
    editions = Edition.objects.filter(board__phase=phase).order_by("changes")
    newest = {board: len(entries) for board, entries in editions.values_list("board", "entries")}
    return min(newest.values(), default=0)


async def measured(port: int, accounts: Sequence[seeding.Person], processes: dict[str, int]) -> int:
    times = Times()
    people = [
        Person(number, Browser(HOST, port, address_of(number), cookies), times, f"/tasks/{TASK}/", seeding.run_of)
        for number, cookies in enumerate(await asyncio.to_thread(cookies_of, accounts))
    ]
    await until_it_answers(people[-1].browser)
    until = asyncio.get_running_loop().time() + SETTLE + ARGUMENTS.seconds
    first = "upload" if ARGUMENTS.tiny else ""  # which few people might not come to in so few seconds
    crowd = [asyncio.create_task(person.live(until, THINK, first if person.has_account else "")) for person in people]
    await asyncio.sleep(SETTLE)
    times.is_counting = True
    before = spent(processes)
    await asyncio.sleep(ARGUMENTS.seconds)
    used = {kind: seconds - before[kind] for kind, seconds in spent(processes).items()}
    times.is_counting = False
    await asyncio.gather(*crowd)
    return report(times, used)


def cookies_of(accounts: Sequence[seeding.Person]) -> list[dict[str, str]]:
    """Return the cookies of everybody: every second person is logged in; checking passwords is not measured."""
    cookies = []
    for number in range(ARGUMENTS.users):
        client = Client()
        if number % 2 == 0:
            client.force_login(accounts[number // 2][0])
        cookies.append({name: morsel.value for name, morsel in client.cookies.items()})
    return cookies


def address_of(number: int) -> str:
    """Return an address of the loopback network, the same for those of a class."""
    return "127.0.1.1" if number < N_OF_CLASS else f"127.1.{number // 250}.{number % 250 + 1}"


async def until_it_answers(browser: Browser) -> None:
    for _ in range(300):
        try:
            if (await browser.get("/")).status == 200:
                return
        except OSError:
            pass
        await asyncio.sleep(0.2)
    raise SystemExit(f"The site does not answer: {(FOLDER / 'nginx.log').read_text()[-2000:]}")


def spent(processes: dict[str, int]) -> dict[str, float]:
    """Processor seconds until now, by kind of process; PostgreSQL's are of all its databases."""
    own = time.process_time()
    database = database_process()
    return {
        **{kind: cpu_seconds(pid) for kind, pid in processes.items()},
        "PostgreSQL": cpu_seconds(database) if database else 0.0,
        "client": own,
    }


def report(times: Times, used: dict[str, float]) -> int:
    n_requests = sum(len(taken) for kind, taken in times.by_kind.items() if not _is_wait(kind))
    of_site = sum(seconds for kind, seconds in used.items() if kind != "client")
    print(f"{ARGUMENTS.users} people, {ARGUMENTS.seconds} s: {n_requests / ARGUMENTS.seconds:.1f} requests a second")
    print(f"{n_requests / of_site:.1f} requests a second and core, scorings among them; {python_in_words()}")
    print(f"{'ms':<28}{'n':>7}{'web':>7}{'p50':>8}{'p95':>8}{'p99':>8}{'longest':>9}{'limit':>7}")
    of_web = web_milliseconds()
    missed = bool(times.refused)
    for kind, taken in sorted(times.by_kind.items()):
        p50, p95, p99, longest = (percentile(taken, share) for share in (0.50, 0.95, 0.99, 1.0))
        limit = limit_of(kind)
        is_over = (p95 if ARGUMENTS.users <= MOST_PEOPLE else longest) > limit
        missed |= is_over
        shown = "-" if math.isinf(limit) else limit
        web = "-" if _is_wait(kind) else f"{of_web.get(kind, 0.0) / len(taken):.1f}"
        row = f"{kind:<28}{len(taken):>7}{web:>7}{p50:>8.0f}{p95:>8.0f}{p99:>8.0f}{longest:>9.0f}{shown:>7}"
        print(row + ("   MISSED" if is_over else ""))
    print("processor seconds: " + ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in used.items()))
    print(f"answers that nobody expects: {sum(times.refused.values())}")
    for what, number in sorted([*times.refused.items(), *reasons_of_nginx().items()]):
        print(f"  {number} times {what}")
    return int(missed and not ARGUMENTS.tiny)


def web_milliseconds() -> dict[str, float]:
    """Return the processor milliseconds of web processes by kind of request, while requests were counted."""
    by_kind: dict[str, float] = defaultdict(float)
    for line in REQUESTS_LOG.read_text(encoding="utf-8").splitlines():
        kind, took = line.split("\t")
        by_kind[kind] += float(took)
    return by_kind


def limit_of(kind: str) -> float:
    """Return the limit of a kind of request, at p95 or of the longest; of what a person waits for there is none."""
    if ARGUMENTS.users <= MOST_PEOPLE:
        return LIMITS.get(kind, math.inf)
    return math.inf if _is_wait(kind) else LONGEST


def _is_wait(kind: str) -> bool:
    return kind.startswith("until")


def python_in_words() -> str:
    """Say which Python was measured: with profile-guided optimisation it is quicker than without.

    Debian's has both, and nothing of them in what it says of its build: it takes out even the flag that others name.
    """
    built = sysconfig.get_config_var("CONFIG_ARGS") or ""
    optimised = [word for flag, word in (("--enable-optimizations", "PGO"), ("--with-lto", "LTO")) if flag in built]
    if not sysconfig.get_config_var("PGO_PROF_USE_FLAG"):
        return f"Python {platform.python_version()} as its distribution builds it"
    return f"Python {platform.python_version()} with {' and '.join(optimised) or 'neither PGO nor LTO'}"


def reasons_of_nginx() -> Counter[str]:
    """Return why nginx has turned requests away, or found no answer, as its log of errors says."""
    log = (FOLDER / "nginx.log").read_text(errors="replace")
    limited = re.findall(r"limiting (?:requests|connections)[^\n]*by zone \"(\w+)\"", log)
    unanswered = re.findall(r"\[error\] [^\n]*?(\w[\w ()]+) while \w+[^\n]*upstream", log)
    return Counter(
        [*(f"nginx: above the limit of the zone {zone}" for zone in limited), *(f"nginx: {why}" for why in unanswered)]
    )


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


if __name__ == "__main__":
    sys.exit(main())
