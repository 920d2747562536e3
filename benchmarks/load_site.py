"""Starts a site as a server runs it, fills it, and counts the processor seconds of its processes.

PostgreSQL has to be there already; Redis, web server, worker and beat are started here, on free ports, with the
settings of production. For `load.py`.
"""

import logging
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "a long word for a benchmark"
TASK, PHASE, SCENARIOS = "ehealthkd-demo", "test", (1, 2, 3)  # not 4, whose files are of another kind
_TICK = os.sysconf("SC_CLK_TCK")
_SECONDS_TO_START, _SECONDS_TO_SEED = 60, 1800


@dataclass(frozen=True)
class Site:
    port: int
    database: str  # its name
    processes: dict[str, subprocess.Popen]  # by kind: web, worker, beat, redis


@contextmanager
def site(folder: Path, server: str, n_entries: int, n_users: int) -> Iterator[Site]:
    """A site with boards of so many entries, and so many people who can log in and have a team.

    `server` is the address of a database in whose server another one, `evalsite_load`, is made; where the folder and
    that database are there from an earlier time, they are used again.
    """
    database = "evalsite_load"
    is_new = not (folder / "seeded").exists()
    if is_new:
        _make_database(server, database)
    sys.path.insert(0, str(ROOT))
    from evalsite import broker

    web_port, redis_port = broker.free_port(), broker.free_port()
    os.environ.update(_environ(folder, server, database, redis_port))
    with ExitStack() as stack:
        log = stack.enter_context((folder / "site.log").open("ab"))
        start = _starter(stack, log)
        redis = ["redis-server", "--port", str(redis_port), "--bind", broker.LOOPBACK, "--save", "", "--appendonly"]
        processes = {"redis": start([*redis, "no"])}
        broker.wait_until_ready(os.environ["REDIS_URL"], lambda: None)
        _prepare()
        celery = [sys.executable, "-m", "celery", "-A", "evalsite.celery"]
        processes["worker"] = start([*celery, "worker", "--concurrency", "2", "-l", "WARNING"])
        processes["beat"] = start([*celery, "beat", "-l", "WARNING"])
        if is_new:
            _seed(n_entries, n_users)
            (folder / "seeded").touch()
        bind = f"{broker.LOOPBACK}:{web_port}"
        gunicorn = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "gunicorn.conf.py")]
        processes["web"] = start([*gunicorn, "--bind", bind, "evalsite.wsgi"])
        yield Site(web_port, database, processes)


def _environ(folder: Path, server: str, database: str, redis_port: int) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "evalsite.settings",
        "PYTHONPATH": str(ROOT),
        "EVALSITE_BOOTSTRAP": "0",
        "EVALSITE_PRODUCTION": "1",
        "EVALSITE_DATA_DIR": str(folder),
        "STATIC_ROOT": str(folder / "static"),
        "SECRET_KEY": "only of a benchmark, and of no use elsewhere: " + "x" * 40,
        "ALLOWED_HOSTS": "127.0.0.1",
        "DATABASE_URL": urlunsplit(urlsplit(server)._replace(path=f"/{database}")),
        "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
        "CACHE_URL": f"rediscache://127.0.0.1:{redis_port}/1",
        "EMAIL_URL": "dummymail://",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _make_database(server: str, name: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')


def _starter(stack: ExitStack, log):
    def start(command: list[str]) -> subprocess.Popen:
        process = stack.enter_context(subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT))
        stack.callback(_end, process)
        return process

    return start


def _end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()


