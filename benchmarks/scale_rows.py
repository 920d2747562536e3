"""Fills the site's database with as many submissions as are asked for, in some minutes for a million.

Two tasks, their golds, and some files and results are real: the engine has scored them. What is seeded are copies of
their rows, made by INSERT ... SELECT, with keys, teams, times and scores of their own; their files are those of the
originals. Three fifths are in one task, the others in another one.
"""

from collections.abc import Mapping

import numpy as np
import seeding
from django.db import connection
from django.db.models import F
from numpy.typing import NDArray

from evalsite.accounts.models import User
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making import comparison
from evalsite.leaderboard.making.draws import load_draws
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.models import Result, Scoring, Submission

BIG, OTHER = "big", "other"
ADMINISTRATOR, ORGANISER = "admin@example.org", "organiser@example.org"  # the second one of the other task alone
N_ORIGINALS = 20  # runs of each task
SHARE_OF_BIG = 0.6
SHARE_OF_TABLES = 0.1  # of the results have the tables of their runs' pages, which are two thirds of all bytes
FILE_NAME = "seeded.zip"  # of what is a copy
DAYS = 300
N_WAITING = 200  # scorings in the queue


def seed(n_submissions: int, n_teams: int) -> None:
    User.objects.create_superuser(ADMINISTRATOR, name="Administrator")
    organiser = User.objects.create_user(ORGANISER, name="Organiser", may_create_tasks=True)
    tasks = [seeding.make_task(slug) for slug in (BIG, OTHER)]
    tasks[1].organiser_rows.create(user=organiser, role="owner")
    people = seeding.make_people(n_teams, *tasks)
    for task in tasks:
        phase = seeding.make_phase(task)
        for number in range(N_ORIGINALS):
            seeding.upload(phase, people[number % n_teams], number, list(task.scenarios.all()))
    for pk in Scoring.objects.values_list("pk", flat=True):
        scorer.score(pk)
    with connection.cursor() as cursor:
        # Foreign keys of copies are right, and to look each of them up would take longer than all the rest.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET synchronous_commit = off")
        indexes = _drop_indexes(cursor)
        _insert_rows(cursor, n_submissions)
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for definition in indexes:
            cursor.execute(definition)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


def make_boards() -> None:
    """One edition of each board of the large task, as an upgraded site makes them that has results."""
    phase = Phase.objects.get(task__slug=BIG)
    comparison.load_draws = _draws_of_copy
    for scenario in phase.task.scenarios.all():
        board, _ = Board.objects.get_or_create(phase=phase, scenario=scenario)
        board.editions.all().delete()
        Board.objects.filter(pk=board.pk).update(to_recount=True, wanted=F("wanted") + 1)
        refresh(board)


def _draws_of_copy(result: Result) -> NDArray[np.float64] | None:
    """Return those of the original, about the score of the copy and in an order of its own.

    With the very same draws at another score no difference would have an error, which no comparison expects.
    """
    found = load_draws(result)
    if found is None or not found.any():
        return found
    return np.roll(found * (result.headline / found.mean()), int(result.pk) % len(found))


def waiting_run() -> Submission:
    """Return a seeded run with a scoring in the queue."""
    waiting = Scoring.objects.filter(state=Scoring.State.QUEUED).select_related("submission")
    return waiting.order_by("created")[0].submission


_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = 'public' AND tablename = ANY(%s)
AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""
_TABLES = [
    *("submissions_submission", "submissions_scoring", "submissions_result", "submissions_resulttables"),
    "challenges_event",
]


def _drop_indexes(cursor) -> list[str]:
    """Drop those that no constraint needs, and return what makes them again."""
    cursor.execute(_INDEXES, [_TABLES])
    found = cursor.fetchall()
    for name, _ in found:
        cursor.execute(f'DROP INDEX "{name}"')
    return [definition for _, definition in found]


