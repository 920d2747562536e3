"""Draws of several scenarios: which of them share resamples, the seed of each, and the scores on the resamples."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

import numpy as np

from scoring.columns import Floats
from scoring.combining.formula import Component
from scoring.comparing.redrawing import redrawn
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.messages import Message
from scoring.significance import seed_of


def seeds_of(parts: Mapping[str, Evaluation], seed: int | None) -> dict[str, int]:
    """Return the seed that each scenario's resamples follow from.

    Scenarios on the same units share a *block*, and with it the resamples, so that their scores keep their
    correlation; blocks are independent of each other. Unrelated units that bear the same names by chance share
    resamples too, which is harmless: the covariance of unrelated items is zero on average.
    """
    blocks = _blocks(parts)
    digests = [digest_of({parts[scenario].gold_digest for scenario in block}) for block in blocks]
    seeds = [_seed(digest, seed, n_blocks=len(blocks)) for digest in digests]
    return {scenario: seed_of_block for block, seed_of_block in zip(blocks, seeds, strict=True) for scenario in block}


def digest_of(golds: Iterable[str]) -> str:
    """Return one digest for golds on the same units: theirs if they are the same gold, else one of all of them, sorted.

    >>> digest_of(["b" * 64, "a" * 64])[:13], digest_of(["c" * 64, "c" * 64])[:13]
    ('5e9ae866add9a', 'ccccccccccccc')
    """
    distinct = sorted(set(golds))
    return distinct[0] if len(distinct) == 1 else sha256("\n".join(distinct).encode()).hexdigest()


def _blocks(parts: Mapping[str, Evaluation]) -> list[list[str]]:
    """Return names of the scenarios that have the same units, in the order of first sight."""
    blocks: list[list[str]] = []
    for scenario, part in parts.items():
        same = next((block for block in blocks if parts[block[0]].units == part.units), None)
        if same is None:
            blocks.append([scenario])
        else:
            same.append(scenario)
    return blocks


def _seed(digest: str, seed: int | None, *, n_blocks: int) -> int:
    """Return the seed of a block, from the golds alone or from the caller's number; each block has its own."""
    if seed is None:
        return seed_of(digest)
    # One seed for all would draw the same places of unrelated golds together.
    return seed if n_blocks == 1 else seed_of(sha256(f"{seed}|{digest}".encode()).hexdigest())


def score_of(part: Evaluation, score: str) -> float:
    """Return the score, NaN where it does not apply."""
    value = part.scores[score]
    return np.nan if value is None else value


def draws_of_components(
    chosen: Iterable[Component], parts: Mapping[str, Evaluation], seeds: Mapping[str, int], n_resamples: int
) -> dict[Component, Floats]:
    """Return each component on each resample, (n_resamples,); all scores of a scenario are drawn together."""
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
    """Return scores of one evaluation on each resample: stored ones where seed and number fit, else from the rows.

    The first resamples of a longer series are those of a shorter one with the same seed. ConfigurationError for a
    score that is no function of summed rows, such as an area under a curve, and was not kept.
    """
    stored = _stored(part, seed, n_resamples)
    draws = {score: stored[score][:n_resamples] for score in scores if score in stored}
    missing = [score for score in scores if score not in draws]
    drawn = redrawn(part, seed, n_resamples) if missing else {}
    for score in missing:
        if score not in drawn:
            raise ConfigurationError(
                Message(
                    "evaluate-with",
                    "evaluate {scenario} with seed={seed} and keep={score}",
                    scenario=scenario,
                    seed=seed,
                    score=score,
                )
            )
        draws[score] = drawn[score][0]
    return draws


def _stored(part: Evaluation, seed: int, n_resamples: int) -> dict[str, Floats]:
    """Return the draws that the evaluation keeps of this seed, if there are enough."""
    of_headline = {part.headline: part.draws} if part.draws is not None and part.seed == seed else {}
    kept = part.kept_draws if seed == (part.seed if part.kept_seed is None else part.kept_seed) else {}
    return {score: drawn for score, drawn in (of_headline | kept).items() if len(drawn) >= n_resamples}
