"""Measures the making of a board: what it costs at many runs a team, after one new result, and beside uploads.

    python benchmarks/boards.py                  1,000 teams with one run and with 100 runs each
    python benchmarks/boards.py --teams 200      a smaller board
    python benchmarks/boards.py --beside 90      uploads for 90 s, one a second, while a worker of two processes scores
                                                 them and makes the board; needs a Redis server

The database is a new one: SQLite in a temporary folder, or a test database beside the one that DATABASE_URL names.
Exit status 1 if a limit is missed.
"""

import argparse
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"DJANGO_SETTINGS_MODULE": "evalsite.settings", "EVALSITE_DATA_DIR": FOLDER.name, "LOG_LEVEL": "ERROR"}
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from django.core.files.base import ContentFile  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

import evalsite.wsgi  # noqa: E402, F401 - starts Django as a server does
from evalsite import broker  # noqa: E402
from evalsite.accounts.models import Membership, Team, User  # noqa: E402
from evalsite.celery import app  # noqa: E402
from evalsite.challenges.models import Participation, Phase, Scenario, Task  # noqa: E402
from evalsite.challenges.services import add_gold  # noqa: E402
from evalsite.leaderboard.bests import recount_all  # noqa: E402
from evalsite.leaderboard.entries import make_entries, refresh  # noqa: E402
from evalsite.leaderboard.models import Board, Edition  # noqa: E402
from evalsite.submissions.models import Result, Scoring, Submission  # noqa: E402
from evalsite.submissions.signals import results_changed  # noqa: E402
from evalsite.submissions.tasks import enqueue  # noqa: E402

