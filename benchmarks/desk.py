"""Times every page of a task's desk with 1,000 teams and 10,000 runs, by the clock, by processor time and in queries.

    python benchmarks/desk.py [--teams 1000] [--runs 10] [--only "words of the address"] [--by-cpu]

The database is a new one: SQLite in a temporary folder, or a test database beside the one that DATABASE_URL names. The
pages are found by the links of the desk, so that a new one is measured by itself. Exit status 1 if a page takes longer
than its limit, or is no page.
"""

import argparse
import hashlib
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]
os.environ |= {"EVALSITE_BOOTSTRAP": "0", "REQUIRE_STAFF_MFA": "0"}

import boards  # noqa: E402 - prepares Django as a server does

# isort: split
import numpy as np  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from evalsite.accounts.models import Membership, Team, User  # noqa: E402
from evalsite.challenges.models import Event, Gold, Organiser, Phase, Task  # noqa: E402
from evalsite.challenges.services import add_gold  # noqa: E402
from evalsite.leaderboard.models import Edition, Preview  # noqa: E402
from evalsite.leaderboard.previews import counted  # noqa: E402
from evalsite.submissions.candidates import engine_of  # noqa: E402
from evalsite.submissions.models import Fingerprint, Result, Scoring, Submission  # noqa: E402
from tests.desk_pages import desk_pages  # noqa: E402

LIMIT_MS = 200
CONFLICT = 409  # a page too: it says why something cannot be done
DATABASE = "evalsite_desk"  # on a server
MORE_PHASES = ("development", "post")


@dataclass(frozen=True)
class Page:
    name: str
    path: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=10, help="of each team")
    parser.add_argument("--requests", type=int, default=5, help="of each page, after the first one")
    parser.add_argument("--only", default="", help="pages that have one of these in their name, with | between them")
    parser.add_argument(
        "--by-cpu", action="store_true", help="hold processor time against the limit: on a busy machine"
    )
    options = parser.parse_args()
    logging.disable(logging.ERROR)  # what is asked for here is not all there
    folder = tempfile.TemporaryDirectory(prefix="desk-")
    connection.settings_dict["TEST"]["NAME"] = {"sqlite": f"{folder.name}/test.sqlite3"}.get(
        connection.vendor, DATABASE
    )
    connection.creation.create_test_db(verbosity=0, serialize=False)
    try:
        start = time.perf_counter()
        task, organiser = seeded(options.teams, options.runs)
        print(f"{connection.vendor}: {options.teams} teams, {Submission.objects.count():,} runs, ", end="")
        print(f"seeded in {time.perf_counter() - start:.0f} s; the limit is {LIMIT_MS} ms")
        return measured(task, organiser, options)
    finally:
        connection.close()
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)
        folder.cleanup()


# What is measured


def measured(task: Task, organiser: User, options: argparse.Namespace) -> int:
    client = Client(SERVER_NAME="localhost")
    client.force_login(organiser)
    print(f"\n{'page':44} {'first, ms':>9} {'CPU':>6} {'again, ms':>9} {'CPU':>6} {'queries':>8} {'kB':>6}")
    missed = False
    for page in pages(client, task):
        if any(part in page.name for part in options.only.split("|")):
            missed |= is_missed(client, page, options)
    return int(missed)


def is_missed(client: Client, page: Page, options: argparse.Namespace) -> bool:
    """Prints a line; of a page that is too slow, the slowest query too."""
    if client.get(page.path).status_code not in (200, CONFLICT):
        print(f"{page.name:44} no page   MISSED")
        return True
    cache.clear()
    answers = [timed(client, page) for _ in range(1 + options.requests)]
    (first, first_cpu), *others = answers
    again, cpu = (statistics.median(each[column] for each in others) for column in (0, 1))
    with CaptureQueriesContext(connection) as queries:
        size = len(client.get(page.path).getvalue()) / 1024
    too_slow = max((first_cpu, cpu) if options.by_cpu else (first, again)) > LIMIT_MS
    times = f"{first:9.0f} {first_cpu:6.0f} {again:9.0f} {cpu:6.0f}"
    print(f"{page.name:44} {times} {len(queries):8} {size:6.0f}{'   MISSED' if too_slow else ''}", flush=True)
    if too_slow:
        slowest = max(queries.captured_queries, key=lambda query: float(query["time"]))
        print(f"      {1000 * float(slowest['time']):.0f} ms: {slowest['sql'][:600]}")
    return too_slow


