"""What the desk does to scenarios: adding, changing, deleting, each with its line in the log."""

from django.db import transaction
from django.utils.translation import override

from evalsite.accounts.models import User
from evalsite.challenges.models import Changes, Scenario, Task, record
from evalsite.leaderboard.combined.formulas import follow_name


def found_in(task: Task, number: int, *, for_change: bool) -> Scenario | None:
    """The scenario of this number; one that is to be changed nobody else can save before the transaction ends."""
    scenarios = Scenario.objects.select_for_update() if for_change else Scenario.objects
    scenario = scenarios.filter(task=task, number=number).first()
    if scenario:
        scenario.task = task
    return scenario


def add_scenario(scenario: Scenario, *, by: User) -> None:
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=scenario.task_id)  # of two at once each has its number
        taken = scenario.task.scenarios.values_list("number", flat=True)
        if scenario.number in taken:
            scenario.number = max(taken) + 1
        scenario.save(force_insert=True)
        record(scenario.task, "scenario added", actor=by, subject=scenario.pk, name=_in_english(scenario))


def change_scenario(scenario: Scenario, changes: Changes, *, by: User) -> None:
    """Save what a form has changed; inside the transaction that has locked the scenario."""
    if changes:
        scenario.save()
        if "name" in changes:
            follow_name(scenario, changes["name"][0], by=by)
        name = _in_english(scenario)
        record(scenario.task, "scenario changed", actor=by, subject=scenario.pk, changes=changes, name=name)


def is_in_use(scenario: Scenario) -> bool:
    """Whether there is gold or a run: then it stays."""
    return scenario.golds.exists() or scenario.scorings.exists()


def delete_scenario(scenario: Scenario, *, by: User) -> None:
    with transaction.atomic():
        record(scenario.task, "scenario deleted", actor=by, name=_in_english(scenario))
        scenario.delete()


def _in_english(scenario: Scenario) -> str:
    """As the log keeps it, whoever reads it later."""
    with override("en"):
        return str(scenario)
