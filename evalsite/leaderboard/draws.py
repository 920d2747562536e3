"""Two stored results tested against each other on the resamples that they share; no file of a submission is read."""

import numpy as np
import structlog
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.submissions.models import Result
from scoring.comparing.redrawing import stored_draws
from scoring.comparing.two_runs import PairTest, pair_test

log = structlog.get_logger()
Draws = NDArray[np.float64] | None


def draws_of(result: Result) -> Draws:
    """The score that ranks on each resample; None without any, or where they cannot be read."""
    try:
        with local_path(result.evaluation) as path:
            return stored_draws(path)
    except (engine.ConfigurationError, OSError):
        log.exception("draws cannot be read", result=str(result.pk))
        return None


def tested(one: Result, other: Result, draws: tuple[Draws, Draws]) -> PairTest | None:
    """The test of this pair alone, the first minus the second; None where the two share no resamples.

    However many resamples leave a score undefined: the difference itself is shown all the same.
    """
    first, second = draws
    if first is None or second is None or len(first) != len(second) or one.seed != other.seed:
        return None
    if one.headline is None or other.headline is None:
        return None
    return pair_test(
        (one.headline, other.headline),
        np.stack([first, second]),
        n_units=one.n_units,
        confidence_level=one.confidence_level,
        most_undefined=1,
    )
