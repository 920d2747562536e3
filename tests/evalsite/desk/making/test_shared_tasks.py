"""Shared tasks of these years as examples: each is one click, and scored with exactly its options."""

import io
import zipfile

import pytest

from evalsite.challenges.access import Role
from evalsite.challenges.models import Task
from evalsite.challenges.readiness import readiness_of
from evalsite.challenges.starter_kit.kit import kit_of
from evalsite.challenges.starter_kit.samples import typed_options
from evalsite.desk.making.shared_tasks import shared_events
from evalsite.submissions.models import Submission
from tests.factories import scored
from tests.which_task import DOCUMENT, table

pytestmark = pytest.mark.django_db
NEW = "/organise/new/"
TASKS = {shared.key: shared for event in shared_events() for shared in event.tasks}


def cases():
    """Yield a task of each family, and all others for --thorough: the engine's tests try the options of each."""
    families = set()
    for key, shared in TASKS.items():
        yield pytest.param(key, marks=[pytest.mark.thorough] if shared.family in families else [])
        families.add(shared.family)


@pytest.mark.parametrize("key", [*cases()])
def test_one_click_makes_a_draft_with_exactly_the_options_of_the_task_and_a_scored_run(as_olga, key):
    as_olga.post(NEW, {"shared": key})
    task = Task.objects.get()
    scenario = task.scenarios.get()
    assert (scenario.family, scenario.options) == (TASKS[key].family, TASKS[key].options)
    scenario.full_clean()
    assert readiness_of(task).missing == []
    run = scored(Submission.objects.get())
    result = run.scorings.get().result
    assert result.headline is not None
    with zipfile.ZipFile(io.BytesIO(kit_of(run.phase, "https://site.test", Role.ORGANISER))) as kit:
        readme = next(kit.read(name).decode() for name in kit.namelist() if name.endswith("/README.md"))
    assert all(option in readme for option in typed_options(scenario))
    form = as_olga.get(f"/tasks/{task.slug}/organise/scenarios/1/")
    assert form.status_code == 200


def test_there_are_forty_tasks_of_which_each_is_offered_once():
    assert len(TASKS) == sum(len(event.tasks) for event in shared_events()) >= 40


def test_a_search_finds_a_task_by_its_name_its_subject_and_its_score(as_olga):
    def found(words: str) -> list[str]:
        events = as_olga.get(NEW, {"q": words}).context["events"]
        return [shared.name for event in events for shared in event.tasks]

    assert found("mu-shroom") == ["SemEval-2025 task 3, Mu-SHROOM"]
    assert found("food hazards mean") == ["SemEval-2025 task 9"]
    assert set(found("LeWiDi wasserstein")) == {"LeWiDi 2025"}
    assert found("basket weaving") == []


def test_a_task_that_is_not_there_is_not_found(as_olga):
    assert as_olga.post(NEW, {"shared": "no-such-task"}).status_code == 404


def test_the_table_in_the_documents_is_the_one_that_the_desk_offers():
    """Where it is not: `python -m tests.which_task`."""
    assert table() in DOCUMENT.read_text(encoding="utf-8")
