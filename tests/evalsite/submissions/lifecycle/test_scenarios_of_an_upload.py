"""The scenarios of one upload are scored by one child of the engine, in turn, and none spoils another."""

import errno
import os
import signal
import uuid
from unittest.mock import Mock

import pytest
from django.db import connection

from evalsite.challenges.models import Gold
from evalsite.jobs import sandbox
from evalsite.submissions import engine_jobs
from evalsite.submissions.lifecycle import enqueueing, scorer, transitions, upload_child
from evalsite.submissions.models import Result, Scoring, Submission
from scoring.readers import archive
from tests.engine_children import let_open_no_more, only_child
from tests.evalsite.submissions import taken_over
from tests.factories import (
    PARTLY_RIGHT_PHRASES,
    PARTLY_RIGHT_RELATIONS,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    run_files,
)
from tests.workers import states, wait_for

pytestmark = pytest.mark.django_db(transaction=True)  # the heartbeat writes beside the test
NUMBERS = (1, 2, 3)
FILES = run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS, scenarios=NUMBERS)


@pytest.fixture
def scenarios():
    task = make_task("three", title="Three")
    made = [make_scenario(task, number, options={"scenario": str(number)}) for number in NUMBERS]
    phase = make_phase(task)
    for scenario in made:
        make_gold(phase, scenario)
    return made


@pytest.fixture
def upload(scenarios, team, alice):
    """Uploads a run for all three."""

    def make(files=FILES) -> Submission:
        return make_submission(scenarios[0].task.phases.get(), team, alice, files, scenarios=scenarios)

    return make


@pytest.fixture
def children(monkeypatch) -> list[object]:
    """Return what each was made for."""
    made, real = [], sandbox.child

    def child(function, limits, **options):
        made.append(function)
        return real(function, limits, **options)

    monkeypatch.setattr(sandbox, "child", child)
    return made


def first(submission: Submission) -> uuid.UUID:
    return submission.scorings.get(scenario__number=1).pk


def states_of(submission: Submission) -> list[str]:
    return list(submission.scorings.order_by("scenario__number").values_list("state", flat=True))


def numbers(submission: Submission) -> list[dict]:
    results = Result.objects.filter(scoring__submission=submission).order_by("scoring__scenario__number")
    names = ("scores", "intervals", "counts", "tables", "table_intervals", "signature", "seed")
    return [{name: getattr(result, name) for name in names} for result in results]


def test_one_child_scores_all_with_the_numbers_that_each_has_alone(upload, children):
    alone = upload()
    for scoring in alone.scorings.all():
        scorer.score(scoring.pk)
    children.clear()
    together = upload(FILES | {"note.txt": "together"})
    scorer.score_upload(first(together))
    assert states_of(together) == ["scored"] * 3
    assert len(children) == 1
    assert numbers(together) == numbers(alone)


def test_no_child_meets_the_files_of_two_uploads(upload, children):
    for number in range(3):
        scorer.score_upload(first(upload(FILES | {"note.txt": str(number)})))
    assert children == [engine_jobs.evaluate] * 3


@pytest.mark.thorough
def test_an_upload_that_took_its_child_over_sets_nobody_else_s_score(upload, monkeypatch):
    honest = [upload(FILES | {"note.txt": str(number)}) for number in range(2)]
    scorer.score_upload(first(honest[0]))
    monkeypatch.setattr(engine_jobs, "evaluate", taken_over.evaluate)
    hostile = upload(FILES | {taken_over.MARK: "x"})
    scorer.score_upload(first(hostile))
    assert [each["scores"]["f1"] for each in numbers(hostile)] == [1, 1, 1], "it did take it over"
    scorer.score_upload(first(honest[1]))
    assert numbers(honest[1]) == numbers(honest[0])
    assert numbers(honest[1])[0]["scores"]["f1"] < 1