def _prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    logging.getLogger().setLevel(logging.WARNING)  # of this process; the site's own log is in its folder
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def _seed(n_entries: int, n_users: int) -> None:
    """The demo's task without limits; people with a team each, and of as many teams as there are entries a run."""
    from allauth.account.models import EmailAddress
    from django.contrib.auth.hashers import make_password
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.utils import timezone

    from demo.task import create_demo
    from evalsite.accounts.models import Membership, Team, User
    from evalsite.challenges.models import Phase
    from evalsite.submissions.intake import Said, submit
    from evalsite.submissions.tasks import enqueue_waiting
    from evalsite.submissions.uploads import as_upload

    create_demo()
    Phase.objects.filter(task__slug=TASK).update(window_limit=None, total_limit=None)
    phase = Phase.objects.select_related("task").get(task__slug=TASK, slug=PHASE)
    password = make_password(PASSWORD)  # once: a million rounds for each of them would take minutes
    n_people = max(n_users, n_entries)
    users = User.objects.bulk_create(
        User(email=address_of(number), password=password, name=f"Person {number}") for number in range(n_people)
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    teams = Team.objects.bulk_create(Team(name=f"Team number {number}") for number in range(n_people))
    Membership.objects.bulk_create(
        Membership(team=team, user=user, is_owner=True) for team, user in zip(teams, users, strict=True)
    )
    scenarios = list(phase.task.scenarios.filter(number__in=SCENARIOS))
    for number in range(n_entries):
        with as_upload([SimpleUploadedFile("run.zip", run_of(number))]) as upload:
            who, now = (teams[number], users[number]), timezone.now()
            submit(phase, *who, upload, scenarios, Said(f"Method {number}"), arrived=now)
    enqueue_waiting()
    _wait_for_boards(phase, n_entries)


def _wait_for_boards(phase, n_entries: int) -> None:
    from evalsite.leaderboard.editions import editions_of
    from evalsite.submissions.models import Scoring

    end = time.monotonic() + _SECONDS_TO_SEED
    while time.monotonic() < end:
        n_waiting = Scoring.objects.filter(state__in=Scoring.UNFINISHED).count()
        n_full = sum(len(edition.entries) >= n_entries for edition in editions_of(phase))
        if not n_waiting and n_full >= len(SCENARIOS):
            return
        time.sleep(1)
    raise RuntimeError(f"After {_SECONDS_TO_SEED} s {n_waiting} scorings wait, or the boards do not show them.")


def address_of(number: int) -> str:
    return f"person-{number}@example.org"


@cache
def _systems() -> list[dict[str, str]]:
    """The files of the demo's systems: reading them takes some of the people's own time."""
    from demo.plan import read_task

    runs = read_task("ehealthkd").archives(PHASE, SCENARIOS)
    return [{path: text for path, text in run.items() if not path.startswith("scenario4")} for run in runs]


def run_of(number: int) -> bytes:
    """A zip archive for all three scenarios: a run of the demo without some of its lines, unlike any other's."""
    from demo.plan import zip_of

    systems = _systems()
    files = dict(systems[number % len(systems)])
    rng = random.Random(number)
    for name, content in files.items():
        # Phrases may go where no relation needs them.
        if "output_b" in name or ("output_a" in name and "scenario2" in name):
            kept = [line for line in content.splitlines(keepends=True) if rng.random() > 0.05]
            files[name] = "".join(kept)
    files["note.txt"] = str(number)
    return zip_of(files)


def processor_seconds(root: int) -> float:
    """Of a process and all that it started, those that have ended too."""
    parents, used = {}, {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and (found := _stat(int(each.name))):
            parents[int(each.name)], used[int(each.name)] = found
    own, grew = {root}, True
    while grew:
        more = {pid for pid, parent in parents.items() if parent in own} - own
        own, grew = own | more, bool(more)
    return sum(used.get(pid, 0) for pid in own)


def seconds_of_database(name: str) -> float:
    """Of PostgreSQL, with the processes of connections that have ended; of all that it works for, not of this database
    alone. 0 where it is on another machine."""
    for each in Path("/proc").iterdir():
        if not each.name.isdigit():
            continue
        try:
            title = (each / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if title.startswith("postgres:") and f" {name} " in title and (stat := _stat(int(each.name))):
            return processor_seconds(stat[0])
    return 0.0


def _stat(pid: int) -> tuple[int, float] | None:
    """Parent, and seconds of the process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:15])) / _TICK