def timed(client: Client, page: Page) -> tuple[float, float]:
    """Milliseconds by the clock, and milliseconds that this process and the database's for it have used."""
    used, began = used_ms(), time.perf_counter()
    answer = client.get(page.path)
    answer.getvalue()
    took = 1000 * (time.perf_counter() - began)
    return took, used_ms() - used


def used_ms() -> float:
    if connection.vendor == "sqlite":
        return 1000 * time.process_time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [process] = cursor.fetchone()
    of_database = int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6
    return 1000 * time.process_time() + of_database


def pages(client: Client, task: Task) -> Iterator[Page]:
    """One of each kind to which links lead, and as forms that are sent by GET ask for it."""
    found = {"organise": reverse("organise"), "organise_new": reverse("organise_new")} | desk_pages(client, task.slug)
    for name, path in found.items():
        yield Page(name, path)
        for words in ASKED.get(name, ()):
            yield Page(f"{name}?{words}", f"{path}?{words}")
    candidate = Gold.objects.get(phase__task=task, state="candidate").pk
    for name in ("desk_gold_version", "desk_gold_version_runs"):
        yield Page(f"{name} of a candidate", reverse(name, args=[task.slug, candidate]))
    for words in BULK:
        yield Page(f"desk_runs_act?{words}", f"{reverse('desk_runs_act', args=[task.slug])}?{words}")


ASKED = {
    "desk_runs": ("page=400", "q=method 7", "q=team 77", "state=failed", "counts=yes", "stands=withdrawn"),
    "desk_teams": ("page=40", "q=team 77", "without=run"),
    "desk_log": ("page=300", "kind=submitted"),
}
BULK = ("action=withdraw&which=all&filter=", "action=score&which=all&filter=state%3Dfailed")


# What is looked at


