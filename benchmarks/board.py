"""Measures the pages of a board with up to 1,000 teams and 10,000 runs, and its making: time, number of queries.

The database is a new one: SQLite in a temporary folder, or a test database beside the one that DATABASE_URL names.
Exit status 1 if a page takes longer than its limit or its number of queries grows with the teams.
"""

import argparse
import json
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"DJANGO_SETTINGS_MODULE": "evalsite.settings", "EVALSITE_DATA_DIR": FOLDER.name, "LOG_LEVEL": "ERROR"}
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

import evalsite.wsgi  # noqa: E402, F401 - starts Django as a server does
from evalsite.accounts.models import Membership, Team, User  # noqa: E402
from evalsite.challenges.models import Gold, Participation, Phase, Scenario, Task  # noqa: E402
from evalsite.leaderboard.entries import refresh  # noqa: E402
from evalsite.leaderboard.models import Board  # noqa: E402
from evalsite.submissions.models import Result, Scoring, Submission  # noqa: E402

LIMIT_MS = 100
N_UNITS = 120
N_RUNS = {1000: 10_000, 100: 1000, 3: 1000}  # by the number of teams
N_RESAMPLES = 1000  # the site draws ten times as many; what a page shows does not depend on it
OVERVIEW = "overview"
QUERIES = (
    "",
    "?sort=-precision&page=2",
    "?q=number 1",
    "?columns=recall,best,group,runs",
    "?on=2099-01-01",
    OVERVIEW,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=30, help="of each page (default 30)")
    n_requests = parser.parse_args().requests
    connection.settings_dict["TEST"]["NAME"] = {"sqlite": f"{FOLDER.name}/test.sqlite3"}.get(connection.vendor)
    connection.creation.create_test_db(verbosity=0, serialize=False)
    try:
        boards = make_boards()
        print_refreshes(boards)
        return print_pages(boards, n_requests)
    finally:
        connection.close()
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def make_boards() -> list[Board]:
    """A phase for each number of teams, all with as many runs."""
    task = Task.objects.create(slug="speed", title="Speed", is_published=True)
    scenario = Scenario.objects.create(
        task=task, number=1, name="Phrases and relations", family="ehealthkd", options={"scenario": "1"}
    )
    teams = Team.objects.bulk_create(Team(name=f"Team of number {number}") for number in range(max(N_RUNS)))
    Participation.objects.bulk_create(
        Participation(task=task, team=team, number=number) for number, team in enumerate(teams, start=1)
    )
    member = User.objects.create_user("member@example.org", name="Member")
    Membership.objects.create(team=teams[0], user=member)
    return [make_board(task, scenario, teams[:n_teams], n_runs) for n_teams, n_runs in N_RUNS.items()]


def make_board(task: Task, scenario: Scenario, teams: list[Team], n_runs: int) -> Board:
    now = timezone.now()
    phase = Phase.objects.create(task=task, slug=f"teams-{len(teams)}", name=f"{len(teams)} teams", opens=now)
    gold = Gold.objects.create(phase=phase, scenario=scenario, version=1, file="gold.zip", n_units=N_UNITS)
    submissions = Submission.objects.bulk_create(
        Submission(
            phase=phase,
            team=teams[number % len(teams)],
            method=f"Method {number}",
            size=1,
            created=now - timedelta(minutes=number),
        )
        for number in range(n_runs)
    )
    scorings = Scoring.objects.bulk_create(
        Scoring(submission=submission, scenario=scenario, gold=gold, engine_version="1.0.0", state="scored")
        for submission in submissions
    )
    rng = random.Random(len(teams))
    results = [make_result(scoring, rng) for scoring in scorings]
    store_draws(results)
    Result.objects.bulk_create(results, batch_size=500)
    return Board.objects.create(phase=phase, scenario=scenario)


def make_result(scoring: Scoring, rng: random.Random) -> Result:
    names = scoring.scenario.engine_family.score_titles
    scores = {name: rng.uniform(0.3, 0.7) for name in names}
    intervals = {name: [value - rng.uniform(0.02, 0.04), value + 0.03] for name, value in scores.items()}
    return Result(
        scoring=scoring,
        headline=scores["f1"],
        scores=scores,
        intervals=intervals,
        interval_methods=dict.fromkeys(names, "percentile"),
        counts=dict.fromkeys(names, 1),
        distribution=[10] * 12,
        warnings=[],
        signature="ehealthkd rules:2019 scenario:1 resamples:10000",
        n_units=N_UNITS,
        n_resamples=N_RESAMPLES,
        confidence_level=0.95,
    )


def store_draws(results: Sequence[Result]) -> None:
    """For the best run of each team, since a board reads no other."""
    best: dict[object, Result] = {}
    for result in results:
        standing = best.setdefault(result.scoring.submission.team_id, result)
        if result.headline > standing.headline:
            best[result.scoring.submission.team_id] = result
    noise = np.random.default_rng(len(results))
    for number, result in enumerate(best.values()):
        result.evaluation.name = f"results/{len(results)}-{len(best)}-{number}.npz"
        path = Path(default_storage.path(result.evaluation.name))
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, draws=result.headline + noise.normal(0, 0.01, N_RESAMPLES))


def print_refreshes(boards: list[Board]) -> None:
    print(f"{connection.vendor}\n\nboard                    runs  made in, ms  edition, kB")
    for board in boards:
        taken = milliseconds(lambda board=board: refresh(board))
        edition = board.editions.get()
        size = len(json.dumps([edition.entries, edition.comparison])) / 1000
        print(f"{board.phase.name:20} {N_RUNS[len(edition.entries)]:8} {taken:12.1f} {size:12.0f}")


def print_pages(boards: list[Board], n_requests: int) -> int:
    print(f"\npage                                     visitor    median ms   p95 ms  queries   (limit {LIMIT_MS} ms)")
    missed = False
    numbers: dict[tuple[str, str], set[int]] = {}
    for visitor, client in clients().items():
        for board in boards:
            for query in QUERIES:
                path = f"/tasks/speed/{board.phase.slug}/board/" + ("" if query == OVERVIEW else f"1/{query}")
                page = lambda path=path, client=client: get(client, path)  # noqa: E731
                page()
                taken = sorted(milliseconds(page) for _ in range(n_requests))
                p95 = taken[math.ceil(0.95 * n_requests) - 1]
                with CaptureQueriesContext(connection) as queries:
                    page()
                numbers.setdefault((visitor, query), set()).add(len(queries))
                missed |= p95 > LIMIT_MS
                print(
                    f"{board.phase.name:10} {query:31} {visitor:9} {statistics.median(taken):10.1f} {p95:8.1f}"
                    f" {len(queries):8}{'   MISSED' if p95 > LIMIT_MS else ''}"
                )
    grown = {page: found for page, found in numbers.items() if len(found) > 1}
    if grown:
        print(f"The number of queries differs: {grown}")
    return int(missed or bool(grown))


def clients() -> dict[str, Client]:
    stranger, member = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    member.force_login(User.objects.get())
    return {"stranger": stranger, "member": member}


def get(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200, response.status_code


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    sys.exit(main())