def _insert_like(cursor, table: str, values: Mapping[str, str], source: str, params: Mapping[str, object]) -> None:
    """Copies of rows of `table`, which `source` calls `old`, with other values in some columns."""
    cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = %s", [table])
    columns = [name for (name,) in cursor.fetchall() if not (name == "id" and "id" not in values)]
    selected = ", ".join(values.get(name, f'old."{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    cursor.execute(f"INSERT INTO {table} ({names}) SELECT {selected} {source}", params)


def _insert_rows(cursor, n_submissions: int) -> None:
    big = Phase.objects.get(task__slug=BIG).pk
    given = {"n": n_submissions, "share": SHARE_OF_BIG, "big": big, "days": DAYS, "file": FILE_NAME}
    given |= {"tables": SHARE_OF_TABLES, "waiting": N_WAITING}
    cursor.execute(_ORIGINALS, given)
    _insert_like(
        cursor,
        "submissions_submission",
        {
            "id": "gen_random_uuid()",
            "team_id": "team.team_id",
            "uploader_id": "team.user_id",
            "method": "'Method ' || number %% 997 || ', run ' || number",
            "reference": "''",
            "file_name": "%(file)s",
            "sha256": "md5(number::text) || md5('x' || number)",
            "created": "now() - random() * %(days)s * interval '1 day'",
        },
        """
        FROM generate_series(1, %(n)s) AS number
        CROSS JOIN LATERAL (SELECT random() < %(share)s AS is_big, number AS again) AS chosen
        JOIN original_run ON original_run.is_big = chosen.is_big
            AND original_run.place = number %% original_run.n_places
        JOIN seeded_team AS team ON team.place = (number * 7919::bigint) %% team.n_places
        JOIN submissions_submission AS old ON old.id = original_run.id
        """,
        given,
    )
    cursor.execute("CREATE INDEX seeded ON submissions_submission (phase_id) WHERE file_name = 'seeded.zip'")
    _insert_like(
        cursor,
        "submissions_scoring",
        {
            "id": "gen_random_uuid()",
            "submission_id": "run.id",
            "state": """CASE WHEN fate < 0.975 THEN 'scored' WHEN fate < 0.985 THEN 'failed'
                WHEN fate < 0.995 THEN 'refused' ELSE 'cancelled' END""",
            "created": "run.created",
            "enqueued": "run.created",
            "started": "run.created + interval '1 second'",
            "finished": "run.created + interval '2 seconds'",
        },
        """
        FROM submissions_submission AS run
        JOIN original_scoring AS original ON original.phase_id = run.phase_id
            AND original.place = abs(hashtext(run.id::text)) %% original.n_places
        JOIN submissions_scoring AS old ON old.id = original.id
        CROSS JOIN LATERAL (SELECT random() AS fate, run.id AS again) AS chosen
        WHERE run.file_name = %(file)s
        """,
        given,
    )
    cursor.execute(_WAITING, given)
    _insert_like(
        cursor,
        "submissions_result",
        {
            "scoring_id": "scoring.id",
            "headline": "old.headline * part",
            # The score that ranks stands among the scores too, under the name that the signature tells.
            "scores": "replace(old.scores, '\": ' || old.headline::text, '\": ' || (old.headline * part)::text)",
            "created": "scoring.finished",
        },
        f"""
        {_SCORED} JOIN submissions_result AS old ON old.scoring_id = original.id
        CROSS JOIN LATERAL (SELECT 0.6 + 0.4 * random() AS part, run.id AS again) AS chosen
        WHERE run.file_name = %(file)s AND scoring.state = 'scored'
        """,
        given,
    )
    _insert_like(
        cursor,
        "submissions_resulttables",
        {"result_id": "scoring.id"},
        f"""
        {_SCORED} JOIN submissions_resulttables AS old ON old.result_id = original.id
        WHERE run.file_name = %(file)s AND scoring.state = 'scored'
        AND abs(hashtext(run.id::text)) %% 1000 < 1000 * %(tables)s
        """,
        given,
    )
    cursor.execute("DROP INDEX seeded")
    cursor.execute(_EVENTS, given)


# Seeded scorings, each with the original whose result it has.
_SCORED = """
FROM submissions_scoring AS scoring
JOIN submissions_submission AS run ON run.id = scoring.submission_id
JOIN original_scoring AS original ON original.phase_id = run.phase_id
    AND original.scenario_id = scoring.scenario_id
    AND original.place = abs(hashtext(run.id::text)) %% original.n_places
"""
# Prototypes with their places among those of one phase.
_ORIGINALS = """
CREATE TEMP TABLE original_run AS
    SELECT id, phase_id = %(big)s AS is_big,
        row_number() OVER (PARTITION BY phase_id = %(big)s ORDER BY id) - 1 AS place,
        count(*) OVER (PARTITION BY phase_id = %(big)s) AS n_places
    FROM submissions_submission;
CREATE TEMP TABLE original_scoring AS
    SELECT scoring.id, run.phase_id, scoring.scenario_id,
        row_number() OVER (PARTITION BY run.phase_id, scoring.scenario_id ORDER BY scoring.id) - 1 AS place,
        count(*) OVER (PARTITION BY run.phase_id, scoring.scenario_id) AS n_places
    FROM submissions_scoring AS scoring JOIN submissions_submission AS run ON run.id = scoring.submission_id
    WHERE scoring.state = 'scored';
CREATE TEMP TABLE seeded_team AS
    SELECT team.id AS team_id, member.user_id, row_number() OVER (ORDER BY team.id) - 1 AS place,
        count(*) OVER () AS n_places
    FROM accounts_team AS team JOIN accounts_membership AS member ON member.team_id = team.id
    WHERE team.name LIKE 'Person team %%';
ANALYZE original_run, original_scoring, seeded_team
"""
# The youngest of those that were cancelled wait instead.
_WAITING = """
UPDATE submissions_scoring SET state = 'queued', started = NULL, finished = NULL, attempts = 0,
    created = now(), enqueued = now()
WHERE id IN (SELECT id FROM submissions_scoring WHERE state = 'cancelled' ORDER BY created DESC LIMIT %(waiting)s)
"""
_EVENTS = """
INSERT INTO challenges_event (kind, subject, detail, created, actor_id, task_id, team_id)
SELECT 'submitted', run.id, '{"scenarios": [1, 2, 3]}', run.created, run.uploader_id, phase.task_id, NULL
FROM submissions_submission AS run JOIN challenges_phase AS phase ON phase.id = run.phase_id
WHERE run.file_name = %(file)s
"""
