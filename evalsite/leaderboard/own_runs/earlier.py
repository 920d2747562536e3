"""The runs of a team before one of its runs, and the step from the best of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from evalsite.challenges.precision import Precision
from evalsite.leaderboard.draws import Draws, draws_of, tested
from evalsite.submissions.models import Result
from scoring.comparing.two_runs import PairTest
from scoring.significance.limits import FEWEST_UNITS, TIE

MOST = 200  # of a team's earlier runs, the latest
LARGE = ("counts", "distribution", "warnings", "scores")


class Verdict(StrEnum):
    """What the test of two runs says of the difference between them."""

    BETTER = "better"
    WORSE = "worse"
    CHANCE = "chance"
    SAME = "same"
    UNTESTED = "untested"


@dataclass(frozen=True)
class Difference:
    """Of a run to another one, as exactly as the visitor may read it."""

    value: float
    interval: tuple[float, float] | None
    verdict: Verdict


def earlier_runs(result: Result) -> list[Result]:
    """Of the same team and kind, scored on the same gold, uploaded before and standing; the latest first.

    They know their headline and their submission; anything else of one is read when it is asked for.
    """
    return _once(_earlier(result))


def last_before(result: Result) -> Result | None:
    """The latest of them, without reading the others."""
    return _earlier(result).first()


def _earlier(result: Result) -> QuerySet[Result]:
    """Each result of each of the runs."""
    own = result.scoring.submission
    return (
        Result.objects.counting()
        .filter(
            scoring__gold=result.scoring.gold_id,
            scoring__submission__team=own.team_id,
            scoring__submission__reference=own.reference,
            scoring__submission__withdrawn=None,
            scoring__submission__created__lt=own.created,
            headline__isnull=False,
        )
        .select_related("scoring__submission")
        .order_by("-scoring__submission__created", "-scoring__created")
        .only("headline", "scoring__submission__created")
    )


def _once(found: QuerySet[Result]) -> list[Result]:
    """The newest engine's result of each run."""
    runs: dict[object, Result] = {}
    for result in found[: 2 * MOST]:
        runs.setdefault(result.scoring.submission_id, result)
    return list(runs.values())[:MOST]


def best_of(runs: Sequence[Result], *, lower_is_better: bool) -> Result | None:
    """Of equal ones the earliest, which is the one that stands on the board."""
    best = min if lower_is_better else max
    return best(reversed(runs), key=lambda run: run.headline or 0.0, default=None)


def difference(one: Result, other: Result, precision: Precision, draws: Draws = None) -> Difference | None:
    """From the stored results; None where one has no score. `draws` are the first one's, if they have been read."""
    if one.headline is None or other.headline is None:
        return None
    value = 0.0 if abs(one.headline - other.headline) <= TIE else one.headline - other.headline
    found = tested(one, other, (draws if draws is not None else draws_of(one), draws_of(other)))
    interval = found.interval if found and found.interval[1] - found.interval[0] > TIE else None
    return Difference(
        value=precision.of(value, precision.headline),
        interval=precision.of(interval, precision.headline),
        verdict=_verdict(-value if one.scoring.scenario.lower_is_better else value, found, one),
    )


def _verdict(gain: float, found: PairTest | None, one: Result) -> Verdict:
    """As the page that compares two runs says it."""
    if not gain:
        return Verdict.SAME
    if found is None or one.n_units < FEWEST_UNITS:
        return Verdict.UNTESTED
    if found.p >= 1 - one.confidence_level:
        return Verdict.CHANCE
    return Verdict.BETTER if gain > 0 else Verdict.WORSE
