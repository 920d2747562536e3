"""Formulas follow the names of the scenarios that they are made of."""

from evalsite.accounts.models import User
from evalsite.challenges.models import Scenario, record
from evalsite.leaderboard.models import Combined
from scoring import ConfigurationError
from scoring.combining.tokens import renamed


def follow_name(scenario: Scenario, before: str, *, by: User) -> None:
    """Write the scenario's new name into the formulas of its task's phases; a name that none can have stays out."""
    if scenario.name == before or '"' in scenario.name:
        return
    for combined in Combined.objects.filter(phase__task=scenario.task_id, kind=Combined.Kind.FORMULA):
        try:
            formula = renamed(combined.formula, before, scenario.name)
        except ConfigurationError:  # it is longer than formulas are read; its board says what is wrong
            continue
        if formula != combined.formula:
            changes = {"formula": (combined.formula, formula)}
            Combined.objects.filter(pk=combined.pk).update(formula=formula)
            record(
                scenario.task,
                "combined score changed",
                actor=by,
                subject=combined.phase_id,
                changes=changes,
                name=combined.phase.name,
            )
