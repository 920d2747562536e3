"""Counts function calls and queries of pages, which are the same in each run, and measures their processor time.

    python benchmarks/pages.py             the table, and what differs from pages.json, or misses a goal
    python benchmarks/pages.py --write     the table, which pages.json then holds
    python benchmarks/pages.py --tiny      as the first, without processor times and goals
    python benchmarks/pages.py --profile "own runs"    queries of one page, and where its time goes
    python benchmarks/pages.py --folder /tmp/pages     keeps there what was seeded, and takes it the next time

The demo's eHealth-KD task with ten teams, and a made-up one with 200 entries, in SQLite. Calls are those of Python and
of C functions in one request of Django's test client, from all middleware to the compressed answer, as `cProfile`
counts them; they are the same on every machine and in every run, but for a handful of look-ups. They do depend on the
version of Python: pages.json says of which it has them. Queries are counted with the characters of their SQL. Processor
time is printed in units of a plain Django view, with one query and a template of 50 lines, in the same run.

"Anew" is with empty caches, "again" the same request once more. Exit status 1 where calls differ by more than 5 % from
pages.json, queries are more or longer, or a page takes more calls than its goal; under another version of Python than
that of pages.json, goals alone count.
"""

import cProfile
import gc
import json
import os
import pstats
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import mkdtemp

import servers

ARGUMENTS = servers.arguments(__doc__, {}, write=False, profile="", folder="")
TABLE = Path(__file__).with_name("pages.json")
FOLDER = Path(ARGUMENTS.folder or mkdtemp(prefix="benchmark-")).resolve()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "evalsite.settings",
    "EVALSITE_DATA_DIR": str(FOLDER),
    "DATABASE_URL": f"sqlite:///{FOLDER / 'pages.sqlite3'}",
    "CACHE_URL": "locmemcache://",
    "LOG_LEVEL": "ERROR",
    "N_RESAMPLES": "1000",
}

import seeding

import evalsite.wsgi  # noqa: F401 - loads what a server's process loads

# isort: split
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import Context, Engine
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from demo.database import create_tables, is_new
from demo.plan import PARTICIPANT, TaskPlan, read_task
from demo.task import PARTICIPANTS_TEAM, create_task
from evalsite.accounts.models import User
from evalsite.celery import app
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Scoring, Submission

N_ENTRIES = 200  # of the large board
N_TIMED = 15
N_UPLOADS = 2 * (N_TIMED + 10)
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
TOLERANCE = 0.05
GOALS = {
    "run, anew": 125_000,
    "run, again": 62_000,
    "two runs compared, again": 48_000,
    "upload form, again": 42_000,
    "upload, up to the queue, again": 44_000,
    "own runs, anew": 82_000,
    "own runs, again": 38_000,
    "own piece of a board, again": 10_000,
    "board of 10, anew": 80_000,
    "task, anew": 112_000,
    "board of 200, anew": 180_000,
}
Ask = Callable[[], HttpResponse]


@dataclass(frozen=True)
class Cost:
    calls: int
    queries: int
    characters: int  # of all SQL

    def differences(self, expected: Mapping[str, int]) -> list[str]:
        """Return what is above the table's costs, and calls that are below: then the table is out of date."""
        above = []
        if abs(self.calls - expected["calls"]) > TOLERANCE * expected["calls"]:
            above.append(f"{expected['calls']:,} calls in the table")
        if self.queries > expected["queries"]:
            above.append(f"{expected['queries']} queries in the table")
        if self.characters > (1 + TOLERANCE) * expected["characters"]:
            above.append(f"{expected['characters']:,} characters in the table")
        return above


def main() -> int:
    try:
        app.conf.broker_url = "memory://"  # nobody listens
        if is_new():
            create_tables()
        plan = read_task("ehealthkd")
        if not User.objects.exists():
            seed(plan)
        pages = pages_of_demo(plan) | pages_of_large()
        if ARGUMENTS.profile:
            print_profile(pages[ARGUMENTS.profile])
            return 0
        return print_pages(pages)
    finally:
        if not ARGUMENTS.folder:
            shutil.rmtree(FOLDER)


def seed(plan: TaskPlan) -> None:
    create_task(plan)
    for submission in Submission.objects.order_by("created"):
        seeding.score(submission)
    task = seeding.make_task("large")
    phase, people = seeding.make_phase(task), seeding.make_people(N_ENTRIES, task)
    for number, person in enumerate(people):
        seeding.score(seeding.upload(phase, person, number, [task.scenarios.get(number=1)]))
    for phase, scenario in set(Scoring.objects.values_list("submission__phase", "scenario")):
        board, _ = Board.objects.get_or_create(phase_id=phase, scenario_id=scenario)
        refresh(board)


def pages_of_demo(plan: TaskPlan) -> dict[str, Ask]:
    """The pages of the demo's participant, and those of strangers, in the phase with released gold, which say most."""
    stranger, member = browser(), browser()
    member.force_login(User.objects.get(email=PARTICIPANT))
    own = Submission.objects.filter(phase__slug="development", team__name=PARTICIPANTS_TEAM)
    first, last = own.earliest("created"), own.latest("created")
    task = f"/tasks/{plan.slug}/"
    board = f"{task}development/board/1/"
    return {
        "run": lambda: member.get(f"/submissions/{first.pk}/?scenario=1"),
        "two runs compared": lambda: member.get(f"{board}compare/?a={first.pk}&b={last.pk}"),
        "own runs": lambda: member.get(f"{task}submissions/"),
        "upload form": lambda: member.get(f"{task}test/submit/"),
        "own piece of a board": lambda: member.get(f"/mine/?page={board}"),
        "board of 10": lambda: stranger.get(board),
        "task": lambda: stranger.get(task),
    }


