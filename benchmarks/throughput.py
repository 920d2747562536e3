"""How many uploads one worker of two processes scores per second, and what processor time a scoring costs, by part.

    python benchmarks/throughput.py [--uploads 200] [--resamples 10000] [--rounds 3]

Real parts: PostgreSQL, Redis and a Celery worker, with data in a temporary folder. Where DATABASE_URL or REDIS_URL
is set, that one is used instead: a database that may be filled, and a Redis of which nobody else uses the database.
Each upload is another system's run of the demo's test phase (120 sentences). Two rows: uploads of one scenario, and
uploads that fill all three; of several rounds the fastest counts, as other programs can only slow one down. Ends with
status 1 where a row is below its limit, or where the engine takes more than half of the time. On a machine that others
use as well, the processor time is what can be compared: two cores have 2,000 ms in each second.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from servers import ROOT, cpu_seconds, family, is_engine, postgresql, redis, worker

ROWS = {"one scenario": ((1,), 40.0), "three scenarios": ((1, 2, 3), 15.0)}  # scenarios, least uploads per second
MOST_OF_ENGINE = 0.5  # of the processor time
TEAMS = 8
PARTS = ("engine", "worker", "PostgreSQL", "Redis")


@dataclass(frozen=True)
class Round:
    """What some uploads took: seconds by the clock, and of processors by part."""

    n_uploads: int
    n_scorings: int
    seconds: float
    cpu: dict[str, float]

    @property
    def uploads_per_second(self) -> float:
        return self.n_uploads / self.seconds

    @property
    def milliseconds(self) -> dict[str, float]:
        """Of processors for each scoring, by part."""
        return {part: 1000 * seconds / self.n_scorings for part, seconds in self.cpu.items()}

    @property
    def share_of_engine(self) -> float:
        return self.cpu["engine"] / sum(self.cpu.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uploads", type=int, default=200, help="in each round")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), arguments.resamples) as process:
        rounds = {
            title: [
                measured(arguments.uploads, numbers, f"{title} {each}", process) for each in range(arguments.rounds)
            ]
            for title, (numbers, _) in ROWS.items()
        }
    return report({title: max(several, key=lambda each: each.uploads_per_second) for title, several in rounds.items()})


def report(rounds: dict[str, Round]) -> int:
    print(f"{'uploads of':<18}{'uploads/s':>11}{'limit':>7}{'scorings/s':>12}   CPU ms a scoring:", end="")
    print("".join(f"{part:>12}" for part in (*PARTS, "all")) + f"{'engine':>9}")
    is_met = True
    for title, each in rounds.items():
        limit = ROWS[title][1]
        rates = f"{each.uploads_per_second:>11.1f}{limit:>7.0f}{each.n_scorings / each.seconds:>12.1f}"
        spent = "".join(f"{each.milliseconds[part]:>12.1f}" for part in PARTS)
        print(f"{title:<18}{rates}{'':>20}{spent}{sum(each.milliseconds.values()):>12.1f}{each.share_of_engine:>9.0%}")
        is_met = is_met and each.uploads_per_second >= limit and each.share_of_engine <= MOST_OF_ENGINE
    return int(not is_met)


@contextmanager
def site(folder: Path, n_resamples: int) -> Iterator[int]:
    """A migrated site with its broker and one worker that has reported ready; gives the worker's process."""
    sys.path.insert(0, str(ROOT))
    from evalsite import broker

    with ExitStack() as stack:
        if not os.environ.get("DATABASE_URL"):
            os.environ["DATABASE_URL"] = stack.enter_context(postgresql(folder, broker.free_port()))
        if not os.environ.get("REDIS_URL"):
            os.environ["REDIS_URL"] = stack.enter_context(redis(folder, broker.free_port()))
        os.environ.update(
            EVALSITE_DATA_DIR=str(folder / "data"),
            DJANGO_SETTINGS_MODULE="evalsite.settings",
            N_RESAMPLES=str(n_resamples),
            LOG_LEVEL="WARNING",
            PYTHONPATH=str(ROOT),
        )
        prepare()
        from demo.management.commands.demo import WORKER_ENVIRON

        yield stack.enter_context(worker(2, os.environ | WORKER_ENVIRON))


def prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measured(n_uploads: int, numbers: tuple[int, ...], title: str, worker: int) -> Round:
    from evalsite.submissions.models import Scoring
    from evalsite.submissions.tasks import enqueue

    keys = queued(n_uploads, numbers, title)
    warm(numbers, title)
    before, start = spent(worker), time.perf_counter()
    enqueue(keys)
    while Scoring.objects.filter(state__in=Scoring.UNFINISHED).exists():
        time.sleep(0.05)
    seconds = time.perf_counter() - start
    after = spent(worker)
    states = set(Scoring.objects.filter(pk__in=keys).values_list("state", flat=True))
    assert states == {"scored"}, states
    return Round(n_uploads, len(keys), seconds, {part: after[part] - before[part] for part in PARTS})


def spent(worker: int) -> dict[str, float]:
    """Processor seconds until now, by part; those of the benchmark's own queries are left out."""
    processes = family(worker)
    # Of the engine are servers and their living children; of those that have ended a server has the time.
    engine = [process for process in processes if is_engine(process)]
    return {
        "engine": cpu_seconds(engine, ended_too=True),
        "worker": cpu_seconds(set(processes) - set(engine)),
        "PostgreSQL": cpu_seconds(backends()),
        "Redis": redis_seconds(),
    }


def backends() -> list[int]:
    """PostgreSQL's processes for this database, and those that write for all, if they are on this machine."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
            " (datname = current_database() OR backend_type IN ('walwriter', 'background writer', 'checkpointer'))"
        )
        return [pid for (pid,) in cursor.fetchall()]


def redis_seconds() -> float:
    from redis import Redis

    with Redis.from_url(os.environ["REDIS_URL"]) as client:
        used = client.info("cpu")
    return used["used_cpu_sys"] + used["used_cpu_user"]


def warm(numbers: tuple[int, ...], title: str) -> None:
    """Some uploads that are not counted: each process has then loaded all it needs, and connected."""
    from evalsite.submissions.models import Scoring
    from evalsite.submissions.tasks import enqueue

    enqueue(queued(8, numbers, f"{title} before"))
    while Scoring.objects.filter(state__in=Scoring.UNFINISHED).exclude(enqueued=None).exists():
        time.sleep(0.05)


def queued(n_uploads: int, numbers: tuple[int, ...], title: str) -> list:
    """Keys of scorings: teams upload in turn runs that differ in a note, taking the demo's systems in turn.

    They are many, because of one person one scoring runs at a time.
    """
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.utils import timezone

    from demo.plan import read_task, zip_of
    from demo.task import create_demo
    from evalsite.accounts.models import Team, User
    from evalsite.challenges.models import Phase
    from evalsite.submissions.intake import Said, submit
    from evalsite.submissions.models import Scoring
    from evalsite.submissions.uploads import as_upload

    if not Phase.objects.exists():
        create_demo()
        Scoring.objects.filter(state="queued").update(state="cancelled")
    plan = read_task("ehealthkd")
    phase = Phase.objects.get(task__slug=plan.slug, slug="test")
    phase.window_limit = phase.total_limit = None
    phase.save()
    systems = plan.archives("test", numbers)
    teams = [Team.objects.create(name=f"{title} {each}") for each in range(TEAMS)]
    address = title.replace(" ", "-")
    users = [User.objects.create_user(f"{address}-{each}@example.org", name="B") for each in range(TEAMS)]
    scenarios = list(phase.task.scenarios.filter(number__in=numbers))
    keys = []
    for number in range(n_uploads):
        files = systems[number % len(systems)] | {"note.txt": f"{title} {number}"}
        with as_upload([SimpleUploadedFile("run.zip", zip_of(files))]) as upload:
            team, user = teams[number % TEAMS], users[number % TEAMS]
            made = submit(phase, team, user, upload, scenarios, Said(f"run {number}"), arrived=timezone.now())
        keys += made.scorings.values_list("pk", flat=True)
    return keys


if __name__ == "__main__":
    sys.exit(main())
