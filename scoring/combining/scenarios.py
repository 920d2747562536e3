"""The evaluations of several teams in several scenarios: whether they can be compared, and what is said of them all."""

from collections.abc import Collection, Mapping

from scoring.combining.formula import Component
from scoring.comparing.comparison import setting
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.messages import Message
from scoring.scale import Scale
from scoring.signature import __version__

Systems = Mapping[str, Mapping[str, Evaluation | None]]  # {team: {scenario: evaluation, or None}}


def firsts(systems: Systems) -> dict[str, Evaluation | None]:
    """Return each scenario, in the order of first sight, with the first evaluation of it; None where nobody has one."""
    first: dict[str, Evaluation | None] = {}
    for parts in systems.values():
        for scenario in parts:
            if first.get(scenario) is None:
                first[scenario] = parts[scenario]
    return first


def check_same_gold(team: str, scenario: str, part: Evaluation, first: Evaluation) -> None:
    """Raise ConfigurationError unless both were scored on the same gold with the same options."""
    if part is first:
        return
    if (part.gold_digest, len(part.units)) != (first.gold_digest, len(first.units)):
        raise ConfigurationError(
            Message(
                "other-gold-in",
                "{team} was not scored against the same gold in {scenario}",
                team=team,
                scenario=scenario,
            )
        )
    if setting(part) != setting(first):
        raise ConfigurationError(
            Message(
                "other-options-in",
                "{team} was not scored with the same options in {scenario}",
                team=team,
                scenario=scenario,
            )
        )


def facts_of(beginning: Mapping[str, object], parts: Mapping[str, Evaluation]) -> dict[str, object]:
    """Return the fields of a signature that say what was combined; `parts` is an evaluation of each scenario."""
    return {
        **beginning,
        "scenarios": list(parts),
        "units": [len(part.units) for part in parts.values()],
        "gold": [part.gold_digest[:12] for part in parts.values()],
        "engine": __version__,
    }


def all_are_lower(chosen: Collection[Component], parts: Mapping[str, Evaluation]) -> bool:
    """Return whether less is better for each of these scores."""
    return bool(chosen) and all(
        component.scenario in parts and component.score in parts[component.scenario].lower_is_better
        for component in chosen
    )


def common_scale(chosen: Collection[Component], parts: Mapping[str, Evaluation]) -> Scale:
    """Return the scale of a formula's values: that of its scores if all have one, else with the digits needed."""
    scales = {parts[component.scenario].scale(component.score) for component in chosen if component.scenario in parts}
    return scales.pop() if len(scales) == 1 else Scale(decimals=None)
