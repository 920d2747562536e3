"""What one annotator scores against the others, from a gold with the ratings of several: the command `annotators`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from scoring.engine import evaluate, family_of
from scoring.errors import ConfigurationError, problems_of_gold
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.families.parts import gold_of_part, options_of_parts
from scoring.readers.archive import Made, Source, open_files
from scoring.significance import percentile_interval, seed_of


@dataclass(frozen=True)
class OneAnnotator:
    """Holds the score of one annotator by a gold of the others, as the mean over annotators."""

    score: str
    value: float | None  # None where it does not apply to one of them
    interval: tuple[float, float] | None  # of the means on the resamples
    n_annotators: int  # that were left out, one after the other
    n_units: int  # with the ratings of two annotators at least


def evaluations_of_annotators(
    family: str,
    gold: Source,
    options: Mapping[str, object],
    *,
    n_resamples: int,
    confidence_level: float = 0.95,
    seed: int | None = None,
) -> list[Evaluation]:
    """Return an evaluation for each annotator, all of the same units and draws.

    Raises ConfigurationError where the gold has no ratings of several annotators.
    """
    record = family_of(family, options)
    configured = record.configure(options)
    with problems_of_gold():
        files = gold_of_part(record, open_files(gold), configured)
        found = record.files.without_annotators(files, configured) if record.files.without_annotators else None
    if not found or not found.pairs:
        raise ConfigurationError(
            "no ratings: a label or number of the gold has to be a list with the rating of each annotator"
        )
    # What is made of one part of a gold is whole.
    of_parts = {option.key for option in options_of_parts(FAMILIES[family])}
    chosen = {key: value for key, value in options.items() if key not in of_parts}
    return [
        evaluate(
            family,
            gold=Made(of_others),
            system=Made(own),
            options={**chosen, **found.options},
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed_of(files.digest(files.paths)) if seed is None else seed,
        )
        for of_others, own in found.pairs
    ]


def one_annotator(evaluations: Sequence[Evaluation]) -> OneAnnotator:
    """Return the mean of the score that ranks, and its interval where each evaluation has draws."""
    first = evaluations[0]
    values = [own.scores[first.headline] for own in evaluations]
    known = [value for value in values if value is not None]
    draws = [own.draws for own in evaluations if own.draws is not None and not np.isnan(own.draws).any()]
    # An annotator whose score is the same on all resamples has draws, and no interval.
    has_interval = any(first.headline in own.intervals for own in evaluations)
    mean_of_draws = np.mean(draws, axis=0) if has_interval and len(draws) == len(values) == len(known) else None
    return OneAnnotator(
        score=first.headline,
        value=float(np.mean(known)) if len(known) == len(values) else None,
        interval=None if mean_of_draws is None else percentile_interval(mean_of_draws, first.confidence_level),
        n_annotators=len(values),
        n_units=len(first.units),
    )


def _text(found: OneAnnotator, evaluation: Evaluation) -> str:
    family = FAMILIES[evaluation.family]
    title, scale = family.titles(evaluation.options)[found.score], evaluation.scale(found.score)
    return (
        f"One annotator against the others: {title} {scale.text(found.value, found.interval)}\n"
        f"The mean of {found.n_annotators} annotators, each left out of the gold once, "
        f"on {found.n_units:,} {family.unit(evaluation.options)[found.n_units != 1]}.\n"
    )


def _csv(found: OneAnnotator, evaluation: Evaluation) -> str:
    """Return a row as a board takes it from elsewhere, where it stands outside the ranks."""
    return f"name,{found.score}\nOne annotator,{'' if found.value is None else repr(found.value)}\n"


ANNOTATOR_FORMATS: Mapping[str, Callable[[OneAnnotator, Evaluation], str]] = {
    "text": _text,
    "csv": _csv,
    "json": lambda found, evaluation: json.dumps(asdict(found)) + "\n",
}
