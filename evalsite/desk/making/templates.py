"""Creates a complete tiny task with made-up data: a draft in which nothing is missing, and a run that is scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import transaction
from django.utils.translation import get_language, gettext

from evalsite.accounts.models import User
from evalsite.base.moment import database_now
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.gold.services import store_gold
from evalsite.challenges.models import Download, Phase, Scenario, Task, record
from evalsite.challenges.storage.files import archive_of, temporary_copy
from evalsite.desk.examples.words import description_of, description_of_input, method_of_run, note_of_gold, title_of
from evalsite.desk.making.drafts import draft
from evalsite.desk.making.shared_tasks import SharedTask
from evalsite.desk.scenarios.uses import Way, ways
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import RunDetails, submit_for_house
from evalsite.submissions.uploads import as_upload
from scoring.family import Specimen

LASTS = timedelta(days=30)


@dataclass(frozen=True)
class Made:
    task: Task
    run: Submission  # whose scorings wait in the queue


def templates() -> list[Way]:
    """Return the uses for which there is a small evaluation."""
    return [way for way in ways() if way.family.offer.specimen]


@dataclass(frozen=True)
class Example:
    """What a task is made from."""

    key: str  # told in the task's log
    title: str
    about: str  # a sentence
    scenario: Scenario  # of no task yet


def example_of_use(way: Way) -> Example:
    values = {"family": way.family.name, "use": way.use.key, "is_judged": way.use.is_judged}
    scenario = Scenario(number=1, name=way.title, options=dict(way.use.options), **values)
    return Example(way.use.key, way.title, way.about, scenario)


def example_of_shared_task(shared: SharedTask) -> Example:
    about = gettext("Set up like %(task)s, with made-up data.") % {"task": shared.title}
    return Example(shared.key, shared.title, about, shared.scenario())


def task_from(example: Example, *, by: User) -> Made:
    scenario = example.scenario
    specimen = specimen_of(scenario)
    if specimen is None:
        raise ValueError(f"there is no small evaluation of {example.key}")
    name, content = packed(specimen.gold, "gold")
    with temporary_copy(ContentFile(content), name) as file:
        evaluation = check_gold(file, scenario)  # before the database is written to, as it takes a while
        with transaction.atomic():
            task = _task(example, by)
            scenario.task = task
            scenario.save(force_insert=True)
            phase = _phase(task)
            store_gold(phase, scenario, file, evaluation, by=by, note=note_of_gold())
            _add_input(scenario, specimen, phase)
            return Made(task, _add_run(scenario, specimen, phase, by))


def specimen_of(scenario: Scenario) -> Specimen | None:
    """Return the small evaluation for the scenario's options; None if its family offers none for them."""
    make, family = scenario.engine_family.offer.specimen, scenario.engine_family
    return make(family.configure(scenario.options)) if make else None


def packed(files: Mapping[str, bytes], name: str) -> tuple[str, bytes]:
    """Return name and content of a single file as it is, or of an archive of several under this name."""
    if len(files) == 1:
        return next(iter(files.items()))
    return f"{name}.zip", archive_of(files)


def _task(example: Example, by: User) -> Task:
    task = draft(
        title_of(example.title),
        by=by,
        summary=example.about[:300],
        description=description_of(example.about),
        language=(get_language() or "")[:35],
        contact=by.email,
    )
    record(task, "task created", actor=by, subject=task.pk, template=example.key)
    return task


def _phase(task: Task) -> Phase:
    now = database_now().replace(second=0, microsecond=0)
    times = {"opens": now, "closes": now + LASTS}
    return Phase.objects.create(task=task, name=gettext("Test"), slug="test", counts_is_usual=True, **times)


def _add_input(scenario: Scenario, specimen: Specimen, phase: Phase) -> None:
    """Add what participants download, made from the gold as their starter kit is."""
    family = scenario.engine_family
    if family.files.inputs is None:
        return
    name, content = packed(family.files.inputs(specimen.gold, scenario.configured), "input")
    download = Download(
        task=phase.task,
        phase=phase,
        title=gettext("Input"),
        description=description_of_input(),
        available_from=phase.opens,
        file=ContentFile(content, name),
    )
    download.save()


def _add_run(scenario: Scenario, specimen: Specimen, phase: Phase, by: User) -> Submission:
    """Upload the run as a baseline, so that the board has a row, and none that competes.

    Where a judge scores it is what a system wrote, and waits for the judge of whoever has made the task.
    """
    run = {"output.txt": b"What the system has written.\n"} if scenario.is_judged else specimen.run
    files: list[UploadedFile] = [SimpleUploadedFile(path, content) for path, content in run.items()]
    with as_upload(files) as upload:
        return submit_for_house(
            phase,
            Submission.Reference.BASELINE,
            by,
            upload,
            [scenario],
            RunDetails(method_of_run(), gettext("A made-up run with some mistakes.")),
            arrived=database_now(),
        )
