"""Times every page that lists submissions, the admin's lists, its search and the reaper, with 1,000,000 submissions.

    python benchmarks/scale.py [--submissions 1000000] [--teams 1024] [--database evalsite_scale] [--keep] [--reuse]

It needs a PostgreSQL server, by DATABASE_URL or at postgres://root@127.0.0.1/postgres, on which it makes a database of
its own and drops it afterwards; with --keep it stays, and --reuse measures one that has stayed. A million submissions
take some 20 GB and a quarter of an hour to seed.

Each page is asked for once with empty caches and a new connection, then some times more; what is held against the
limit is the median of these, or with --by-cpu the processor time of site and database. With them stands the number of
queries, and of a page that is too slow the slowest one. Exit status 1 if a page takes longer than its limit, or if a
result's row is too large.
"""

import argparse
import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
PARSER.add_argument("--submissions", type=int, default=1_000_000)
PARSER.add_argument("--teams", type=int, default=1024)
PARSER.add_argument("--tables", type=float, default=0.1, help="share of the results that have their tables")
PARSER.add_argument("--database", default="evalsite_scale", help="name of the database that is made")
PARSER.add_argument("--folder", help="where files are kept; with --keep and --reuse")
PARSER.add_argument("--requests", type=int, default=5, help="of each page, after the first one")
PARSER.add_argument("--by-cpu", action="store_true", help="hold processor time against the limits: on a busy machine")
PARSER.add_argument("--only", default="", help="what has one of these in its name, with | between them")
PARSER.add_argument("--keep", action="store_true", help="leave database and files")
PARSER.add_argument("--reuse", action="store_true", help="measure what an earlier run has left")
ARGUMENTS = PARSER.parse_args()
SERVER = os.environ.get("DATABASE_URL", "postgres://root@127.0.0.1/postgres")
FOLDER = ARGUMENTS.folder or tempfile.mkdtemp(prefix="scale-")
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "evalsite.settings",
    "EVALSITE_BOOTSTRAP": "0",
    "EVALSITE_DATA_DIR": FOLDER,
    "DATABASE_URL": SERVER.rpartition("/")[0] + "/" + ARGUMENTS.database,
    "LOG_LEVEL": "CRITICAL",
    "REQUIRE_STAFF_MFA": "0",
}
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import evalsite.wsgi  # noqa: E402, F401 - starts Django as a server does

# isort: split
import psycopg  # noqa: E402
import scale_board  # noqa: E402
import scale_data  # noqa: E402
from django.contrib import admin  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from demo.accounts import ORGANISER  # noqa: E402
from demo.plan import read_task, zip_of  # noqa: E402
from evalsite.accounts.long_lists import LongListPaginator  # noqa: E402
from evalsite.accounts.models import User  # noqa: E402
from evalsite.challenges.models import Event, Phase, Scenario, Task  # noqa: E402
from evalsite.submissions import tasks, waiting  # noqa: E402
from evalsite.submissions.models import Result, Scoring, Submission  # noqa: E402
from scoring.comparing.redrawing import store_thinned, stored_draws  # noqa: E402

PAGE_MS, ADMIN_MS, REAP_MS, HISTORY_MS = 200, 500, 10, 50
MOST_ROW_BYTES = 3 * 1024  # of a result, at the 95th percentile


@dataclass(frozen=True)
class Asked:
    """What is timed: `visitor` is the key of a client, "" where none is asked."""

    name: str
    limit: float  # milliseconds
    visitor: str
    work: Callable[[Client | None], object]


def main() -> int:
    if not ARGUMENTS.reuse:
        make_database()
    # The time of parallel workers would not be counted.
    workers = 0 if ARGUMENTS.by_cpu else 2
    on_server(f'ALTER DATABASE "{ARGUMENTS.database}" SET max_parallel_workers_per_gather = {workers}')
    connection.close()
    try:
        print_sizes()
        print_files()
        return print_times() | print_rows()
    finally:
        connection.close()
        if not (ARGUMENTS.keep or ARGUMENTS.reuse):
            on_server(f'DROP DATABASE "{ARGUMENTS.database}"')


