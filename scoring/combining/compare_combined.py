"""compare_combined(): which teams differ in a formula over several scenarios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Floats
from scoring.combining.combine import MISSING
from scoring.combining.draws import draws_of_components, score_of, seeds_of
from scoring.combining.formula import Component, Node, bound, components
from scoring.combining.scenarios import (
    Systems,
    all_are_lower,
    check_same_gold,
    common_scale,
    facts_of,
    firsts,
)
from scoring.combining.tokens import squeezed
from scoring.combining.values import value_of
from scoring.comparing.compare import compare_draws
from scoring.comparing.comparison import Comparison
from scoring.comparing.sentence import sentence_over
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.messages import Message
from scoring.signature import joined
from scoring.significance.limits import FEWEST_UNITS, check_resampling


def compare_combined(
    formula: str,
    systems: Systems,
    *,
    missing: str = "unranked",
    n_resamples: int = 10_000,
    seed: int | None = None,
    confidence_level: float = 0.95,
    references: Sequence[str] = (),
    lower_is_better: bool = False,
) -> Comparison:
    """Say which teams differ in a formula over several scenarios, all pairs tested together on joint resamples.

    * `systems`: {team: {scenario: evaluation, or None}}. A team's evaluations are asked for once and not kept, so that
      a mapping may load them when they are looked up.
    * `missing`: a team that lacks a scenario is "unranked", or all its scores there are "zero". A score that there is
      and does not apply leaves a team unranked either way.
    * `lower_is_better`: of the whole formula.

    The others are those of `compare`. Raises ConfigurationError.
    """
    check_resampling(n_resamples, confidence_level, seed, fewest=1)
    _check(systems, missing, lower_is_better)
    first = firsts(systems)
    node = bound(formula, {scenario: list(part.scores) if part else [] for scenario, part in first.items()})
    chosen = components(node)
    named = {component.scenario for component in chosen}
    present = {scenario: part for scenario, part in first.items() if part and scenario in named}
    sharing = _Sharing(node, chosen, present, seeds_of(present, seed), missing == "zero", n_resamples)
    scores: list[float | None] = []
    draws = np.full((len(systems), n_resamples), np.nan)
    for row, (team, parts) in enumerate(systems.items()):
        score, drawn = sharing.of(team, parts)
        scores.append(None if np.isnan(score) else score)
        draws[row] = drawn
    n_units = min((len(part.units) for part in present.values()), default=0)
    comparison = compare_draws(
        list(systems),
        scores,
        draws,
        n_units,
        confidence_level=confidence_level,
        references=references,
        fields=facts_of({"family": "combined", "formula": squeezed(formula)}, present),
        lower_is_better=lower_is_better,
        scale=common_scale(chosen, present),
    )
    return _worded(comparison, sharing, n_units, lower_is_better)


@dataclass(frozen=True)
class _Sharing:
    """The facts that all teams have in common."""

    node: Node
    chosen: list[Component]
    known: dict[str, Evaluation]  # an evaluation of each scenario that the formula names and somebody has
    seeds: dict[str, int]
    zero_is_missing: bool
    n_resamples: int

    def of(self, team: str, parts: Mapping[str, Evaluation | None]) -> tuple[float, Floats]:
        """Return a team's score and its draws, (n_resamples,); NaN without a score."""
        present = {scenario: part for scenario in self._scenarios if (part := parts.get(scenario)) is not None}
        for scenario, part in present.items():
            check_same_gold(team, scenario, part, self.known[scenario])
        if len(present) < len(self._scenarios) and not self.zero_is_missing:
            return np.nan, np.full(self.n_resamples, np.nan)
        lacking: dict[Component, Floats | float] = {
            component: 0.0 for component in self.chosen if component.scenario not in present
        }
        having = [component for component in self.chosen if component.scenario in present]
        points = {component: score_of(present[component.scenario], component.score) for component in having}
        score = float(value_of(self.node, lacking | points))
        if np.isnan(score):
            return np.nan, np.full(self.n_resamples, np.nan)
        drawn = draws_of_components(having, present, self.seeds, self.n_resamples)
        return score, np.broadcast_to(value_of(self.node, lacking | drawn), self.n_resamples)

    @property
    def _scenarios(self) -> list[str]:
        return list(dict.fromkeys(component.scenario for component in self.chosen))


def _check(systems: Systems, missing: str, lower_is_better: bool) -> None:
    if missing not in MISSING:
        raise ConfigurationError(
            Message("not-a-missing", "missing must be one of {choices}", choices=", ".join(MISSING))
        )
    if missing == "zero" and lower_is_better:
        raise ConfigurationError(
            Message("zero-rewards-missing", "missing=zero would reward a missing run where less is better")
        )
    if not systems:
        raise ConfigurationError(Message("nothing-to-compare", "nothing to compare"))


def _worded(comparison: Comparison, sharing: _Sharing, n_units: int, lower_is_better: bool) -> Comparison:
    """Return the comparison with the words and the seeds of several scenarios."""
    warnings = list(comparison.warnings)
    if not lower_is_better and all_are_lower(sharing.chosen, sharing.known):
        warnings.append(
            Message("less-is-better", "less is better for all scores of the formula: say so of the formula")
        )
    n_ranked = len(comparison.separated)
    sentence = sentence_over(
        comparison.names[:n_ranked],
        comparison.separated,
        len({component.scenario for component in sharing.chosen}),
        n_units,
        are_too_few=n_units < FEWEST_UNITS,
    )
    seeds = joined({"seed": list(sharing.seeds.values())})
    return replace(comparison, sentence=sentence, warnings=warnings, signature=f"{comparison.signature}|{seeds}")
