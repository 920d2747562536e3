"""How many uploads one worker of two processes scores per second, from the first enqueue to the last result.

    python benchmarks/throughput.py [--uploads 200] [--resamples 10000]

Real parts: a broker (Redis if it is on PATH), a Celery worker, the demo's SQLite settings in a temporary folder. Each
upload is another system's run of the demo's test phase (120 sentences). Two rows: uploads of one scenario, and uploads
that fill all three. Ends with status 1 if the first is below 20 uploads a second.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 20.0  # uploads per second
TEAMS = 8


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), arguments.resamples):
        one = uploads_per_second(arguments.uploads, (1,))
        three = uploads_per_second(arguments.uploads, (1, 2, 3))
    print(f"{'uploads of':<20}{'uploads/s':>12}{'scorings/s':>12}{'limit':>8}")
    print(f"{'one scenario':<20}{one:>12.1f}{one:>12.1f}{LIMIT:>8.0f}")
    print(f"{'three scenarios':<20}{three:>12.1f}{3 * three:>12.1f}{'-':>8}")
    return int(one < LIMIT)


@contextmanager
def site(folder: Path, n_resamples: int):
    """A migrated site with its broker and one worker that has reported ready."""
    sys.path.insert(0, str(ROOT))
    from evalsite import broker

    port = broker.free_port()
    os.environ.update(
        EVALSITE_DATA_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="evalsite.settings",
        N_RESAMPLES=str(n_resamples),
        LOG_LEVEL="WARNING",
        PYTHONPATH=str(ROOT),
    )
    os.environ.pop("DATABASE_URL", None)
    command = broker.command(port, {name: value for name, value in os.environ.items() if name != "REDIS_URL"})
    os.environ["REDIS_URL"] = broker.url(port)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder) as server:
        try:
            broker.wait_until_ready(broker.url(port), lambda: None)
            prepare()
            with worker():
                yield
        finally:
            server.terminate()


def prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def worker():
    from demo.management.commands.demo import WORKER_ENVIRON
    from evalsite.celery import app

    command = [sys.executable, "-m", "celery", "-A", "evalsite.celery", "worker", "--concurrency", "2", "-l", "WARNING"]
    environ = os.environ | WORKER_ENVIRON
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ) as process:
        try:
            while not app.control.ping(timeout=0.5):
                pass
            yield
        finally:
            process.terminate()


def uploads_per_second(n_uploads: int, numbers: tuple[int, ...]) -> float:
    from evalsite.submissions.models import Scoring
    from evalsite.submissions.tasks import enqueue

    keys = queued(n_uploads, numbers)
    start = time.perf_counter()
    enqueue(keys)
    while Scoring.objects.filter(state__in=Scoring.UNFINISHED).exists():
        time.sleep(0.05)
    seconds = time.perf_counter() - start
    states = set(Scoring.objects.filter(pk__in=keys).values_list("state", flat=True))
    assert states == {"scored"}, states
    return n_uploads / seconds


def queued(n_uploads: int, numbers: tuple[int, ...]) -> list:
    """Keys of scorings: teams upload in turn runs that differ in a note, taking the demo's systems in turn.

    They are many, because of one person one scoring runs at a time.
    """
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.utils import timezone

    from demo import ehealthkd
    from demo.ehealthkd.task import TASK
    from demo.plan import zip_of
    from demo.task import create_demo
    from evalsite.accounts.models import Team, User
    from evalsite.submissions.intake import submit
    from evalsite.submissions.models import Scoring
    from evalsite.submissions.uploads import as_upload

    create_demo()
    Scoring.objects.filter(state="queued").update(state="cancelled")
    from evalsite.challenges.models import Phase

    phase = Phase.objects.get(task__slug=TASK.slug, slug="test")
    phase.window_limit = phase.total_limit = None
    phase.save()
    systems = [system for system in ehealthkd.systems("test") if set(numbers) <= set(system.scenarios)]
    teams = [Team.objects.create(name=f"Benchmark {numbers} {each}") for each in range(TEAMS)]
    users = [User.objects.create_user(f"{len(numbers)}-{each}@example.org", name="B") for each in range(TEAMS)]
    scenarios = list(phase.task.scenarios.filter(number__in=numbers))
    keys = []
    for number in range(n_uploads):
        files = systems[number % len(systems)].content | {"note.txt": str(number)}
        with as_upload([SimpleUploadedFile("run.zip", zip_of(files))]) as upload:
            team, user = teams[number % TEAMS], users[number % TEAMS]
            made = submit(phase, team, user, upload, scenarios, arrived=timezone.now(), method=f"run {number}")
        keys += made.scorings.values_list("pk", flat=True)
    return keys


if __name__ == "__main__":
    sys.exit(main())