def seeded(n_teams: int, n_runs: int) -> tuple[Task, User]:
    """One phase with all the runs, as benchmarks/boards.py makes them, and what else a desk has to tell of."""
    board = boards.seeded(n_teams, n_runs)
    task, phase, scenario = board.phase.task, board.phase, board.scenario
    organiser = User.objects.create_user("organiser@example.org", name="Organiser", may_create_tasks=True)
    Organiser.objects.create(task=task, user=organiser, role=Organiser.Role.OWNER)
    now = timezone.now()
    gold_file = Path(boards.FOLDER.name, "gold.zip")
    for k, slug in enumerate(MORE_PHASES, start=1):
        other = Phase.objects.create(task=task, slug=slug, name=slug.capitalize(), opens=now + timedelta(days=30 * k))
        add_gold(other, scenario, gold_file, "gold.zip", by=organiser)
    seed_texts(task)
    seed_members(phase)
    seed_states(phase)
    seed_fingerprints(phase)
    seed_candidate(phase, organiser)
    Event.objects.bulk_create(
        Event(task=task, kind="submitted", subject=pk, detail={"scenarios": [1]})
        for pk in phase.submissions.values_list("pk", flat=True)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return task, organiser


def seed_texts(task: Task) -> None:
    """One of each thing that has a page."""
    for k in range(5):
        task.pages.create(title=f"Page {k}", slug=f"page-{k}", position=k, text="Words. " * 2000)
        task.downloads.create(title=f"Download {k}", file="downloads/file.zip")
    task.pictures.create(name="a.png", file="pictures/a.png")
    for k in range(20):
        Organiser.objects.create(task=task, user=User.objects.create_user(f"o{k}@example.org", name=f"Organiser {k}"))


def seed_members(phase: Phase) -> None:
    teams = list(Team.objects.filter(submissions__phase=phase).distinct())
    people = User.objects.bulk_create(User(email=f"p{k}@example.org", name=f"Person {k}") for k in range(len(teams)))
    Membership.objects.bulk_create(
        Membership(team=team, user=user, is_owner=True) for team, user in zip(teams, people, strict=True)
    )
    uploader = dict(zip((team.pk for team in teams), people, strict=True))
    runs = list(Submission.objects.filter(phase=phase))
    spread = np.random.default_rng(1).permutation(len(runs)).tolist()
    for k, run in zip(spread, runs, strict=True):
        run.uploader = uploader[run.team_id]
        run.sha256 = hashlib.sha256(str(k).encode()).hexdigest()
        run.file_name, run.size = "run.zip", 10_000 + k
        run.created = timezone.now() - timedelta(minutes=6 * k)  # over six weeks
    Submission.objects.bulk_update(runs, ["uploader", "sha256", "file_name", "size", "created"], batch_size=500)


def seed_states(phase: Phase) -> None:
    """One run in thirty did not end with a score, some are withdrawn, and a hundred wait."""
    on_board = Result.objects.exclude(evaluation="").values("scoring")
    of_phase = Scoring.objects.filter(submission__phase=phase).exclude(pk__in=on_board)
    scorings = list(of_phase.order_by("pk").values_list("pk", flat=True))
    states = Scoring.objects.filter
    without_result = scorings[::30]
    Result.objects.filter(pk__in=without_result).delete()
    states(pk__in=without_result).update(state="refused", finished=timezone.now())
    states(pk__in=without_result[::3]).update(state="failed", fault="engine crashed", error="KeyError: 7")
    states(pk__in=without_result[1::9]).update(state="failed", fault="gold broken", error="no such label")
    states(pk__in=without_result[2::3]).update(state="queued", finished=None)
    withdrawn = Submission.objects.filter(scorings__in=scorings[1::100]).values("pk")
    Submission.objects.filter(pk__in=withdrawn).update(withdrawn=timezone.now(), withdrawn_as="team")
    idle = list(Team.objects.filter(submissions__phase=phase).distinct()[:20])
    lost = Scoring.objects.filter(submission__phase=phase, submission__team__in=idle, state="scored")
    Result.objects.filter(scoring__in=list(lost)).delete()
    lost.update(state="refused")
    boards.recount_all(phase.boards.get())


def seed_candidate(phase: Phase, organiser: User) -> None:
    """A new gold version on which every run has a score, a little higher, and the board as it would be."""
    board = phase.boards.get()
    boards.refresh(board)
    gold_file = Path(boards.FOLDER.name, "mended.zip")
    gold_file.write_bytes(boards.zipped(range(boards.N_SENTENCES - 1)))
    phase.golds.update(engine="1.0.0")
    gold = add_gold(phase, board.scenario, gold_file, "gold.zip", by=organiser)
    scored = Result.objects.filter(scoring__submission__phase=phase).select_related("scoring")
    scorings = [
        Scoring(submission_id=result.scoring.submission_id, scenario=board.scenario, gold=gold, state="scored")
        for result in scored
    ]
    for scoring in scorings:
        scoring.engine_version = engine_of(gold)
    Scoring.objects.bulk_create(scorings, batch_size=1000)
    copies = list(scored)
    for copy, scoring in zip(copies, scorings, strict=True):
        copy.scoring, copy.headline = scoring, copy.headline + 0.001
    Result.objects.bulk_create(copies, batch_size=1000)
    edition = Edition.objects.filter(board=board, is_compared=True).latest("made")
    values = {"engine": engine_of(gold), "made": timezone.now(), "comparison": edition.comparison}
    entries = edition.entries[::-1]
    Preview.objects.create(gold=gold, entries=entries, **values, **counted(gold))


def seed_fingerprints(phase: Phase) -> None:
    """Every run has one of its own, but for a few pairs of teams that share one."""
    rng = np.random.default_rng(2)
    results = Result.objects.filter(scoring__submission__phase=phase).values_list("pk", "scoring__gold")
    Fingerprint.objects.bulk_create(fingerprints(results, rng), batch_size=1000)


def fingerprints(results: Iterable[tuple[object, object]], rng: np.random.Generator) -> Iterator[Fingerprint]:
    for k, (pk, gold) in enumerate(results):
        if k % 500 != 1:
            same, least = rng.bytes(8), rng.bytes(256)
        yield Fingerprint(result_id=pk, gold_id=gold, same=same, least=least, n_mistakes=40)


if __name__ == "__main__":
    sys.exit(main())
