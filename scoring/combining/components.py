"""Scores of scenarios and their draws, from what an evaluation has stored."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from scoring.columns import Floats
from scoring.combining.formula import Component
from scoring.comparing.redrawing import redrawn
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation


def score_of(part: Evaluation, score: str) -> float:
    """NaN where the score does not apply."""
    value = part.scores[score]
    return np.nan if value is None else value


def draws_of_components(
    chosen: Iterable[Component], parts: Mapping[str, Evaluation], seeds: Mapping[str, int], n_resamples: int
) -> dict[Component, Floats]:
    """Each component on each resample, (n_resamples,); rows of a scenario are drawn from once for all its scores."""
    by_scenario: dict[str, list[str]] = {}
    for component in chosen:
        by_scenario.setdefault(component.scenario, []).append(component.score)
    return {
        Component(scenario, score): drawn
        for scenario, scores in by_scenario.items()
        for score, drawn in draws_of_scores(scenario, parts[scenario], scores, seeds[scenario], n_resamples).items()
    }


def draws_of_scores(
    scenario: str, part: Evaluation, scores: Collection[str], seed: int, n_resamples: int
) -> dict[str, Floats]:
    """Scores of one evaluation on each resample: stored ones where seed and number fit, else from the rows.

    The first resamples of a longer series are those of a shorter one with the same seed. ConfigurationError for a
    score that is no function of summed rows, such as an area under a curve, and was not kept.
    """
    stored = _stored(part, seed, n_resamples)
    found = {score: stored[score][:n_resamples] for score in scores if score in stored}
    missing = [score for score in scores if score not in found]
    drawn = redrawn(part, seed, n_resamples) if missing else {}
    for score in missing:
        if score not in drawn:
            raise ConfigurationError(f"evaluate {scenario} with seed={seed} and keep={score}")
        found[score] = drawn[score][0]
    return found


def _stored(part: Evaluation, seed: int, n_resamples: int) -> dict[str, Floats]:
    """The draws that the evaluation keeps of this seed, if there are enough."""
    own = {part.headline: part.draws} if part.draws is not None and part.seed == seed else {}
    kept = part.kept_draws if seed == (part.seed if part.kept_seed is None else part.kept_seed) else {}
    return {score: drawn for score, drawn in (own | kept).items() if len(drawn) >= n_resamples}
