"""Times every page that lists submissions, the administration's lists, its search and the reaper, with 1,000,000 runs.

    python benchmarks/scale.py [--submissions 1000000] [--teams 1024]
    DATABASE_URL=postgres://... python benchmarks/scale.py --folder FOLDER    what was seeded there before, or is now
    python benchmarks/scale.py --tiny                                         whether it runs; limits count for nothing

The database is one of its own on the server that DATABASE_URL names, else on a server of its own. A million submissions
take some 20 GB and a quarter of an hour to seed; with `--folder` files and database stay for the next time.

Each page is asked for once with empty caches and a new connection, then some times more; what is held against the
limit is the median of these, or with --by-cpu the processor time of site and database. With them stands the number of
queries, and of a page that is too slow the slowest one. `--only` takes parts of names, with | between them. Exit
status 1 if a page takes longer than its limit, or if a result's row is too large.
"""

import io
import os
import statistics
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import servers

# The queue holds what would have been cancelled: 1 of 200.
TINY = {"submissions": 2000, "teams": 10}
ARGUMENTS = servers.arguments(__doc__, TINY, submissions=1_000_000, teams=1024, folder="", by_cpu=False, only="")
N_REQUESTS = 1 if ARGUMENTS.tiny else 5  # of each page, after the first one
if ARGUMENTS.folder and not os.environ.get("DATABASE_URL"):
    raise SystemExit("--folder needs a server that stays: name it by DATABASE_URL")
FOLDER = servers.start("scale", Path(ARGUMENTS.folder) if ARGUMENTS.folder else None, REQUIRE_STAFF_MFA="0")

import scale_rows
import seeding

import evalsite.wsgi  # noqa: F401 - loads what a server's process loads

# isort: split
from django.contrib import admin
from django.core.cache import cache
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.accounts.plain_admin import LongListPaginator
from evalsite.challenges.models import Event, Phase, Task
from evalsite.submissions.lifecycle import enqueueing, waiting
from evalsite.submissions.models import Result, Scoring, Submission
from scoring.comparing.redrawing import store_thinned, stored_draws

PAGE_MS, ADMIN_MS, REAP_MS, HISTORY_MS = 200, 500, 10, 50
MEMBER = "person-7@example.org"
MOST_ROW_BYTES = 3 * 1024  # of a result, at the 95th percentile


@dataclass(frozen=True)
class Asked:
    """A thing that is timed: `visitor` is the key of a client, "" where none is asked."""

    name: str
    limit: float  # milliseconds
    visitor: str
    work: Callable[[Client | None], object]


def main() -> int:
    seeded = FOLDER / "seeded"
    if not seeded.exists():
        servers.make_tables()
        start = time.perf_counter()
        scale_rows.seed(ARGUMENTS.submissions, ARGUMENTS.teams)
        scale_rows.make_boards()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        print(f"seeded in {time.perf_counter() - start:.0f} s")
        seeded.touch()
    with connection.cursor() as cursor:
        # The time of parallel workers would not be counted.
        workers = 0 if ARGUMENTS.by_cpu else 2
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"ALTER DATABASE {name} SET max_parallel_workers_per_gather = {workers}")
    connection.close()
    print_sizes()
    print_files()
    missed = print_times() | print_rows()
    return int(missed and not ARGUMENTS.tiny)


def print_sizes() -> None:
    print("\ntable                              rows   table MB   indexes MB   bytes a row, with indexes")
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        for name, rows, table, indexes in cursor.fetchall():
            each = (table + indexes) / rows if rows else 0
            print(f"{name:28} {rows:12,.0f} {table / 1e6:10,.0f} {indexes / 1e6:12,.0f} {each:12,.0f}")


_SIZES = """
SELECT relname, reltuples, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > 1000000
ORDER BY pg_total_relation_size(oid) DESC
"""


def print_files() -> None:
    """Print what the originals' evaluations take, which the seeded rows share, and what they take once thinned."""
    names = set(Result.objects.exclude(evaluation="").values_list("evaluation", flat=True)[:5000])
    costs = [thinned(FOLDER / "data" / "files" / name) for name in sorted(names)[:20]]
    whole, small, took = (statistics.mean(column) for column in zip(*costs, strict=True))
    print("\nevaluation files, bytes: whole   thinned   to draw again, CPU ms")
    print(f"{whole:30,.0f} {small:9,.0f} {took:24.1f}")


def thinned(path: Path) -> tuple[int, int, float]:
    """Bytes of an evaluation file, bytes without its draws, and milliseconds that it takes to make them again."""
    target = FOLDER / "thinned.npz"
    done = store_thinned(path, target)
    start = time.process_time()
    stored_draws(target if done else path)
    took = 1000 * (time.process_time() - start)
    return path.stat().st_size, (target if done else path).stat().st_size, took


