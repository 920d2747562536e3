"""Tells which runs cannot be scored yet: before a judge has posted scores for them, or before there is gold."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from evalsite.challenges.models import Gold
from evalsite.submissions.models import Judgement, Scoring

AWAITS_JUDGE = Q(state=Scoring.State.QUEUED, awaits_judge=True)


def unjudged_among(runs: Iterable[UUID], gold: Gold) -> set[UUID]:
    """Return those of the runs that wait on this gold: for a judge, where one scores, or for the gold itself."""
    chosen = set(runs)
    if gold.is_input:
        return chosen
    if not gold.scenario.is_judged:
        return set()
    judged = Judgement.objects.filter(gold=gold, submission__in=chosen).values_list("submission", flat=True)
    return chosen - set(judged)
