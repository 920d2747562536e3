"""Whether a run is better than the target of its phase, a run of the organisers, by more than chance.

The two are tested as a pair, on the same resamples, as where any two runs are compared.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.template import Context

from evalsite.challenges.precision import FULL, Precision
from evalsite.contrib.classes.models import Target
from evalsite.leaderboard.making.draws import Draws, draws_of
from evalsite.own_runs.changes import Verdict, difference, to_test
from evalsite.submissions.models import Result, Submission


@dataclass(frozen=True)
class Reached:
    """The outcome for one run; `verdict` is None where the target has no score there, or the run has none."""

    target: Submission
    verdict: Verdict | None

    @property
    def is_reached(self) -> bool:
        return self.verdict == Verdict.BETTER


def target_of(phase: UUID) -> Submission | None:
    """Return the run of the organisers that is the phase's target, if it stands."""
    target = _standing(phase).select_related("run").first()
    return target.run if target else None


def _standing(phase: UUID) -> QuerySet[Target]:
    return Target.objects.filter(phase=phase, run__withdrawn=None)


def result_of(target: Submission, like: Result) -> Result | None:
    """Return the target's result for the scenario and the version of the gold of another result."""
    same = {"scoring__submission": target, "scoring__gold": like.scoring.gold_id}
    return to_test().filter(**same).first()


def panel(context: Context) -> dict[str, Any]:
    """Return what the piece of a run's page shows: its context has the section of the run's scores."""
    exact: Result = context["section"].exact
    has_target = _standing(exact.scoring.submission.phase_id).exists()
    return {"reached": reached(exact, context["section"].precision, draws_of(exact)) if has_target else None}


def reached(result: Result, precision: Precision = FULL, draws: Draws = None) -> Reached | None:
    """Return how the run stands to the target; None where the phase has none, or the run is the organisers'."""
    run = result.scoring.submission
    target = None if run.reference else target_of(run.phase_id)
    if target is None:
        return None
    other = result_of(target, result)
    compared = difference(result, other, precision, draws) if other else None
    return Reached(target, compared.verdict if compared else None)