def test_a_child_opens_its_own_upload_and_the_gold_of_its_scenarios_alone(upload, scenarios, team, alice, monkeypatch):
    make_submission(scenarios[0].task.phases.get(), team, alice, FILES | {"note.txt": "other"}, scenarios=scenarios)
    opened, real = [], sandbox.child

    def child(function, limits, **options):
        opened.append(set(options["reads"]))
        return real(function, limits, **options)

    monkeypatch.setattr(sandbox, "child", child)
    made = make_submission(scenarios[0].task.phases.get(), team, alice, FILES, scenarios=scenarios[:2])
    scorer.score_upload(first(made))
    assert opened == [{made.file.path, *(scenario.golds.get().file.path for scenario in scenarios[:2])}]


@pytest.mark.thorough
def test_a_child_that_was_killed_between_two_scenarios_costs_no_attempt(upload, monkeypatch):
    made = upload()
    between_scenarios(monkeypatch, lambda pid: os.kill(pid, signal.SIGKILL))
    scorer.score_upload(first(made))
    # The one for which there was no child waits; the last one has another child.
    assert states_of(made) == ["scored", "queued", "scored"]
    assert made.scorings.get(state="queued").attempts == 0
    Scoring.objects.update(not_before=None)
    scorer.score_upload(made.scorings.get(state="queued").pk)
    assert states_of(made) == ["scored"] * 3


@pytest.mark.thorough
def test_a_run_that_its_child_may_not_open_waits_instead_of_being_refused(upload, monkeypatch):
    made = upload()
    between_scenarios(monkeypatch, let_open_no_more)
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored", "queued", "scored"]
    assert made.scorings.get(state="queued").attempts == 0


def between_scenarios(monkeypatch, meddle) -> None:
    """Meddle with the child, by its process, when it has answered for the first scenario."""
    real = transitions.complete

    def complete(scoring, *more):
        monkeypatch.setattr(scorer, "complete", real)
        pid = only_child()
        meddle(pid)
        return real(scoring, *more)

    monkeypatch.setattr(scorer, "complete", complete)


@pytest.mark.thorough
def test_memory_that_a_scenario_has_left_taken_is_not_missing_to_the_next(upload, children, monkeypatch):
    ask, asked = sandbox.Child.__call__, []

    def ask_with_little_memory(child, arguments, on_step):
        asked.append(child)
        if asked.count(child) == 2:
            raise sandbox.LimitBroken("memory")
        return ask(child, arguments, on_step)

    monkeypatch.setattr(sandbox.Child, "__call__", ask_with_little_memory)
    made = upload()
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored"] * 3
    assert len(children) == 3


@pytest.mark.thorough
def test_a_child_whose_end_fails_is_asked_no_more(upload, monkeypatch):
    made, end = upload(), upload_child._Child.end

    def ends_badly(child):
        end(child)
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(sandbox.Child, "__call__", Mock(side_effect=OSError(errno.EMFILE, "Too many open files")))
        patched.setattr(upload_child._Child, "end", ends_badly)
        scorer.score_upload(first(made))
    Scoring.objects.update(not_before=None)
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored"] * 3


@pytest.mark.thorough
def test_its_archive_is_read_once(upload, tmp_path, monkeypatch):
    made = upload()
    opened, real = [], archive.open_files

    def open_files(path, *more, **options):
        opened.append(path)
        return real(path, *more, **options)

    monkeypatch.setattr(engine_jobs, "open_files", open_files)
    monkeypatch.setattr(engine_jobs, "_opened", {})
    for scoring in made.scorings.select_related("scenario", "gold"):
        scenario = scoring.scenario
        arguments = {"family": scenario.family, "options": scenario.options, "n_resamples": 0}
        files = {"gold": [scoring.gold.file.path, "gold.zip"], "system": [made.file.path, "run.zip"]}
        files["evaluation"] = str(tmp_path / "e.npz")
        assert "numbers" in engine_jobs.evaluate(arguments | files, lambda step: None)
    assert opened == [(made.file.path, "run.zip")]


def test_one_runs_at_a_time_each_with_a_claim_of_its_own(upload, monkeypatch):
    running = []
    real = transitions.complete

    def complete(scoring, *more):
        running.append(Scoring.objects.filter(state="running").count())
        return real(scoring, *more)

    monkeypatch.setattr(scorer, "complete", complete)
    made = upload()
    scorer.score_upload(first(made))
    assert running == [1, 1, 1]
    assert set(made.scorings.values_list("attempts", flat=True)) == {1}