def make_database() -> None:
    on_server(f'DROP DATABASE IF EXISTS "{ARGUMENTS.database}"', f'CREATE DATABASE "{ARGUMENTS.database}"')
    start = time.perf_counter()
    call_command("migrate", verbosity=0)
    scale_data.seed(ARGUMENTS.submissions, ARGUMENTS.teams, ARGUMENTS.tables)
    print(f"seeded in {time.perf_counter() - start:.0f} s; files in {FOLDER}")
    start = time.perf_counter()
    scale_board.make(scale_data.BIG)
    print(f"boards made in {time.perf_counter() - start:.0f} s")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def on_server(*statements: str) -> None:
    with psycopg.connect(SERVER, autocommit=True) as server:
        for statement in statements:
            server.execute(statement)


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
    """What the evaluations of the demo's runs take, which the seeded rows share, and what they take once thinned."""
    print("\nevaluation files, bytes    whole   thinned   to draw again, CPU ms")
    for family in sorted(set(Scenario.objects.values_list("family", flat=True))):
        names = set(Result.objects.filter(scoring__scenario__family=family).values_list("evaluation", flat=True)[:5000])
        found = [thinned(Path(FOLDER, "files", name)) for name in sorted(names)[:20]]
        if found:
            whole, small, took = (statistics.mean(column) for column in zip(*found, strict=True))
            print(f"{family:20} {whole:11,.0f} {small:9,.0f} {took:24.1f}")


def thinned(path: Path) -> tuple[int, int, float]:
    """Bytes of an evaluation file, bytes without its draws, and milliseconds that it takes to make them again."""
    target = Path(FOLDER, "thinned.npz")
    done = store_thinned(path, target)
    start = time.process_time()
    stored_draws(target if done else path)
    took = 1000 * (time.process_time() - start)
    return path.stat().st_size, (target if done else path).stat().st_size, took


def print_rows() -> int:
    """The size of a result's row as it is stored, that of its tables, and whether the first is small enough."""
    print("\nbytes of a row            median      p95")
    large = False
    for table, key in (("submissions_result", "scoring_id"), ("submissions_resulttables", "result_id")):
        with connection.cursor() as cursor:
            cursor.execute(_ROWS.format(table=table, key=key))
            median, p95 = cursor.fetchone()
        limit = MOST_ROW_BYTES if table == "submissions_result" else float("inf")
        large |= p95 > limit
        print(f"{table:24} {median:7,.0f} {p95:8,.0f}{'   TOO LARGE' if p95 > limit else ''}")
    return int(large)


