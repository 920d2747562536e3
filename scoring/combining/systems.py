"""The evaluations of several teams in several scenarios, and whether they can be compared."""

from collections.abc import Mapping

from scoring.comparing.compare import setting
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation

Systems = Mapping[str, Mapping[str, Evaluation | None]]  # {team: {scenario: evaluation, or None}}


def firsts(systems: Systems) -> dict[str, Evaluation | None]:
    """Each scenario, in the order of first sight, with the first evaluation of it; None where nobody has one."""
    found: dict[str, Evaluation | None] = {}
    for parts in systems.values():
        for scenario in parts:
            if found.get(scenario) is None:
                found[scenario] = parts[scenario]
    return found


def check_same_gold(team: str, scenario: str, part: Evaluation, first: Evaluation) -> None:
    """ConfigurationError unless both were scored on the same gold with the same options."""
    if part is first:
        return
    if (part.gold_digest, len(part.units)) != (first.gold_digest, len(first.units)):
        raise ConfigurationError(f"{team} was not scored against the same gold in {scenario}")
    if setting(part) != setting(first):
        raise ConfigurationError(f"{team} was not scored with the same options in {scenario}")