@pytest.mark.thorough
def test_one_that_breaks_its_limits_is_refused_alone(upload, children, settings, all_limits):
    settings.SCORING_MEMORY_BYTES = 64 * 1024**2
    phrases = "".join(f"{number}\t0 3\tConcept\tLas\n" for number in range(800_000))
    made = upload(FILES | {"output_a_scenario2.txt": phrases, "output_b_scenario2.txt": ""})
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored", "refused", "scored"]
    assert made.scorings.get(state="refused").broke_limits
    assert len(children) > 1, "the last one got a new child"


def test_one_that_is_invalid_is_refused_alone_by_the_same_child(upload, children):
    made = upload(FILES | {"output_a_scenario1.txt": "1\t4 8\tConcept\n"})
    scorer.score_upload(first(made))
    assert states_of(made) == ["refused", "scored", "scored"]
    assert len(children) == 1


def test_one_whose_gold_is_lost_rests_alone(upload):
    made = upload()
    os.remove(made.scorings.get(scenario__number=2).gold.file.path)
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored", "queued", "scored"]


@pytest.mark.thorough
def test_where_the_first_has_taken_long_the_others_get_jobs_of_their_own(upload, settings):
    settings.LEASE = settings.LEASE * 0
    made = upload()
    made.scorings.update(enqueued="2026-01-01T00:00Z")
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored", "queued", "queued"]
    assert set(made.scorings.filter(state="queued").values_list("enqueued", flat=True)) == {None}


@pytest.mark.thorough
def test_what_a_dead_process_held_is_free_whichever_scenario_it_was_at(upload):
    made = upload()
    second = made.scorings.get(scenario__number=2)
    lease = uuid.uuid4()
    transitions.claim(second.pk, lease)
    assert transitions.release(first(made), lease)
    assert states_of(made) == ["queued"] * 3
    scorer.score_upload(first(made))
    assert states_of(made) == ["scored"] * 3


def test_the_broker_is_told_once_of_each_upload(upload, monkeypatch):
    told = []
    monkeypatch.setattr(enqueueing, "send_message", lambda job, pk: told.append(pk) or True)
    made = [upload(FILES | {"note.txt": str(number)}) for number in range(2)]
    pks = [scoring.pk for submission in made for scoring in submission.scorings.order_by("created")]
    enqueueing.enqueue(pks)
    assert told == [str(pks[0]), str(pks[3])]
    assert not Scoring.objects.filter(enqueued=None).exists()


@pytest.mark.thorough
@pytest.mark.parametrize("keeps", [{}, {"scores": ["f1"], "seed": 20_261_124}], ids=["alone", "combined"])
def test_what_all_runs_on_a_gold_share_is_made_once(upload, monkeypatch, keeps):
    Gold.objects.update(keeps=keeps)
    shared, real = [], sandbox.run_in_server

    def share(function, arguments):
        shared.append(arguments["seed"])
        real(function, arguments)

    monkeypatch.setattr(sandbox, "run_in_server", share)
    scorer.score_upload(first(upload()))
    assert keeps.get("seed") in [*shared, None]
    of_the_first = len(shared)  # which may have none of its own to draw after other tests
    for number in range(2):
        scorer.score_upload(first(upload(FILES | {"note.txt": str(number)})))
    assert len(shared) == of_the_first


@pytest.mark.thorough
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite counts no connections")
def test_a_worker_keeps_its_connection_from_job_to_job(celery, upload):
    def n_connections() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute("SELECT sessions FROM pg_stat_database WHERE datname = current_database()")
            return cursor.fetchone()[0]

    made = [upload(FILES | {"note.txt": str(number)}) for number in range(5)]
    with celery("worker", "--concurrency", "1"):
        enqueueing.enqueue([first(made[0])])
        wait_for(lambda: set(states_of(made[0])) == {"scored"})
        before = n_connections()
        enqueueing.enqueue([first(each) for each in made[1:]])
        wait_for(lambda: states() == {"scored"})
    assert n_connections() - before < 4
