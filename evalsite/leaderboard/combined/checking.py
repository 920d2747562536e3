"""A combined score that somebody types: whether it can be read, and what it gives for the teams of now."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

import scoring as engine
from evalsite.challenges.models import Phase
from evalsite.leaderboard.combined.parts import Side, scenarios_of, scores_of, sides_of
from evalsite.translating.engine import from_engine
from scoring.combining.formula import bound, components
from scoring.combining.tokens import written
from scoring.combining.values import value_of

SHOWN = 5  # teams in a preview


@dataclass(frozen=True)
class Names:
    """What a formula may name of a scenario."""

    scenario: str  # as a formula writes it
    scores: list[str]


def names_of(phase: Phase) -> list[Names]:
    """Of each scenario of the phase, as a formula writes them."""
    scores = scores_of(scenarios_of(phase))
    return [Names(written(name), [written(score) for score in own]) for name, own in scores.items()]


def problem_of(phase: Phase, formula: str) -> str:
    """Why the formula cannot be used in the phase, in words; "" if it can."""
    scenarios = scenarios_of(phase)
    names = [scenario.name for scenario in scenarios]
    if len(set(names)) < len(names):
        return _("Two scenarios have the same name: give them different ones, so that a formula can name them.")
    if any('"' in name for name in names):
        return _('The name of a scenario has a double quote ("), which no formula can write.')
    try:
        bound(formula, scores_of(scenarios))
    except engine.ConfigurationError as error:
        return from_engine(error)
    return ""


def values_now(phase: Phase, formula: str) -> list[tuple[Side, float | None]]:
    """The formula on the scores of some sides that have all that it names; it has to be readable."""
    node = bound(formula, scores_of(scenarios_of(phase)))
    chosen = components(node)
    found = []
    for side in sides_of(phase):
        values = {each: side.score_of(each.scenario, each.score) for each in chosen}
        if None not in values.values():
            value = float(value_of(node, values))  # type: ignore[arg-type]
            found.append((side, None if value != value else value))
    return found[:SHOWN]
