"""The runs of a team before one of its runs, and how far it is from another run."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from evalsite.challenges.precision import Precision
from evalsite.leaderboard.draws import Draws, draws_of, tested
from evalsite.submissions.models import Result
from scoring.comparing.two_runs import PairTest
from scoring.significance.limits import FEWEST_UNITS, TIE

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


def last_before(result: Result) -> Result | None:
    """The latest of the same team and kind, scored on the same gold, that was uploaded before and stands."""
    found = with_tables(_earlier_than(**_told(result))).first()
    if found:
        found.scoring.scenario = result.scoring.scenario
    return found


def _told(result: Result) -> dict[str, Any]:
    """By which the runs before are found."""
    own = result.scoring.submission
    return {"gold": result.scoring.gold_id, "team": own.team_id, "reference": own.reference, "before": own.created}


def _earlier_than(gold: UUID, team: UUID, reference: str, before: datetime) -> QuerySet[Result]:
    """Each result of each of the runs."""
    earlier = Result.objects.counting().filter(
        scoring__gold=gold,
        scoring__submission__team=team,
        scoring__submission__reference=reference,
        scoring__submission__withdrawn=None,
        scoring__submission__created__lt=before,
        headline__isnull=False,
    )
    return earlier.order_by("-scoring__submission__created", "-scoring__created")


def with_tables(results: QuerySet[Result]) -> QuerySet[Result]:
    """What two runs are compared by, label by label and unit by unit."""
    return results.select_related("scoring__submission", "stored_tables").defer(*LARGE)


def gap(one: Result, other: Result, precision: Precision) -> float | None:
    """The difference of what is told of both scores; None where one has none."""
    if one.headline is None or other.headline is None:
        return None
    value = precision.of(one.headline, precision.headline) - precision.of(other.headline, precision.headline)
    return 0.0 if abs(value) <= TIE else precision.difference(value)


def difference(one: Result, other: Result, precision: Precision, draws: Draws = None) -> Difference | None:
    """From the stored results; None where one has no score. `draws` are the first one's, if they have been read."""
    value = gap(one, other, precision)
    if value is None:
        return None
    found = tested(one, other, (draws if draws is not None else draws_of(one), draws_of(other)))
    interval = found.interval if found and found.interval[1] - found.interval[0] > TIE else None
    return Difference(
        value=value,
        interval=precision.difference(interval),
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
