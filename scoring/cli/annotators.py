"""What one annotator scores against the others, from a gold with the ratings of several: the command `annotators`."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from scoring.cli.on_family import Actions, add_draws, add_family_command, add_paths, options_of
from scoring.display.arguments import add_output
from scoring.display.terminal import write
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
        left_out = record.files.without_annotators(files, configured) if record.files.without_annotators else None
    if not left_out or not left_out.pairs:
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
            system=Made(annotator),
            options={**chosen, **left_out.options},
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed_of(files.digest(files.paths)) if seed is None else seed,
        )
        for of_others, annotator in left_out.pairs
    ]


def one_annotator(evaluations: Sequence[Evaluation]) -> OneAnnotator:
    """Return the mean of the score that ranks, and its interval where each evaluation has draws."""
    first = evaluations[0]
    values = [evaluation.scores[first.headline] for evaluation in evaluations]
    numbers = [value for value in values if value is not None]
    draws = [
        evaluation.draws
        for evaluation in evaluations
        if evaluation.draws is not None and not np.isnan(evaluation.draws).any()
    ]
    # An annotator whose score is the same on all resamples has draws, and no interval.
    has_interval = any(first.headline in evaluation.intervals for evaluation in evaluations)
    mean_of_draws = np.mean(draws, axis=0) if has_interval and len(draws) == len(values) == len(numbers) else None
    return OneAnnotator(
        score=first.headline,
        value=float(np.mean(numbers)) if len(numbers) == len(values) else None,
        interval=None if mean_of_draws is None else percentile_interval(mean_of_draws, first.confidence_level),
        n_annotators=len(values),
        n_units=len(first.units),
    )


def _text(annotator: OneAnnotator, evaluation: Evaluation) -> str:
    family = FAMILIES[evaluation.family]
    title, scale = family.titles(evaluation.options)[annotator.score], evaluation.scale(annotator.score)
    return (
        f"One annotator against the others: {title} {scale.text(annotator.value, annotator.interval)}\n"
        f"The mean of {annotator.n_annotators} annotators, each left out of the gold once, "
        f"on {annotator.n_units:,} {family.unit(evaluation.options)[annotator.n_units != 1]}.\n"
    )


def _csv(annotator: OneAnnotator, evaluation: Evaluation) -> str:
    """Return a row as a board takes it from elsewhere, where it stands outside the ranks."""
    return f"name,{annotator.score}\nOne annotator,{'' if annotator.value is None else repr(annotator.value)}\n"


ANNOTATOR_FORMATS: Mapping[str, Callable[[OneAnnotator, Evaluation], str]] = {
    "text": _text,
    "csv": _csv,
    "json": lambda row, evaluation: json.dumps(asdict(row)) + "\n",
}


def add_to(actions: Actions) -> None:
    """Add this command to the subparsers."""
    help_ = "say what one annotator scores against the others, where the gold has lists of ratings"
    parser = add_family_command(actions, "annotators", help_, _annotators)
    add_paths(parser, "--gold")
    add_draws(parser, default=10_000, of="for the interval; 0: none")
    add_output(parser, ANNOTATOR_FORMATS)


def _annotators(arguments: argparse.Namespace) -> None:
    """Write what one annotator scores, on the average of all."""
    evaluations = evaluations_of_annotators(
        arguments.family,
        arguments.gold,
        options_of(arguments),
        n_resamples=arguments.resamples,
        confidence_level=arguments.confidence,
        seed=arguments.seed,
    )
    text = ANNOTATOR_FORMATS[arguments.format](one_annotator(evaluations), evaluations[0])
    write(text, output=arguments.output)