_ROWS = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY size), percentile_cont(0.95) WITHIN GROUP (ORDER BY size)
FROM (SELECT pg_column_size(stored.*) AS size FROM {table} AS stored ORDER BY {key} LIMIT 20000) AS sample
"""


def print_times() -> int:
    print("\nmilliseconds                           visitor        first    again     site database  limit  queries")
    missed, clients = False, clients_of()
    for asked in what_is_asked():
        missed |= print_time(asked, clients.get(asked.visitor))
    return int(missed)


def print_time(asked: Asked, client: Client | None) -> bool:
    """Whether it took longer than its limit; then also its slowest query is printed."""
    first = first_time(asked, client)
    before = cpu_times()
    again = statistics.median(milliseconds(asked, client) for _ in range(ARGUMENTS.requests))
    site, database = ((now - then) / ARGUMENTS.requests for now, then in zip(cpu_times(), before, strict=True))
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
    """By who they are: nobody, a member of a team with as many runs as the others, both kinds of organisers."""
    people = {
        "member": User.objects.get(email="seeded-7@example.org"),
        "superuser": User.objects.get(email=ORGANISER),
        "organiser": User.objects.get(email="small@example.org"),
    }
    clients = {name: Client(SERVER_NAME="localhost") for name in ("stranger", *people)}
    for name, user in people.items():
        clients[name].force_login(user)
    return clients


def page(path: str) -> Callable[[Client | None], object]:
    def work(client: Client | None) -> object:
        assert client is not None
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.headers)
        return answer

    return work


def upload(phase: Phase) -> Callable[[Client | None], object]:
    """Another file each time, since the site refuses the same one twice."""
    run = read_task("ehealthkd").archives("test", (1, 2, 3))[1]  # has no files of the fourth scenario
    team = User.objects.get(email="seeded-7@example.org").teams.get()
    tasks.score.delay = lambda pk: None  # no broker is measured here

    def work(client: Client | None) -> object:
        assert client is not None
        content = io.BytesIO(zip_of(run | {"note.txt": f"{time.time_ns()}"}))
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
    phase = Phase.objects.get(task__slug=scale_data.BIG, slug="test")
    member = User.objects.get(email="seeded-7@example.org")
    own = member.teams.get().submissions.filter(phase=phase, scorings__state="scored").first()
    queued = scale_data.waiting_run()
    board = f"/tasks/{scale_data.BIG}/test/board/"
    asked = [
        ("home", "stranger", "/"),
        ("home", "member", "/"),
        ("task", "stranger", f"/tasks/{scale_data.BIG}/"),
        ("task", "member", f"/tasks/{scale_data.BIG}/"),
        ("board", "stranger", f"{board}1/"),
        ("board", "member", f"{board}1/"),
        ("board, page 5", "member", f"{board}1/?page=5"),
        ("board, searched", "member", f"{board}1/?q=team 7"),
        ("overview of the phase's boards", "member", board),
        ("compare two runs", "member", f"{board}1/compare/"),
        ("teams", "member", "/teams/"),
        ("form for uploads", "member", f"/tasks/{scale_data.BIG}/test/submit/"),
        ("own submissions", "member", f"/tasks/{scale_data.BIG}/submissions/"),
        ("own submissions, last page", "member", f"/tasks/{scale_data.BIG}/submissions/?page=999"),
        ("run", "member", own.get_absolute_url()),
        ("run", "superuser", own.get_absolute_url()),
        ("run in the queue", "superuser", queued.get_absolute_url()),
    ]
    listed = [Asked(name, PAGE_MS, visitor, page(path)) for name, visitor, path in asked]
    history = Asked("history of the board", HISTORY_MS, "member", page(f"{board}1/history/"))
    poll = Asked("poll of a run in the queue", PAGE_MS, "superuser", polled(queued.get_absolute_url()))
    return [*listed, history, poll, Asked("upload", PAGE_MS, "member", upload(phase))]


def polled(path: str) -> Callable[[Client | None], object]:
    def work(client: Client | None) -> object:
        assert client is not None
        answer = client.get(path, headers={"HX-Request": "true"})
        assert answer.status_code in (200, 286), answer.status_code
        return answer

    return work


def admin_pages() -> list[Asked]:
    runs, events = "/admin/submissions/submission/", "/admin/challenges/event/"
    task = Task.objects.get(slug=scale_data.BIG)
    code = Scoring.objects.order_by("-created")[1000].code
    some = Scoring.objects.filter(state="scored").select_related("submission__phase__task").first().submission
    asked = [
        ("submissions", runs),
        ("submissions, page 2", f"{runs}?p=2"),
        ("submissions, in the middle", f"{runs}?p={ARGUMENTS.submissions // 100}"),
        ("submissions, last page", f"{runs}?p={last_page(Submission)}"),
        ("submissions, of a task", f"{runs}?phase__task__id__exact={task.pk}"),
        ("submissions, withdrawn", f"{runs}?withdrawn__isempty=0"),
        ("search: a method", f"{runs}?q=method 7"),
        ("search: a rare method", f"{runs}?q=run 77777"),
        ("search: a team", f"{runs}?q=Seeded team 77"),
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
    desk = "/tasks/small/organise/"
    small = [("runs", f"{desk}runs/"), ("log", f"{desk}log/"), ("own tasks", "/organise/")]
    return [
        *(Asked(f"admin: {name}", ADMIN_MS, "superuser", page(path)) for name, path in asked),
        *(Asked(f"desk: {name}", ADMIN_MS, "organiser", page(path)) for name, path in small),
    ]


def last_page(model: type[Model]) -> int:
    """By the number of rows that the list itself goes by."""
    return LongListPaginator(model.objects.all(), admin.site.get_model_admin(model).list_per_page).num_pages


if __name__ == "__main__":
    sys.exit(main())
