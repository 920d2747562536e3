"""Orders a run's scorings on several golds and by several engines: which one counts, and which a visitor sees."""

from collections.abc import Iterable

from django.db.models import Q

from evalsite.challenges.models import Gold
from evalsite.submissions.models import Scoring

State = Scoring.State
# What a team and the public may see: candidates are for the organisers alone.
ON_PUBLISHED_GOLD = Q(gold__state=Gold.State.PUBLISHED)


def foremost(scorings: Iterable[Scoring], in_force: Gold | None) -> list[Scoring]:
    """Order the scorings of a submission for one scenario: the one that counts first, then the newest.

    A score by the gold and engine that rank stays in front while newer ones are still at work.
    """

    def order(scoring: Scoring) -> tuple[object, ...]:
        ranks = in_force is not None and scoring.gold_id == in_force.pk
        is_own_engine = in_force is not None and scoring.engine_version == in_force.engine
        return (
            ranks and is_own_engine and scoring.state == State.SCORED,
            ranks and scoring.state == State.SCORED,
            ranks and scoring.state in Scoring.LIVING,
            not scoring.gold.is_candidate,
            scoring.gold.version,
            scoring.created,
        )

    return sorted(scorings, key=order, reverse=True)


def visible_scorings(scorings: Iterable[Scoring], in_force: Gold, *, sees_candidates: bool) -> list[Scoring]:
    """Order them as `foremost`, without those of a candidate, gold or engine, unless the visitor sees candidates."""
    in_order = foremost(scorings, in_force)
    if sees_candidates:
        return in_order
    first, *others = [scoring for scoring in in_order if not scoring.gold.is_candidate]
    return [first, *(other for other in others if not _is_by_candidate_engine(other, in_force))]


def _is_by_candidate_engine(scoring: Scoring, in_force: Gold) -> bool:
    return scoring.gold_id == in_force.pk and scoring.engine_version == in_force.candidate_engine
