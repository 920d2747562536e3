"""The files of all demo tasks, and the database that is made of them."""

from itertools import chain
from statistics import median

import pytest

import scoring
from demo import task as demo
from demo.plan import FOLDER, read_task
from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.models import Download, Phase, Scenario, Task
from evalsite.submissions.models import Submission
from scoring.readers.archive import Made

MAT = read_task("mat")
each_task = pytest.mark.parametrize("plan", demo.TASKS, ids=lambda plan: plan.slug)


def test_each_folder_is_a_task_with_an_address_of_its_own():
    assert {plan.folder for plan in demo.TASKS} == {path for path in FOLDER.iterdir() if path.is_dir()}
    assert demo.TASKS[0].slug == "ehealthkd-demo"
    assert len({plan.slug for plan in demo.TASKS}) == len(demo.TASKS)


@each_task
def test_a_plan_says_that_its_data_are_synthetic(plan):
    assert "synthetic data" in plan.description
    assert "Synthetic" in plan.summary
    downloads = [download for phase in plan.phases for download in phase.downloads]
    assert downloads
    assert all("Synthetic" in download.description for download in downloads)


@each_task
def test_shown_scores_are_scores_of_the_family(plan):
    for scenario in plan.scenarios:
        Scenario(family=scenario.family, options=scenario.options, shown_scores=scenario.shown_scores).clean()
        assert scenario.family in scoring.FAMILIES


@each_task
def test_the_files_of_a_task_are_those_that_its_settings_name(plan):
    named = {"task.toml"}
    for phase in plan.phases:
        paths = [scenario.gold for scenario in plan.scenarios]
        paths += [download.file for download in phase.downloads]
        paths += [f"runs/{run.file}" for run in plan.runs(phase.slug)]
        named |= {f"{phase.slug}/{path}" for path in paths}
    stored = {str(path.relative_to(plan.folder)).removesuffix(".gz") for path in plan.folder.rglob("*.*")}
    assert stored == named


@each_task
def test_no_download_of_a_phase_holds_its_hidden_gold(plan):
    for phase in plan.phases:
        golds = {plan.gold(phase.slug, number).content for number, _ in enumerate(plan.scenarios, start=1)}
        files = [plan.file(phase.slug, download.file) for download in phase.downloads]
        members = chain.from_iterable(file.texts().items() for file in files if file.name.endswith(".zip"))
        contents = {file.content for file in files} | {text.encode() for _, text in members}
        assert phase.gold_released or not contents & golds


@each_task
def test_runs_are_graded_between_the_baseline_and_what_people_can_do(plan):
    for number, scenario in enumerate(plan.scenarios, start=1):
        gold, entered = plan.gold("test", number), [run for run in plan.runs("test") if number in run.scenarios]
        values = {run.file: headline(scenario, gold, plan.file_of(run, "test")) for run in entered}
        middle, references = median(values.values()), {run.reference: values[run.file] for run in entered}
        assert len(set(values.values())) == len(values) > 5
        if {"baseline", "human"} <= references.keys():
            assert (references["baseline"] < middle) != (references["human"] < middle)


def headline(scenario, gold, run):
    evaluation = scoring.evaluate(scenario.family, gold=made(gold), system=made(run), options=scenario.options)
    return evaluation.scores[evaluation.headline]


def made(file):
    if not file.name.endswith(".zip"):
        return Made({file.name: file.content})
    return Made({path: text.encode() for path, text in file.texts().items()})


@pytest.fixture
def span_task(db):
    demo.create_task(MAT)
    return Task.objects.get()


def test_a_planned_task_is_made_with_all_that_belongs_to_it(span_task):
    assert demo.board_path(MAT) == "/tasks/mat-demo/test/board/1/"
    assert [scenario.options["content_annotations"].count(",") for scenario in span_task.scenarios.all()] == [6, 4]
    assert [phase.golds.count() for phase in span_task.phases.all()] == [2, 2]
    assert Download.objects.filter(task=span_task).count() == 2
    assert set(Submission.objects.values_list("reference", flat=True)) == {"", "baseline", "human"}
    assert Membership.objects.filter(team__name=demo.PARTICIPANTS_TEAM, user__email=demo.PARTICIPANT).exists()


def test_both_phases_are_open_on_the_day_that_the_demo_is_made(span_task):
    assert [phase.state for phase in Phase.objects.filter(task=span_task)] == ["open", "open"]


def test_a_second_call_finds_what_the_first_one_made(span_task):
    before = [model.objects.count() for model in (Task, Submission, User, Team, Download)]
    demo.create_task(MAT)
    assert [model.objects.count() for model in (Task, Submission, User, Team, Download)] == before


@pytest.mark.thorough
def test_a_task_that_came_later_is_added_with_the_same_people(span_task):
    organiser = User.objects.get(email=demo.ORGANISER)
    demo.create_task(read_task("qac"))
    assert list(organiser.organised_tasks.order_by("slug").values_list("slug", flat=True)) == ["mat-demo", "qac-demo"]
    assert Team.objects.filter(name="Faro NLP").count() == 1
