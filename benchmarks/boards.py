"""Measures the pages of a board and the making of its editions, with few and many teams.

    python benchmarks/boards.py            100 and 1,000 teams with ten runs each
    python benchmarks/boards.py --tiny     whether it runs, in seconds; limits count for nothing

Real parts: PostgreSQL (a database of its own on the server that DATABASE_URL names, else a server of its own), and
Redis. A run of each team is scored; the other runs are copies with worse scores. Of a page "anew" is the
processor time of the site with empty caches, "again" that of the same request once more, both without the database's;
the number of queries is that of the page anew. Exit status 1 if a page is above its limit, if it takes more queries for
more teams, or if an edition takes longer than in proportion to the teams.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from math import log
from statistics import median
from uuid import uuid4

import servers

ARGUMENTS = servers.arguments(__doc__, {})
# Teams of the two boards, runs of each team, and requests of each page.
TEAMS, N_RUNS, N_REQUESTS = ((4, 8), 2, 2) if ARGUMENTS.tiny else ((100, 1000), 10, 20)
servers.start("boards")

import seeding

import evalsite.wsgi  # noqa: F401 - loads what a server's process loads

# isort: split
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.entries import make_entries, refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result, Scoring, Submission

BEST = 10**6  # the number of a further run
MOST_ANEW, MOST_AGAIN = 250, 20  # milliseconds
_SLACK = 2  # queries that depend on what a process has looked up before
MOST_GROWTH = 1.5  # of the cost of an edition's entries, over being proportional
PAGES = {
    "board": "1/",
    "board, sorted": "1/?sort=-precision",
    "board, searched": "1/?q=team 1",
    "all side by side": "",
    "history": "1/history/",
    "pairs": "1/pairs/",
    "comparison": "1/compare/",
}


def main() -> int:
    servers.make_tables()
    task = seeding.make_task("boards", n_scenarios=1)
    people = seeding.make_people(max(TEAMS), task)
    boards = [make_board(seeding.make_phase(task, f"of-{n}"), people[:n]) for n in TEAMS]
    missed = print_editions(boards, people[0])
    missed |= print_pages(boards, people[0][0])
    return int(missed and not ARGUMENTS.tiny)


def make_board(phase: Phase, people: Sequence[seeding.Person]) -> Board:
    """Make a board of these people's teams: a run of each is scored, more rows stand for others that were worse."""
    for number, person in enumerate(people):
        seeding.score(seeding.upload(phase, person, number, list(phase.task.scenarios.all())))
    scored = list(Result.objects.filter(scoring__submission__phase=phase).select_related("scoring__submission"))
    for number in range(1, N_RUNS):
        copies = [worse(result, number) for result in scored]
        Submission.objects.bulk_create(copy.scoring.submission for copy in copies)
        Scoring.objects.bulk_create(copy.scoring for copy in copies)
        Result.objects.bulk_create(copies)
    board, _ = Board.objects.get_or_create(phase=phase, scenario=phase.task.scenarios.get())
    recount_all(board)
    return board


def worse(result: Result, number: int) -> Result:
    """Return a later run of the same team, whose evaluation is stored no more."""
    copy = deepcopy(result)
    scoring, submission = copy.scoring, copy.scoring.submission
    submission.pk, submission.method, submission.created = uuid4(), f"Run {number}", timezone.now()
    scoring.pk, scoring.submission = uuid4(), submission
    copy.scoring = scoring
    copy.headline = result.headline * (0.5 + 0.3 * number / N_RUNS)
    copy.scores = {name: value and value * copy.headline / result.headline for name, value in result.scores.items()}
    copy.evaluation.name = ""
    return copy


def print_editions(boards: Sequence[Board], person: seeding.Person) -> bool:
    print("teams    entries   queries   compared anew   after one result   (CPU seconds)   edition, kB")
    costs, comparisons = [], []
    for board, n_teams in zip(boards, TEAMS, strict=True):
        first = cpu_seconds(lambda board=board: refresh(board))
        costs.append(median(cpu_seconds(lambda board=board: make_entries(board)) for _ in range(5)))
        with CaptureQueriesContext(connection) as queries:
            make_entries(board)
        seeding.score(seeding.upload(board.phase, person, BEST, [board.scenario]))
        second = cpu_seconds(lambda board=board: refresh(board))
        edition = board.editions.order_by("made").last()
        if edition is None or len(edition.entries) != n_teams:
            raise SystemExit("The edition lacks teams.")
        size = len(json.dumps([edition.entries, edition.comparison])) / 1000
        comparisons.append((first, second))
        print(f"{n_teams:5} {costs[-1]:10.2f} {len(queries):9} {first:15.2f} {second:18.2f} {size:29.0f}")
    anew, after_one = (log(more / few) / log(TEAMS[1] / TEAMS[0]) for few, more in zip(*comparisons, strict=True))
    print(f"the cost grows with the teams to the power of {anew:.2f} anew, {after_one:.2f} after one result")
    growth = costs[1] / costs[0] / (TEAMS[1] / TEAMS[0])
    print(f"growth of the entries' cost over that of the teams: {growth:.2f}   (limit {MOST_GROWTH})")
    return growth > MOST_GROWTH


def print_pages(boards: Sequence[Board], user: seeding.User) -> bool:
    stranger, member = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    member.force_login(user)
    print(f"\n{'page':<20}{'visitor':<10}{'teams':>6}{'anew, ms':>10}{'again, ms':>11}{'queries':>9}{'kB':>7}")
    missed = False
    for name, address in PAGES.items():
        for visitor, client in {"stranger": stranger, "member": member}.items():
            n_queries = []
            for board, n_teams in zip(boards, TEAMS, strict=True):
                row = f"{name:<20}{visitor:<10}{n_teams:>6}"
                path = f"/tasks/boards/{board.phase.slug}/board/{address}"
                is_over, n = print_page(row, client, path, user)
                n_queries.append(n)
                missed |= is_over
            if n_queries[1] > n_queries[0] + _SLACK:
                print(f"{'':<20}the number of queries grows with the teams")
                missed = True
    return missed


def print_page(row: str, client: Client, path: str, user: seeding.User) -> tuple[bool, int]:
    """Return whether a page is above its limits, and its queries."""
    anew, again = [], []
    for _ in range(N_REQUESTS):
        forget(client, user)
        anew.append(1000 * cpu_seconds(lambda: client.get(path)))
        again.append(1000 * cpu_seconds(lambda: client.get(path)))
    forget(client, user)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(path)
    assert page.status_code == 200, (path, page.status_code)
    size = len(page.content) / 1000
    is_over = median(anew) > MOST_ANEW or median(again) > MOST_AGAIN
    verdict = "   MISSED" if is_over else ""
    print(f"{row}{median(anew):>10.1f}{median(again):>11.1f}{len(queries):>9}{size:>7.0f}{verdict}", flush=True)
    return is_over, len(queries)


def forget(client: Client, user: seeding.User) -> None:
    """Empty all caches; who was logged in stays so."""
    was_logged_in = bool(client.cookies)
    cache.clear()
    if was_logged_in:
        client.force_login(user)


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
