"""What is exported and imported again is the same task: every member of its bundle has the same digest."""

from pathlib import Path

import pytest
from django.core.management import call_command

from demo.task import TASKS, create_task
from evalsite.challenges.models import Event, Gold, Task
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.bundles.importing import import_bundle
from evalsite.contrib.bundles.writing import Bundle, with_digests
from evalsite.submissions.models import Submission
from tests.factories import make_user, scored
from tests.split_gold import make_split_task
from tests.whole_task import AT, make_whole_task


def contents(task: Task) -> dict[str, bytes]:
    return {path: b"".join(chunks) for path, chunks in with_digests(Bundle(task).members())}


def written(task: Task, folder: Path) -> Path:
    path = folder / "bundle.zip"
    path.write_bytes(b"".join(zipped(with_digests(Bundle(task).members()))))
    return path


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


def test_a_task_with_everything_set_is_the_same_after_export_and_import(olga, team, tmp_path):
    task = make_whole_task(olga)
    before, path = contents(task), written(task, tmp_path)
    Task.objects.update(slug="elsewhere")
    other = make_user("Otto")
    imported = import_bundle(path, path.name, by=other)
    assert imported.notes == []
    made = imported.task
    assert differing(before, contents(made)) == set()
    assert (made.is_published, made.publish_at, made.archived) == (False, None, None)
    assert [(row.user, row.role) for row in made.organiser_rows.all()] == [(other, "owner")]
    assert made.entry_rules.secret != task.entry_rules.secret
    run = Submission.objects.get(phase__task=made)
    assert (run.team, run.reference, run.uploader) == (made.house, "baseline", other)
    assert Event.objects.filter(task=made, kind="task created").get().detail == {"bundle": "hunt-2026"}
    scored(run)
    assert run.scorings.get().state == "scored"
    assert differing(before, contents(Task.objects.get(pk=made.pk))) == set()


@pytest.mark.thorough
def test_times_are_the_same_to_the_microsecond(olga, team, tmp_path):
    path = written(make_whole_task(olga), tmp_path)
    made = import_bundle(path, path.name, by=olga).task
    assert made.members_frozen == AT


def test_an_address_that_is_taken_is_told(olga, team, tmp_path):
    path = written(make_whole_task(olga), tmp_path)
    imported = import_bundle(path, path.name, by=olga)
    assert imported.task.slug == "hunt-2026-2"
    assert imported.notes == ["Its address is hunt-2026-2, as another task has the address hunt-2026."]


@pytest.mark.thorough
def test_superseded_gold_that_fits_the_options_no_more_comes_along(olga, team, tmp_path):
    task = make_whole_task(olga)
    Gold.objects.filter(scenario__number=3).update(state="discarded")
    task.scenarios.filter(number=3).update(options={"scenario": "2"})
    Submission.objects.all().delete()
    path = written(task, tmp_path)
    made = import_bundle(path, path.name, by=olga).task
    assert sorted(Gold.objects.filter(phase__task=made).values_list("state", flat=True)) == [
        *["discarded"] * 2,
        *["published"] * 2,
    ]


@pytest.mark.parametrize("plan", TASKS, ids=lambda plan: plan.slug)
def test_each_demo_task_is_the_same_after_export_and_import(plan, db, tmp_path, settings):
    create_task(plan)
    task = Task.objects.get()
    before, path = contents(task), written(task, tmp_path)
    Task.objects.update(slug="elsewhere")
    call_command("importtask", str(path), "--owner", "organiser@demo.invalid")
    made = Task.objects.get(slug=plan.slug)
    assert differing(before, contents(made)) == set()


@pytest.mark.thorough
def test_a_split_gold_has_the_same_parts_elsewhere(olga, tmp_path):
    phase, _ = make_split_task(olga)
    before, path = contents(phase.task), written(phase.task, tmp_path)
    Task.objects.update(slug="elsewhere")
    made = import_bundle(path, path.name, by=olga).task
    assert differing(before, contents(made)) == set()
    shown, held = Gold.objects.filter(phase__task=made).order_by("version")
    assert (shown.part, shown.n_units, held.state, held.n_units) == ("shown", 30, "held", 30)
    assert shown.split == held.split
    assert shown.split.phase.task == made
