"""Adds, changes and deletes scenarios, each with an entry in the audit trail."""

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.models import Changes, Scenario, Task, record
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.examples.replacing import delete_gold_of_draft
from evalsite.desk.sections import in_english
from evalsite.leaderboard.combined.formulas import follow_name


def found_in(task: Task, number: int, *, for_change: bool) -> Scenario | None:
    """Return the scenario of this number; `for_change` locks it until the transaction ends."""
    scenarios = Scenario.objects.select_for_update() if for_change else Scenario.objects
    scenario = scenarios.filter(task=task, number=number).first()
    if scenario:
        scenario.task = task
    return scenario


def add_scenario(scenario: Scenario, *, by: User) -> None:
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=scenario.task_id)  # concurrent ones get others
        taken = scenario.task.scenarios.values_list("number", flat=True)
        if scenario.number in taken:
            scenario.number = max(taken) + 1
        scenario.save(force_insert=True)
        record(scenario.task, "scenario added", actor=by, subject=scenario.pk, name=in_english(scenario))


def change_scenario(scenario: Scenario, changes: Changes, *, by: User) -> None:
    """Save what a form has changed; inside the transaction that has locked the scenario."""
    if changes:
        scenario.save()
        if "name" in changes:
            follow_name(scenario, changes["name"][0], by=by)
        name = in_english(scenario)
        record(scenario.task, "scenario changed", actor=by, subject=scenario.pk, changes=changes, name=name)


def is_in_use(scenario: Scenario) -> bool:
    """Return whether there is gold or a run."""
    return scenario.golds.exists() or scenario.scorings.exists()


def may_be_deleted(scenario: Scenario) -> bool:
    """Return whether it has neither gold nor runs, or the task is a draft that no team has uploaded to."""
    return not is_in_use(scenario) or (is_soft(scenario.task) and not scenario.golds.exclude(split=None).exists())


def delete_scenario(scenario: Scenario, *, by: User) -> None:
    """Delete a scenario; in a draft with its gold, and with the runs that were entered in no other one."""
    with transaction.atomic():
        for gold in scenario.golds.select_related("phase__task", "scenario"):
            delete_gold_of_draft(gold, by=by)
        record(scenario.task, "scenario deleted", actor=by, name=in_english(scenario))
        scenario.delete()
