"""The scores of two stored results compared by the engine; no file of a submission is read."""

from dataclasses import replace

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.precision import Precision
from evalsite.submissions.models import Result

# Units drawn in one request: on a large gold all scores but the headline rest on fewer resamples.
MOST_DRAWS = 2**24


def compare_results(first: Result, second: Result) -> engine.ScoreComparison:
    """Raises OSError or scoring.ConfigurationError where a stored evaluation cannot be read."""
    return engine.compare_scores(_evaluation(first), _evaluation(second), most_draws=MOST_DRAWS)


def told(compared: engine.ScoreComparison, precision: Precision) -> engine.ScoreComparison:
    """The scores that are told, as exactly as the visitor may read them.

    What the tests find rests on the p-values as they are.
    """
    numbers = ("scores", "value", "interval")
    return replace(
        compared,
        differences=[
            replace(
                each,
                **{name: precision.of(getattr(each, name), each.name) for name in numbers},
                intervals=tuple(precision.interval(ends, each.name) for ends in each.intervals),
            )
            for each in compared.differences
            if precision.shows(each.name)
        ],
    )


def _evaluation(result: Result) -> engine.Evaluation:
    with local_path(result.evaluation) as path:
        return engine.Evaluation.load(path)
