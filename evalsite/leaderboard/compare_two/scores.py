"""The scores of two stored results compared by the engine; no file of a submission is read."""

from dataclasses import replace

import scoring as engine
from evalsite.challenges.precision import Precision
from evalsite.challenges.storage.files import local_path
from evalsite.leaderboard.compare_two.pairs import Telling
from evalsite.submissions.models import Result

# Units drawn in one request: on a large gold all scores but the headline rest on fewer resamples.
MOST_DRAWS = 2**24


def compare_results(first: Result, second: Result) -> engine.ScoreComparison:
    """Raises OSError or scoring.ConfigurationError where a stored evaluation cannot be read."""
    return engine.compare_scores(_evaluation(first), _evaluation(second), most_draws=MOST_DRAWS)


def told(compared: engine.ScoreComparison, precision: Precision, telling: Telling) -> engine.ScoreComparison:
    """As much of it, and as exactly, as the visitor may read. What the test finds rests on the p-value as it is."""
    if telling is Telling.ALL:
        return compared
    headline = compared.headline
    differences = [
        _told(each, precision, telling is Telling.TEST and each is headline)
        for each in compared.differences
        if precision.shows(each.name)
    ]
    return replace(compared, differences=differences, are_identical=False, units=[], unit_scores=None)


def _told(difference: engine.ScoreDifference, precision: Precision, is_tested: bool) -> engine.ScoreDifference:
    """With the difference of what is told of both scores, and the test of it or none."""
    first, second = precision.of(difference.scores, difference.name)
    return replace(
        difference,
        scores=(first, second),
        intervals=tuple(precision.interval(ends, difference.name) for ends in difference.intervals),
        value=None if first is None or second is None else precision.difference(first - second),
        interval=precision.difference(difference.interval) if is_tested else None,
        p=difference.p if is_tested else None,
        n_resamples=0,
    )


def _evaluation(result: Result) -> engine.Evaluation:
    with local_path(result.evaluation) as path:
        return engine.Evaluation.load(path)