def pages_of_large() -> dict[str, Ask]:
    stranger, member = browser(), browser()
    user = User.objects.get(email="person-0@example.org")
    team = user.teams.get()
    member.force_login(user)
    first = N_ENTRIES + Submission.objects.filter(team=team).count()
    runs = {number: seeding.run_of(number) for number in range(first, first + N_UPLOADS)}
    numbers = iter(runs)

    def upload() -> HttpResponse:
        """Send a run unlike all others, as a browser does that has the form."""
        file = seeding.SimpleUploadedFile("run.zip", runs[next(numbers)], "application/zip")
        fields = {"team": str(team.pk), "method": "Measured", "anyway": "1", "files": file}
        return member.post("/tasks/large/test/submit/", fields)

    return {
        "upload, up to the queue": upload,
        "board of 200": lambda: stranger.get("/tasks/large/test/board/1/"),
    }


def browser() -> Client:
    return Client(SERVER_NAME="localhost", HTTP_ACCEPT_ENCODING="gzip", HTTP_ACCEPT_LANGUAGE="en")


def print_pages(pages: Mapping[str, Ask]) -> int:
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {"python": "", "pages": {}}
    is_held = table["python"] == PYTHON and not ARGUMENTS.write
    unit_ms = milliseconds(plain_view(), lambda: None)
    print(f"{'page':<32}{'calls':>9}{'queries':>9}{'characters':>12}{'plain views':>13}")
    costs, missed = {}, False
    for page, ask in pages.items():
        for state, prepare in {"anew": forget, "again": lambda: None}.items():
            name = f"{page}, {state}"
            for _ in range(2):  # what a process looks up once is none of a page's
                prepare()
                assert ask().status_code in (200, 302), page
            cost = costs[name] = cost_of(ask, prepare)
            units = "" if ARGUMENTS.tiny else f"{milliseconds(ask, prepare) / unit_ms:13.1f}"
            wrong = cost.differences(table["pages"].get(name, dict.fromkeys(vars(cost), 0))) if is_held else []
            if cost.calls > (goal := GOALS.get(name, cost.calls)) and not ARGUMENTS.tiny:
                wrong.append(f"goal {goal:,}")
            missed |= bool(wrong)
            verdict = f"   MISSED: {'; '.join(wrong)}" if wrong else ""
            print(f"{name:<32}{cost.calls:>9,}{cost.queries:>9}{cost.characters:>12,}{units}{verdict}", flush=True)
    print(f"plain view: {unit_ms:.2f} ms; Python {PYTHON}; pages.json has those of Python {table['python']}")
    if ARGUMENTS.write:
        new = {"python": PYTHON, "pages": {name: vars(cost) for name, cost in costs.items()}}
        TABLE.write_text(json.dumps(new, indent=2) + "\n")
    return int(missed)


def cost_of(ask: Ask, prepare: Callable[[], None]) -> Cost:
    prepare()
    with CaptureQueriesContext(connection) as queries:
        ask()
    lengths = [len(query["sql"]) for query in queries]
    return Cost(profiled(ask, prepare).total_calls, len(lengths), sum(lengths))


def profiled(ask: Ask, prepare: Callable[[], None]) -> pstats.Stats:
    prepare()
    profile = cProfile.Profile()
    gc.disable()  # it calls what is registered with it, now and then
    profile.runcall(ask)
    gc.enable()
    return pstats.Stats(profile)


def print_profile(ask: Ask) -> None:
    for prepare in (forget, forget, lambda: None):
        profiled(ask, prepare)
    with CaptureQueriesContext(connection) as queries:
        ask()
    for query in queries:
        print(len(query["sql"]), query["sql"][:3000], end="\n\n")
    stats = profiled(ask, lambda: None)
    stats.sort_stats("cumulative").print_stats(90)
    stats.sort_stats("ncalls").print_stats(40)


def forget() -> None:
    """Empty all caches; sessions are in the database."""
    for cache in caches.all():
        cache.clear()


def milliseconds(ask: Ask, prepare: Callable[[], None]) -> float:
    """Return the median of its processor time."""
    times = []
    for _ in range(N_TIMED):
        prepare()
        began = time.process_time()
        ask()
        times.append(1000 * (time.process_time() - began))
    return median(times)


def plain_view() -> Ask:
    """Return a view as a beginner writes it: one query, and a template of 50 lines."""
    line = "<tr><td>{{ phase.name }}</td><td>{{ phase.opens|date }}</td><td>{{ phase.slug }}</td></tr>\n"
    template = Engine.get_default().from_string(line * 50)

    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(template.render(Context({"phase": Phase.objects.get(task__slug="large")})))

    request = RequestFactory().get("/")
    return lambda: view(request)


if __name__ == "__main__":
    sys.exit(main())
