"""Formulas that organisers type: their problems, what they give for the teams of now, and renamed scenarios in them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

import scoring as engine
from evalsite.accounts.models import User
from evalsite.challenges.models import Phase, Scenario, record
from evalsite.leaderboard.combined.parts import Side, scenarios_of, scores_of, sides_of
from evalsite.leaderboard.models import Combined
from evalsite.translating.engine import from_engine
from scoring import ConfigurationError
from scoring.combining.formula import bound, components
from scoring.combining.tokens import renamed, written
from scoring.combining.values import value_of

SHOWN = 5  # teams in a preview


@dataclass(frozen=True)
class Names:
    """The names of a scenario and its scores as a formula writes them."""

    scenario: str  # as a formula writes it
    scores: list[str]


def names_of(phase: Phase) -> list[Names]:
    scores = scores_of(scenarios_of(phase))
    return [Names(written(name), [written(score) for score in names]) for name, names in scores.items()]


def problem_of(phase: Phase, formula: str) -> str:
    """Say why the formula cannot be used in the phase; "" if it can."""
    scenarios = scenarios_of(phase)
    names = [scenario.name for scenario in scenarios]
    if len(set(names)) < len(names):
        return _("Two scenarios have the same name: give them different names so that a formula can tell them apart.")
    if any('"' in name for name in names):
        return _('The name of a scenario has a double quote ("), which a formula cannot contain.')
    try:
        bound(formula, scores_of(scenarios))
    except engine.ConfigurationError as error:
        return from_engine(error)
    return ""


def values_now(phase: Phase, formula: str) -> list[tuple[Side, float | None]]:
    """Compute a readable formula on the scores of some sides that have all that it names."""
    node = bound(formula, scores_of(scenarios_of(phase)))
    chosen = components(node)
    read = []
    for side in sides_of(phase):
        values = {part: side.score_of(part.scenario, part.score) for part in chosen}
        if None not in values.values():
            value = float(value_of(node, values))  # type: ignore[arg-type]
            read.append((side, None if value != value else value))
    return read[:SHOWN]


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
