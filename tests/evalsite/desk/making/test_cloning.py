"""A clone is whole, leaves the task that it is like as it was, and keeps nobody from writing meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import IntegrityError, connection
from django.utils import timezone

from evalsite.challenges.models import (
    Download,
    EntryRules,
    Event,
    FactSheet,
    Gold,
    GoldSplit,
    Phase,
    Picture,
    Scenario,
    Task,
    record,
)
from evalsite.desk.making import drafts
from evalsite.desk.making.cloning import COPIED, HAPPENED_TO_THE_OLD_TASK, OF_THE_NEW_ROW, OF_WHO_CLONES, clone
from evalsite.desk.making.drafts import draft
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    scored,
)

# Rows that lead to a task, a scenario or a phase, and tell what people did there.
STAY_BEHIND = {
    *("Organiser", "OrganiserInvitation", "Participation", "FormerParticipation", "TeamNumber", "FormerAddress"),
    *("Event", "WaitingGold", "Job", "Submission", "Scoring", "Allowance", "Choice", "KeptUpload", "Board"),
    *("Application", "Agreement", "AccessToken", "Student", "Target", "ImportedTable"),
    *("Announcement", "Letter", "RefusedUploads"),
}


def test_a_clone_copies_all_columns_but_those_that_are_named():
    assert {"name", "opens", "detail", "upload_megabytes"} <= set(COPIED[Phase])
    for model, copied in COPIED.items():
        names = {field.name for field in model._meta.concrete_fields}
        assert HAPPENED_TO_THE_OLD_TASK[model] <= names, f"a column of {model} that is there no more"
        assert names - set(copied) <= OF_THE_NEW_ROW | OF_WHO_CLONES | HAPPENED_TO_THE_OLD_TASK[model]
        for field in (model._meta.get_field(name) for name in copied):
            assert not field.unique, f"a second row with the value of {field} could not be stored: leave it out"


def test_each_model_that_leads_to_a_task_is_cloned_or_known_to_stay_behind():
    leading = {each.related_model for model in (Task, Phase, Scenario) for each in model._meta.related_objects}
    assert {model.__name__ for model in leading - COPIED.keys()} == STAY_BEHIND


@pytest.fixture
def last_year(db, olga, team) -> Task:
    """All that a task can have: two languages, gold with a candidate, runs of all kinds, texts, files."""
    task = make_task("hunt-2025", olga, title="Hunt 2025", description="Find *them*.", zone="Europe/Madrid")
    english, german = (make_scenario(task, number, name=name) for number, name in ((1, "English"), (2, "German")))
    now = timezone.now()
    phase = make_phase(task, closes=now - timedelta(minutes=1), late_until=now + timedelta(days=1), ranks_late=True)
    files = run_files(scenarios=(1, 2))
    for scenario in (english, german):
        make_gold(phase, scenario, files)
    runs = {**PARTLY_RIGHT, **run_files(scenarios=(2,))}
    for reference in ("baseline", "human", "trial"):
        scored(make_submission(phase, team, olga, runs, reference=reference))
    make_run(phase, team, runs)
    assert Submission.objects.get(reference="").is_late
    assert make_gold(phase, german, run_files(relations="part-of\t1\t2\n", scenarios=(1, 2))).is_candidate
    Combined.objects.create(phase=phase, formula="mean(*.f1)", missing="last", board={"entries": []}, basis="old")
    FactSheet.objects.create(task=task)
    EntryRules.objects.create(task=task, way="approval", terms="For research.", questions=[])
    task.pages.create(title="Rules", slug="rules", text="Be fair.", position=3)
    task.pictures.create(name="map.png", file=ContentFile(b"png", "map.png"))
    Download.objects.create(task=task, title="Input", file=ContentFile(b"x", "input.txt"), available_from=phase.opens)
    task.refresh_from_db()
    assert task.house is not None
    return task


def values_of(task: Task) -> dict[str, list[dict]]:
    """All that belongs to a task, but for its audit trail."""
    paths = {
        Task: "pk",
        Combined: "phase__task",
        Gold: "phase__task",
        GoldSplit: "phase__task",
        Submission: "phase__task",
    }
    rows = {model: model.objects.filter(**{paths.get(model, "task"): task.pk}) for model in (*COPIED, Submission)}
    return {model.__name__: list(found.order_by("pk").values()) for model, found in rows.items()}


def content_of(row: Gold | Picture | Download) -> bytes:
    with row.file.open() as file:
        return file.read()


def test_a_clone_is_whole_and_the_task_that_it_is_like_stays_as_it_was(last_year, olga):
    before = values_of(last_year)
    opens = last_year.phases.get().opens + timedelta(weeks=52)
    made = clone(last_year, "Hunt 2026", opens, with_gold=True, by=olga)
    assert values_of(last_year) == before
    assert (made.slug, made.house, made.is_published, made.description) == ("hunt-2026", None, False, "Find *them*.")
    assert [each.name for each in made.scenarios.all()] == ["English", "German"]
    phase, old = made.phases.get(), last_year.phases.get()
    assert (phase.ranks_late, phase.opens) == (True, opens)
    assert phase.late_until - old.late_until == opens - old.opens
    combined = Combined.objects.get(phase=phase)
    assert (combined.formula, combined.missing, combined.board, combined.basis) == ("mean(*.f1)", "last", {}, "")
    golds = Gold.objects.filter(phase=phase)
    assert sorted(gold.scenario.name for gold in golds) == ["English", "German"]
    assert {(gold.version, gold.state) for gold in golds} == {(1, "published")}
    for gold in golds:  # the one that ranks, not the candidate
        twin = Gold.objects.get(phase=old, scenario__number=gold.scenario.number, state="published")
        assert gold.sha256 == twin.sha256
        assert content_of(gold) == content_of(twin)
        assert gold.file.name != twin.file.name
    assert made.pages.get().text == "Be fair."
    assert content_of(made.pictures.get()) == b"png"
    assert content_of(made.downloads.get()) == b"x"
    assert made.downloads.get().available_from == opens
    assert not Submission.objects.filter(phase__task=made).exists()
    assert not made.participations.exists()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_beside_a_clone_a_hundred_writes_of_others_go_through(last_year, olga):
    others = make_task("others")

    def write(number: int) -> None:
        try:
            if number % 10 == 0:
                clone(last_year, "Hunt 2026", None, with_gold=True, by=olga)
            record(others, "task changed", number=number)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(100)))
    assert Event.objects.filter(task=others, kind="task changed").count() == 100
    slugs = ["hunt-2026", *(f"hunt-2026-{number}" for number in range(2, 11))]
    assert sorted(Task.objects.filter(title="Hunt 2026").values_list("slug", flat=True)) == sorted(slugs)


def stored_files() -> set[Path]:
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


@pytest.mark.thorough
def test_a_clone_of_which_a_step_fails_leaves_nothing(last_year, olga, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("the disk is full")

    rows, files = values_of(last_year), stored_files()
    for model in COPIED.keys() - {GoldSplit}:  # the gold of last year is whole
        with monkeypatch.context() as patched:
            patched.setattr(model, "save", fail)
            with pytest.raises(OSError, match="disk"):
                clone(last_year, "Hunt 2026", None, with_gold=True, by=olga)
        assert Task.objects.get() == last_year, model
        assert values_of(last_year) == rows
        assert stored_files() == files


@pytest.mark.thorough
def test_what_fails_for_another_reason_than_the_address_is_not_tried_again(olga, monkeypatch):
    tries = []

    def refuse(**values):
        tries.append(values)
        raise IntegrityError("another column has to be unique")

    monkeypatch.setattr(Task.objects, "create", refuse)
    with pytest.raises(IntegrityError, match="another column"):
        draft("Hunt 2026", summary="Find names.", by=olga)
    assert len(tries) == 1


@pytest.mark.thorough
def test_an_address_that_is_taken_at_each_try_is_told_after_a_hundred(as_olga, task, monkeypatch):
    """Whatever is free when it is looked up, somebody else has it a moment later."""
    tried = []
    monkeypatch.setattr(drafts, "_free_slugs", lambda title: (tried.append(n) or task.slug for n in count()))
    answers = [
        as_olga.post("/organise/new/", {"title": "Hunt 2026", "summary": "Find names."}),
        as_olga.post(f"/tasks/{task.slug}/organise/clone/", {"title": "Hunt 2026"}),
        as_olga.post("/organise/new/", {"template": "key-phrases"}, follow=True),
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 200]
    for answer in answers:
        assert "Other tasks with this title are being created at this moment." in answer.content.decode()
    assert len(tried) == 3 * 100
    assert Task.objects.get() == task
