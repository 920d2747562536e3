"""The plans of all demo tasks, and the database that is made of them."""

import hashlib
import subprocess
import sys

import pytest

import scoring
from demo import task as demo
from demo.mat.task import TASK as MAT
from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.models import Download, Scenario, Task
from evalsite.submissions.models import Submission


def test_each_family_with_a_demo_has_a_task_of_its_own():
    slugs = [plan.slug for plan in demo.TASKS]
    assert slugs[0] == "ehealthkd-demo"
    assert len(slugs) == len(set(slugs)) == len(demo.TASKS)


@pytest.mark.parametrize("plan", demo.TASKS, ids=lambda plan: plan.slug)
def test_a_plan_says_that_its_data_are_synthetic(plan):
    assert "synthetic data" in plan.description
    assert "Synthetic" in plan.summary
    for phase in plan.phases:
        assert all("Synthetic" in download.description for download in plan.downloads(phase.slug))


@pytest.mark.parametrize("plan", demo.TASKS, ids=lambda plan: plan.slug)
def test_shown_scores_are_scores_of_the_family(plan):
    for scenario in plan.scenarios:
        Scenario(family=scenario.family, options=scenario.options, shown_scores=list(scenario.shown_scores)).clean()
        assert scenario.family in scoring.FAMILIES


@pytest.mark.parametrize("plan", demo.TASKS[1:], ids=lambda plan: plan.slug)
def test_the_data_are_the_same_in_another_process(plan):
    name = plan.slug.removesuffix("-demo")
    program = (
        f"import hashlib; from demo.{name}.task import TASK;"
        "print(hashlib.sha256(repr((TASK.gold('test', 1), TASK.runs('test'))).encode()).hexdigest())"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    here = repr((plan.gold("test", 1), plan.runs("test")))
    assert printed.strip() == hashlib.sha256(here.encode()).hexdigest()


@pytest.fixture
def span_task(monkeypatch, db):
    monkeypatch.setattr(demo, "TASKS", (MAT,))
    demo.create_demo()
    return Task.objects.get()


def test_a_planned_task_is_made_with_all_that_belongs_to_it(span_task):
    assert demo.board_path(MAT) == "/tasks/mat-demo/test/board/1/"
    assert [scenario.options["content_annotations"].count(",") for scenario in span_task.scenarios.all()] == [6, 4]
    assert [phase.golds.count() for phase in span_task.phases.all()] == [2, 2]
    assert Download.objects.filter(task=span_task).count() == 2
    assert set(Submission.objects.values_list("reference", flat=True)) == {"", "baseline", "human"}
    assert Membership.objects.filter(team__name=demo.PARTICIPANTS_TEAM, user__email=demo.PARTICIPANT).exists()


def test_a_second_call_finds_what_the_first_one_made(span_task):
    before = [model.objects.count() for model in (Task, Submission, User, Team, Download)]
    demo.create_demo()
    assert [model.objects.count() for model in (Task, Submission, User, Team, Download)] == before


def test_a_task_that_came_later_is_added_with_the_same_people(span_task, monkeypatch):
    organiser = User.objects.get(email=demo.ORGANISER)
    monkeypatch.setattr(demo, "TASKS", (MAT, demo.QAC))
    demo.create_demo()
    assert list(organiser.organised_tasks.order_by("slug").values_list("slug", flat=True)) == ["mat-demo", "qac-demo"]
    assert Team.objects.filter(name="Faro NLP").count() == 1
