"""Measures the ranked page and the making of a board at 1,000 runs: time on the server, number of queries.

The database is a new one: SQLite in a temporary folder, or a test database beside the one that DATABASE_URL names.
Exit status 1 if a page takes longer than its limit or its number of queries grows with the teams.
"""

import argparse
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"DJANGO_SETTINGS_MODULE": "evalsite.settings", "EVALSITE_DATA_DIR": FOLDER.name, "LOG_LEVEL": "ERROR"}
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

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
N_RUNS = 1000
N_UNITS = 120
N_TEAMS = (1000, 100, 3)


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
    teams = Team.objects.bulk_create(Team(name=f"Team of number {number}") for number in range(max(N_TEAMS)))
    Participation.objects.bulk_create(
        Participation(task=task, team=team, number=number) for number, team in enumerate(teams, start=1)
    )
    member = User.objects.create_user("member@example.org", name="Member")
    Membership.objects.create(team=teams[0], user=member)
    return [make_board(task, scenario, teams[:n_teams]) for n_teams in N_TEAMS]


def make_board(task: Task, scenario: Scenario, teams: list[Team]) -> Board:
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
        for number in range(N_RUNS)
    )
    scorings = Scoring.objects.bulk_create(
        Scoring(submission=submission, scenario=scenario, gold=gold, engine_version="1.0.0", state="scored")
        for submission in submissions
    )
    rng = random.Random(len(teams))
    Result.objects.bulk_create(make_result(scoring, rng) for scoring in scorings)
    return Board.objects.create(phase=phase, scenario=scenario)


def make_result(scoring: Scoring, rng: random.Random) -> Result:
    names = scoring.scenario.engine_family.score_titles
    scores = {name: rng.uniform(0.3, 0.7) for name in names}
    intervals = {name: [value - rng.uniform(0.02, 0.04), value + 0.03] for name, value in scores.items()}
    table = [{"label": f"label {number}", **scores} for number in range(17)]
    return Result(
        scoring=scoring,
        headline=scores["f1"],
        scores=scores,
        intervals=intervals,
        interval_methods=dict.fromkeys(names, "percentile"),
        counts=dict.fromkeys(names, 1),
        tables={"by_label": table},
        table_intervals={"by_label": [intervals] * len(table)},
        distribution=[10] * 12,
        warnings=[],
        signature="ehealthkd rules:2019 scenario:1 resamples:10000",
        n_units=N_UNITS,
        n_resamples=10_000,
        confidence_level=0.95,
    )


def print_refreshes(boards: list[Board]) -> None:
    print(f"{connection.vendor}, {N_RUNS} runs\n\nboard                  made in, ms")
    for board in boards:
        taken = []
        for _ in range(5):
            taken.append(milliseconds(lambda board=board: refresh(board)))
            board.refresh_from_db(fields=["refreshed"])
        print(f"{board.phase.name:20} {statistics.median(taken):13.1f}")


def print_pages(boards: list[Board], n_requests: int) -> int:
    print(f"\npage                             visitor    median ms   p95 ms  queries   (limit {LIMIT_MS} ms)")
    missed = False
    numbers: dict[str, set[int]] = {}
    for visitor, client in clients().items():
        for board in boards:
            for query in ("", "?sort=-precision&page=2", "?q=number 1"):
                path = f"/tasks/speed/{board.phase.slug}/board/1/{query}"
                page = lambda path=path, client=client: get(client, path)  # noqa: E731
                page()
                taken = sorted(milliseconds(page) for _ in range(n_requests))
                p95 = taken[math.ceil(0.95 * n_requests) - 1]
                with CaptureQueriesContext(connection) as queries:
                    page()
                numbers.setdefault(visitor, set()).add(len(queries))
                missed |= p95 > LIMIT_MS
                print(
                    f"{board.phase.name:10} {query:23} {visitor:9} {statistics.median(taken):10.1f} {p95:8.1f}"
                    f" {len(queries):8}{'   MISSED' if p95 > LIMIT_MS else ''}"
                )
    grows = any(len(found) > 1 for found in numbers.values())
    if grows:
        print(f"The number of queries differs: {numbers}")
    return int(missed or grows)


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