N_SENTENCES = 120
N_RESAMPLES = 10_000
MOST_GROWTH = 1.3  # of the CPU seconds of an edition, from one run a team to a hundred
MOST_MEMORY_MB = 900  # of this process
MOST_AGE = 60.0  # seconds that a result may wait for its place among the entries, beside the uploads
SPREAD = 0.012  # of the scores on resamples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=100, help="of each team on the larger board (100)")
    parser.add_argument("--beside", type=int, default=0, metavar="SECONDS", help="upload beside the making")
    options = parser.parse_args()
    connection.settings_dict["TEST"]["NAME"] = {"sqlite": f"{FOLDER.name}/test.sqlite3"}.get(connection.vendor)
    connection.creation.create_test_db(verbosity=0, serialize=False)
    try:
        print(f"{connection.vendor}, {options.teams} teams, {N_RESAMPLES} resamples\n")
        return beside(options) if options.beside else alone(options)
    finally:
        connection.close()
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def alone(options: argparse.Namespace) -> int:
    """The making with few runs and with many."""
    print("runs a team   entries   queries   compared anew   after one result   history page   (CPU seconds)")
    found = {n_runs: measured(options.teams, n_runs) for n_runs in (1, options.runs)}
    growth = found[options.runs] / found[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nentries, {options.runs} runs a team : 1 run    {growth:6.2f}   (limit {MOST_GROWTH})")
    print(f"memory at most, MB                  {memory:6.0f}   (limit {MOST_MEMORY_MB})")
    return int(growth > MOST_GROWTH or memory > MOST_MEMORY_MB)


def measured(n_teams: int, n_runs: int) -> float:
    """CPU seconds of making the entries; prints a line."""
    board = seeded(n_teams, n_runs)
    make_entries(board)
    seconds = sorted(cpu_seconds(lambda: make_entries(board)) for _ in range(5))[2]
    with CaptureQueriesContext(connection) as queries:
        make_entries(board)
        n_queries = len(queries)
    first = cpu_seconds(lambda: refresh(board))
    better(board)
    second = cpu_seconds(lambda: refresh(board))
    page = f"/tasks/speed/{board.phase.slug}/board/1/history/"
    client = Client(SERVER_NAME="localhost")
    client.get(page)
    history = cpu_seconds(lambda: client.get(page))
    print(f"{n_runs:11} {seconds:9.2f} {n_queries:9} {first:15.2f} {second:18.2f} {history:14.3f}")
    return seconds


def seeded(n_teams: int, n_runs: int) -> Board:
    """A board of these teams; the runs that neither the board nor its history shows have numbers and no file."""
    now = timezone.now()
    task, _ = Task.objects.get_or_create(slug="speed", defaults={"title": "Speed", "is_published": True})
    scenario, _ = Scenario.objects.get_or_create(
        task=task, number=1, defaults={"name": "Phrases", "family": "ehealthkd", "options": {"scenario": "1"}}
    )
    phase = Phase.objects.create(
        task=task, slug=f"runs-{n_runs}", name=f"{n_runs} runs", opens=now - timedelta(days=9), window_limit=None
    )
    gold_file = Path(FOLDER.name, "gold.zip")
    gold_file.write_bytes(zipped(range(N_SENTENCES)))
    gold = add_gold(phase, scenario, gold_file, "gold.zip", by=None)
    teams = Team.objects.bulk_create(Team(name=f"{n_runs} runs, team {number}") for number in range(n_teams))
    first = task.participations.count() + 1
    Participation.objects.bulk_create(
        Participation(task=task, team=team, number=number) for number, team in enumerate(teams, start=first)
    )
    rng = np.random.default_rng(n_teams)
    common = rng.normal(0, SPREAD, N_RESAMPLES)
    for run in range(n_runs):
        submissions = Submission.objects.bulk_create(
            Submission(
                phase=phase, team=team, method=f"Method {run}", size=1, created=now - timedelta(hours=n_runs - run)
            )
            for team in teams
        )
        scorings = Scoring.objects.bulk_create(
            Scoring(submission=submission, scenario=scenario, gold=gold, engine_version="1.0.0", state="scored")
            for submission in submissions
        )
        is_best = run == n_runs - 1
        scores = rng.uniform(0.5, 0.9, n_teams) if is_best else rng.uniform(0.3, 0.4, n_teams)
        scores[0] = scores[0] if is_best else 0.4 + 0.1 * run / n_runs  # a record, and the only one of this round
        Result.objects.bulk_create(
            result(scoring, float(score), common, rng if is_best or score == scores.max() else None)
            for scoring, score in zip(scorings, scores, strict=True)
        )
    board = Board.objects.create(phase=phase, scenario=scenario, wanted=1)
    recount_all(board)
    return board


def result(scoring: Scoring, score: float, common: np.ndarray, rng: np.random.Generator | None) -> Result:
    names = scoring.scenario.engine_family.score_titles
    scores = dict.fromkeys(names, score)
    made = Result(
        scoring=scoring,
        headline=score,
        scores=scores,
        intervals={name: [score - 0.03, score + 0.03] for name in names},
        interval_methods=dict.fromkeys(names, "percentile"),
        counts=dict.fromkeys(names, 1),
        distribution=[10] * 12,
        warnings=[],
        signature=f"family:ehealthkd|units:{N_SENTENCES}|resamples:{N_RESAMPLES}|seed:1",
        n_units=N_SENTENCES,
        n_resamples=N_RESAMPLES,
        confidence_level=0.95,
    )
    if rng is not None:
        content = io.BytesIO()
        np.savez(content, draws=score + common + rng.normal(0, SPREAD, N_RESAMPLES))
        made.evaluation.name = default_storage.save(f"results/{scoring.pk}.npz", ContentFile(content.getvalue()))
    return made


def better(board: Board) -> None:
    """One team has a new best run."""
    best = Result.objects.filter(scoring__submission__phase=board.phase).order_by("-headline")[10]
    before = best.scoring.submission
    submission = Submission.objects.create(
        phase=board.phase, team=before.team, method="New", size=1, created=timezone.now()
    )
    scoring = Scoring.objects.create(
        submission=submission, scenario=board.scenario, gold=best.scoring.gold, engine_version="1.0.0", state="scored"
    )
    rng = np.random.default_rng(1)
    new = result(scoring, float(best.headline) + 0.001, rng.normal(0, SPREAD, N_RESAMPLES), rng)
    new.save(force_insert=True)
    results_changed.send(Scoring, phase_id=board.phase_id, scenario_id=board.scenario_id, result=new)


def zipped(found: range) -> bytes:
    """A run over sentences of one word that finds some of them."""
    phrases = "".join(f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in found)
    files = {"input_scenario1.txt": "dolor\n" * N_SENTENCES, "output_a_scenario1.txt": phrases}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in (files | {"output_b_scenario1.txt": ""}).items():
            archive.writestr(name, content)
    return buffer.getvalue()


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


# Beside uploads


def beside(options: argparse.Namespace) -> int:
    """One upload a second, while the board of all teams is made again and again."""
    board = seeded(options.teams, 1)
    people = [
        User.objects.create_user(f"p{number}@example.org", name=f"P {number}") for number in range(options.beside)
    ]
    teams = list(Team.objects.order_by("pk")[: options.beside])
    Membership.objects.bulk_create(
        Membership(team=team, user=person) for team, person in zip(teams, people, strict=False)
    )
    port = broker.free_port()
    server = subprocess.Popen(broker.command(port, dict(os.environ)), stdout=subprocess.DEVNULL, cwd=ROOT)
    try:
        broker.wait_until_ready(broker.url(port), lambda: None)
        app.conf.broker_url = broker.url(port)
        with worker(broker.url(port)):
            while not app.control.ping(timeout=1):
                pass
            return watched(board, people, teams, options.beside)
    finally:
        server.terminate()
        server.wait(10)


def watched(board: Board, people: list[User], teams: list[Team], seconds: int) -> int:
    gold = board.phase.golds.get(scenario=board.scenario)
    began, sent = time.monotonic(), 0
    waits_since: float | None = None
    oldest, n_made, refreshed = 0.0, 0, None
    uploaded = Submission.objects.filter(phase=board.phase, uploader__in=people)
    while True:
        now = time.monotonic() - began
        if sent < min(seconds, now):
            upload(board, gold, people[sent], teams[sent % len(teams)], sent)
            sent += 1
        kept = Board.objects.get(pk=board.pk)
        n_made += refreshed is not None and kept.refreshed != refreshed
        refreshed = kept.refreshed
        waits_since = (waits_since or now) if kept.is_stale else None
        oldest = max(oldest, now - waits_since if waits_since else 0.0)
        n_scored = Scoring.objects.filter(submission__in=uploaded, state="scored").count()
        if (n_scored == seconds and kept.is_compared) or now > 4 * seconds + 120:
            break
        time.sleep(0.1)
    shown = {entry["submission"] for entry in Edition.objects.filter(board=board).order_by("-made").first().entries}
    print(f"uploaded {sent}, scored {n_scored}, all compared after {now:.0f} s, made {n_made} times")
    print(f"longest time without a newer board, s   {oldest:6.1f}   (limit {MOST_AGE})")
    print(f"entries {len(shown)}, fresh: {kept.is_compared}")
    return int(n_scored < seconds or oldest > MOST_AGE or not kept.is_compared)


def upload(board: Board, gold: object, person: User, team: Team, number: int) -> None:
    submission = Submission(
        phase=board.phase, team=team, uploader=person, method=f"Upload {number}", size=1, created=timezone.now()
    )
    content = zipped(range(70 + number % (N_SENTENCES - 70)))
    submission.file.save("run.zip", ContentFile(content), save=False)
    submission.save()
    scoring = Scoring.objects.create(
        submission=submission, scenario=board.scenario, gold=gold, engine_version="2.0.0", state="queued"
    )
    enqueue([scoring.pk])


@contextmanager
def worker(redis_url: str):
    """Two processes, which take every queue, and a beat."""
    variables = os.environ | {"DATABASE_URL": database_url(), "REDIS_URL": redis_url}
    words = [sys.executable, "-m", "celery", "-q", "-A", "evalsite.celery", "worker", "-B", "-c", "2"]
    words += ["-s", f"{FOLDER.name}/beat", "--loglevel", "ERROR"]
    process = subprocess.Popen(words, env=variables, cwd=ROOT, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def database_url() -> str:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


if __name__ == "__main__":
    sys.exit(main())
