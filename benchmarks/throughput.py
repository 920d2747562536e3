"""Measures how many uploads one worker of two processes scores per second, and what a scoring costs, by part.

    python benchmarks/throughput.py [--uploads 200] [--rounds 3] [--before 8]
    python benchmarks/throughput.py --tiny     whether it runs, in seconds; limits count for nothing

Real parts: PostgreSQL (a database of its own on the server that DATABASE_URL names, else a server of its own), Redis,
and the worker of scorings as deploy/evalsite-worker@.service starts it. Each upload is another run over 120 sentences.
Two rows: uploads of one scenario, and uploads that fill all three; of several rounds the fastest counts, as other
programs can only slow one down. Ends with status 1 where a row is below its limit. On a machine that others use as
well, the processor time is what can be compared: two cores have 2,000 ms in each second.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import servers
from servers import cpu_seconds, database_process

ARGUMENTS = servers.arguments(__doc__, {"uploads": 4, "rounds": 1, "before": 2}, uploads=200, rounds=3, before=8)
FOLDER = servers.start("throughput", N_RESAMPLES="100" if ARGUMENTS.tiny else "10000")

import seeding
from django.conf import settings
from redis import Redis

from evalsite.challenges.models import Phase
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Scoring

ROWS = {"one scenario": ((1,), 25.0), "three scenarios": ((1, 2, 3), 10.0)}  # scenarios, least uploads per second
N_PEOPLE = 8  # since of one person one scoring runs at a time
PARTS = ("engine", "worker", "PostgreSQL", "Redis")


@dataclass(frozen=True)
class Round:
    """The cost of some uploads: seconds by the clock, and of processors by part."""

    n_uploads: int
    n_scorings: int
    seconds: float
    cpu: dict[str, float]

    @property
    def uploads_per_second(self) -> float:
        return self.n_uploads / self.seconds

    @property
    def milliseconds(self) -> dict[str, float]:
        """Return milliseconds of processors for each scoring, by part."""
        return {part: 1000 * seconds / self.n_scorings for part, seconds in self.cpu.items()}


def main() -> int:
    servers.make_tables()
    phase = seeding.make_phase(seeding.make_task("throughput"))
    [worker] = servers.start_units([servers.unit("evalsite-worker@scorings")], FOLDER).values()
    fastest = {}
    for title, (numbers, _) in ROWS.items():
        rounds = [measured(phase, numbers, f"{title} {each}", worker) for each in range(ARGUMENTS.rounds)]
        fastest[title] = max(rounds, key=lambda each: each.uploads_per_second)
    return report(fastest)


def measured(phase: Phase, numbers: tuple[int, ...], title: str, worker: int) -> Round:
    # Some that are not counted: each process has then loaded all it needs, and connected.
    enqueue(queued(phase, ARGUMENTS.before, numbers, f"{title} before"))
    seeding.wait_until_scored()
    keys = queued(phase, ARGUMENTS.uploads, numbers, title)
    before, start = spent(worker), time.perf_counter()
    enqueue(keys)
    seeding.wait_until_scored()
    seconds, after = time.perf_counter() - start, spent(worker)
    return Round(ARGUMENTS.uploads, len(keys), seconds, {part: after[part] - before[part] for part in PARTS})


def queued(phase: Phase, n_uploads: int, numbers: tuple[int, ...], title: str) -> list[object]:
    """Keys of scorings: people upload in turn runs of these scenarios."""
    people = seeding.make_people(N_PEOPLE, phase.task, prefix=title.replace(" ", "-"))
    scenarios = list(phase.task.scenarios.filter(number__in=numbers))
    first = Scoring.objects.count()
    runs = [seeding.upload(phase, people[k % N_PEOPLE], first + k, scenarios) for k in range(n_uploads)]
    return [key for run in runs for key in run.scorings.values_list("pk", flat=True)]


def spent(worker: int) -> dict[str, float]:
    """Processor seconds until now, by part; PostgreSQL's are of all its databases."""
    engine = sum(map(cpu_seconds, engines(worker)))
    database = database_process()
    with Redis.from_url(settings.REDIS_URL) as client:
        used = client.info("cpu")
    return {
        "engine": engine,
        "worker": cpu_seconds(worker) - engine,
        "PostgreSQL": cpu_seconds(database) if database else 0.0,
        "Redis": used["used_cpu_sys"] + used["used_cpu_user"],
    }


def engines(process: int) -> list[int]:
    """Return the servers of the engine's children below a process."""
    try:
        if b"evalsite.jobs.server" in Path(f"/proc/{process}/cmdline").read_bytes():
            return [process]
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [engine for child in children for engine in engines(int(child))]


def report(rounds: dict[str, Round]) -> int:
    print(f"{'uploads of':<18}{'uploads/s':>11}{'limit':>7}{'scorings/s':>12}   CPU ms a scoring:", end="")
    print("".join(f"{part:>12}" for part in (*PARTS, "all")))
    for title, each in rounds.items():
        rates = f"{each.uploads_per_second:>11.1f}{ROWS[title][1]:>7.0f}{each.n_scorings / each.seconds:>12.1f}"
        parts = "".join(f"{each.milliseconds[part]:>12.1f}" for part in PARTS)
        print(f"{title:<18}{rates}{'':>20}{parts}{sum(each.milliseconds.values()):>12.1f}")
    is_met = all(each.uploads_per_second >= ROWS[title][1] for title, each in rounds.items())
    return int(not is_met and not ARGUMENTS.tiny)


if __name__ == "__main__":
    sys.exit(main())
