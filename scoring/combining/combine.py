"""combine(): a formula over the scores of one team, with its interval."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from scoring.columns import Floats
from scoring.combining.draws import draws_of_components, score_of, seeds_of
from scoring.combining.formula import bound, components
from scoring.combining.scenarios import all_are_lower, common_scale, facts_of
from scoring.combining.tokens import squeezed
from scoring.combining.values import value_of
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation, Interval, plain
from scoring.messages import Message
from scoring.scale import Scale
from scoring.signature import joined
from scoring.significance import percentile_interval
from scoring.significance.limits import (
    ENDS_AGREE,
    RESAMPLES_AGREE,
    TIE,
    UNDEFINED_SHARE,
    check_resampling,
    undefined_in,
)

_FEW_UNITS = 50  # below, percentiles are too narrow; there is no jackknife over several scenarios to mend them


MISSING = ("unranked", "zero")  # what becomes of a team without an evaluation of a scenario that the formula names


@dataclass(frozen=True, eq=False)
class Combination:
    """A formula's value for one team, and what it is made of."""

    score: float | None  # None where it is undefined, or a component is
    interval: Interval | None  # percentiles of `draws`
    draws: Floats | None  # (n_resamples,): NaN where undefined; None without resamples
    formula: str  # as it was given, but for blanks
    components: dict[str, float | None]  # {"scenario.score": value}, in the order of the formula
    n_units: int  # of the smallest scenario that the formula names
    seeds: dict[str, int]  # {scenario: what its resamples follow from}
    signature: str  # one line that tells how to get the same number again
    warnings: list[str]  # such as few units
    lower_is_better: bool  # of the whole formula
    scale: Scale  # how the score is said
    scales: dict[str, Scale]  # {"scenario.score": how it is said}
    n_resamples: int
    confidence_level: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON; without `draws` and scales."""
        left_out = ("draws", "scale", "scales")
        values: dict[str, Any] = plain(
            {field.name: getattr(self, field.name) for field in fields(self) if field.name not in left_out}
        )
        return values


def combine(
    formula: str,
    parts: Mapping[str, Evaluation],
    *,
    n_resamples: int = 10_000,
    seed: int | None = None,
    confidence_level: float = 0.95,
    lower_is_better: bool = False,
) -> Combination:
    """Return the value of a formula over one team's scores, such as `mean(*.macro_f1)` or `0.7 * a.f1 + 0.3 * b.f1`.

    * `parts`: the team's evaluation in each scenario.
    * `n_resamples`: for the interval; 0 for none. Stored draws are used where seed and number fit, else scores are
      drawn again from the rows.
    * `seed`: of the draws. Without one they follow from the golds.
    * `lower_is_better`: of the whole formula, which only its author can tell.

    Raises ConfigurationError, for a formula with the column of what is wrong.
    """
    check_resampling(n_resamples, confidence_level, seed)
    if not parts:
        raise ConfigurationError(Message("nothing-to-combine", "nothing to combine"))
    node = bound(formula, {scenario: list(part.scores) for scenario, part in parts.items()})
    chosen = components(node)
    used = {scenario: parts[scenario] for scenario in dict.fromkeys(component.scenario for component in chosen)}
    values = {component: score_of(parts[component.scenario], component.score) for component in chosen}
    score = float(value_of(node, values))
    in_order = {scenario: part for scenario, part in parts.items() if scenario in used}
    seeds = seeds_of(in_order, seed)
    draws: Floats | None = None
    interval: Interval | None = None
    warnings: list[str] = []
    n_units = min(len(part.units) for part in in_order.values())
    if n_resamples:
        drawn = value_of(node, draws_of_components(chosen, parts, seeds, n_resamples))
        draws = np.broadcast_to(drawn, n_resamples)
        interval, warnings = interval_of(score, draws, n_units, confidence_level)
    if not lower_is_better and all_are_lower(chosen, parts):
        warnings.append(
            Message("less-is-better", "less is better for all scores of the formula: say so of the formula")
        )
    fields = facts_of({"family": "combined", "formula": squeezed(formula)}, in_order)
    fields["resamples"] = n_resamples
    if n_resamples:
        method = "percentile" if interval else "none"
        drawn_with = list(seeds.values())
        fields |= {"confidence": confidence_level, "interval": method, "seed": drawn_with}
    return Combination(
        score=None if np.isnan(score) else score,
        interval=interval,
        draws=draws,
        formula=squeezed(formula),
        components={str(component): _or_none(value) for component, value in values.items()},
        n_units=n_units,
        seeds=seeds,
        signature=joined(fields),
        warnings=warnings,
        lower_is_better=lower_is_better,
        scale=common_scale(chosen, parts),
        scales={str(component): parts[component.scenario].scale(component.score) for component in chosen},
        n_resamples=n_resamples,
        confidence_level=float(confidence_level),
    )


_ONE_UNIT = Message("scenario-has-one-unit", "a scenario has one unit")
_NO_UNIT = Message("scenario-has-no-unit", "a scenario has no unit")


def _no_interval(reason: Message) -> Message:
    return Message("no-interval", "no interval: {reason}", reason=reason)


def interval_of(
    score: float, draws: Floats, n_units: int, confidence_level: float
) -> tuple[Interval | None, list[str]]:
    """Return the percentiles of the draws (B,), and warnings; None where they would mean nothing.

    `n_units` are those of the smallest scenario.
    """
    if np.isnan(score):
        return None, []
    if n_units < 2:
        return None, [_no_interval(_ONE_UNIT if n_units else _NO_UNIT)]
    defined = draws[~np.isnan(draws)]
    n_undefined = len(draws) - len(defined)
    warnings: list[str] = [undefined_in(n_undefined, len(draws))] if n_undefined else []
    if n_undefined > UNDEFINED_SHARE * len(draws):
        return None, warnings
    if np.ptp(defined) <= TIE:
        return None, [*warnings, _no_interval(RESAMPLES_AGREE)]
    low, high = percentile_interval(defined, confidence_level)
    if high - low <= TIE:  # a width of zero would promise what a few odd resamples deny
        return None, [*warnings, _no_interval(ENDS_AGREE)]
    if n_units < _FEW_UNITS:
        warnings.append(
            Message(
                "smallest-scenario-rough",
                "the smallest scenario has {n} units, fewer than {fewest}: the interval is rough",
                n=n_units,
                fewest=_FEW_UNITS,
            )
        )
    return (low, high), warnings


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