def print_rows() -> bool:
    """Return the size of a result's row as it is stored, that of its tables, and whether the first is small enough."""
    print("\nbytes of a row            median      p95")
    large = False
    for table, key in (("submissions_result", "scoring_id"), ("submissions_resulttables", "result_id")):
        with connection.cursor() as cursor:
            cursor.execute(_ROWS.format(table=table, key=key))
            median, p95 = cursor.fetchone()
        limit = MOST_ROW_BYTES if table == "submissions_result" else float("inf")
        large |= p95 > limit
        print(f"{table:24} {median:7,.0f} {p95:8,.0f}{'   TOO LARGE' if p95 > limit else ''}")
    return large


_ROWS = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY size), percentile_cont(0.95) WITHIN GROUP (ORDER BY size)
FROM (SELECT pg_column_size(stored.*) AS size FROM {table} AS stored ORDER BY {key} LIMIT 20000) AS sample
"""


def print_times() -> bool:
    print("\nmilliseconds                           visitor        first    again     site database  limit  queries")
    missed, clients = False, clients_of()
    for asked in what_is_asked():
        missed |= print_time(asked, clients.get(asked.visitor))
    return missed


def print_time(asked: Asked, client: Client | None) -> bool:
    """Return whether it took longer than its limit; then also its slowest query is printed."""
    first = first_time(asked, client)
    before = cpu_times()
    again = statistics.median(milliseconds(asked, client) for _ in range(N_REQUESTS))
    site, database = ((now - then) / N_REQUESTS for now, then in zip(cpu_times(), before, strict=True))
    with CaptureQueriesContext(connection) as queries:
        asked.work(client)
    slowest = max(queries.captured_queries, key=lambda query: float(query["time"]), default={"time": 0, "sql": ""})
    is_missed = (site + database if ARGUMENTS.by_cpu else again) > asked.limit
    print(
        f"{asked.name:38} {asked.visitor:11} {first:8.1f} {again:8.1f} {site:8.1f} {database:8.1f} {asked.limit:6.0f}"
        f" {len(queries):8}{'   MISSED' if is_missed else ''}",
        flush=True,
    )
    if is_missed:
        print(f"      {1000 * float(slowest['time']):.1f} ms: {slowest['sql'][:1500]}")
    return is_missed


def cpu_times() -> tuple[float, float]:
    """Milliseconds of processor time of this process, and of the database's for it: 0 where that is on another host."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [process] = cursor.fetchone()
    try:
        of_database = int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6
    except OSError:
        of_database = 0.0
    return 1000 * time.process_time(), of_database


def first_time(asked: Asked, client: Client | None) -> float:
    cache.clear()
    connection.close()
    return milliseconds(asked, client)


def milliseconds(asked: Asked, client: Client | None) -> float:
    start = time.perf_counter()
    asked.work(client)
    return 1000 * (time.perf_counter() - start)


def clients_of() -> dict[str, Client]:
    """Return clients by who they are: nobody, a member of a team with as many runs as others, both organisers."""
    people = {
        "member": User.objects.get(email=MEMBER),
        "superuser": User.objects.get(email=scale_rows.ADMINISTRATOR),
        "organiser": User.objects.get(email=scale_rows.ORGANISER),
    }
    clients = {name: Client(SERVER_NAME="localhost") for name in ("stranger", *people)}
    for name, user in people.items():
        clients[name].force_login(user)
    return clients


def page(path: str, statuses: Collection[int] = (200,), **headers: str) -> Callable[[Client | None], object]:
    def work(client: Client | None) -> object:
        assert client is not None
        answer = client.get(path, headers=headers)
        assert answer.status_code in statuses, (path, answer.status_code, answer.headers)
        return answer

    return work


def upload(phase: Phase) -> Callable[[Client | None], object]:
    """Another file each time, since the site refuses the same one twice."""
    team = User.objects.get(email=MEMBER).teams.get()
    enqueueing.send_message = lambda *arguments: True  # no broker is measured here

    def work(client: Client | None) -> object:
        assert client is not None
        content = io.BytesIO(seeding.run_of(time.time_ns()))
        content.name = "run.zip"
        given = {"files": [content], "team": str(team.pk), "method": "Benchmark"}
        answer = client.post(reverse("submit", args=[phase.task.slug, phase.slug]), given)
        assert answer.status_code == 302, answer.status_code
        return answer

    return work


def what_is_asked() -> list[Asked]:
    asked = [*pages(), *admin_pages(), Asked("reap()", REAP_MS, "", lambda client: waiting.reap())]
    return [each for each in asked if any(part in each.name for part in ARGUMENTS.only.split("|"))]


def pages() -> list[Asked]:
    phase = Phase.objects.get(task__slug=scale_rows.BIG)
    member = User.objects.get(email=MEMBER)
    own = member.teams.get().submissions.filter(phase=phase, scorings__state="scored").first()
    queued = scale_rows.waiting_run()
    board = f"/tasks/{scale_rows.BIG}/test/board/"
    asked = [
        ("home", "stranger", "/"),
        ("home", "member", "/"),
        ("task", "stranger", f"/tasks/{scale_rows.BIG}/"),
        ("task", "member", f"/tasks/{scale_rows.BIG}/"),
        ("board", "stranger", f"{board}1/"),
        ("board", "member", f"{board}1/"),
        ("board, page 5", "member", f"{board}1/?page=5"),
        ("board, searched", "member", f"{board}1/?q=team 7"),
        ("overview of the phase's boards", "member", board),
        ("compare two runs", "member", f"{board}1/compare/"),
        ("teams", "member", "/teams/"),
        ("form for uploads", "member", f"/tasks/{scale_rows.BIG}/test/submit/"),
        ("own submissions", "member", f"/tasks/{scale_rows.BIG}/submissions/"),
        ("own submissions, last page", "member", f"/tasks/{scale_rows.BIG}/submissions/?page=999"),
        ("run", "member", own.get_absolute_url()),
        ("run", "superuser", own.get_absolute_url()),
        ("run in the queue", "superuser", queued.get_absolute_url()),
    ]
    listed = [Asked(name, PAGE_MS, visitor, page(path)) for name, visitor, path in asked]
    history = Asked("history of the board", HISTORY_MS, "member", page(f"{board}1/history/"))
    polled = page(queued.get_absolute_url(), (200, 286), **{"HX-Request": "true"})
    poll = Asked("poll of a run in the queue", PAGE_MS, "superuser", polled)
    return [*listed, history, poll, Asked("upload", PAGE_MS, "member", upload(phase))]


def admin_pages() -> list[Asked]:
    runs, events = "/admin/submissions/submission/", "/admin/challenges/event/"
    task = Task.objects.get(slug=scale_rows.BIG)
    code = Scoring.objects.order_by("-created")[100].code
    some = Scoring.objects.filter(state="scored").select_related("submission__phase__task").first().submission
    asked = [
        ("submissions", runs),
        ("submissions, page 2", f"{runs}?p=2"),
        ("submissions, in the middle", f"{runs}?p={ARGUMENTS.submissions // 100}"),
        ("submissions, last page", f"{runs}?p={last_page(Submission)}"),
        ("submissions, withdrawn", f"{runs}?withdrawn__isempty=0"),
        ("search: a method", f"{runs}?q=method 7"),
        ("search: a rare method", f"{runs}?q=run 77777"),
        ("search: a team", f"{runs}?q=Person team 77"),
        ("search: nothing", f"{runs}?q=nothing is called so"),
        ("search: a code", f"{runs}?q={code}"),
        ("a submission", f"{runs}{some.pk}/change/"),
        ("scorings, failed", "/admin/submissions/scoring/?state__exact=failed"),
        ("scorings, queued", "/admin/submissions/scoring/?state__exact=queued"),
        ("results", "/admin/submissions/result/"),
        ("events", events),
        ("events, last page", f"{events}?p={last_page(Event)}"),
        ("events of a kind", f"{events}?kind=task created"),
        ("tasks", "/admin/challenges/task/"),
        ("a task", f"/admin/challenges/task/{task.pk}/change/"),
        ("participations", "/admin/challenges/participation/"),
        ("gold", "/admin/challenges/gold/"),
        ("teams", "/admin/accounts/team/"),
        ("accounts", "/admin/accounts/user/"),
        ("start", "/admin/"),
    ]
    desk = f"/tasks/{scale_rows.OTHER}/organise/"
    own = [("overview", desk), ("runs", f"{desk}runs/"), ("log", f"{desk}log/"), ("own tasks", "/organise/")]
    return [
        *(Asked(f"admin: {name}", ADMIN_MS, "superuser", page(path)) for name, path in asked),
        *(Asked(f"desk: {name}", ADMIN_MS, "organiser", page(path)) for name, path in own),
    ]


def last_page(model: type[Model]) -> int:
    """Return the last page by the number of rows that the list itself goes by."""
    return LongListPaginator(model.objects.all(), admin.site.get_model_admin(model).list_per_page).num_pages


if __name__ == "__main__":
    sys.exit(main())
