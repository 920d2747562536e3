"""The engine's atlas of an edition, made from stored counts and kept until the next edition."""

from collections.abc import Sequence
from uuid import UUID

import structlog
from django.core.cache import cache

from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.rows import Row
from evalsite.results.stored import Gone, evaluation_of
from evalsite.submissions.models import Result, Submission
from scoring import Evaluation
from scoring.comparing.atlas import Atlas, atlas_of

log = structlog.get_logger()
MOST_SYSTEMS = 100  # the first of the board; every pair of them is looked at
KEPT_FOR = 24 * 3600  # seconds


def stored_atlas(edition: Edition, rows: Sequence[Row]) -> Atlas | None:
    """Of the systems with a score, in the order of the board; None where there is nothing to show.

    Baselines are systems; human runs are none, nor is the gold itself.
    """
    systems = [row for row in rows if row.headline is not None and row.reference in ("", Submission.Reference.BASELINE)]
    keys = [row.entry["submission"] for row in systems[:MOST_SYSTEMS]]
    if not keys:
        return None
    key = f"atlas:{edition.pk}:{edition.made.timestamp()}"
    found = cache.get(key)
    if found is None:
        found = atlas_of(_evaluations(keys, edition))
        cache.set(key, found, KEPT_FOR)
    return found


def _evaluations(keys: Sequence[str], edition: Edition) -> dict[str, Evaluation]:
    """Those that can be read, by submission."""
    wanted = [UUID(key) for key in keys]
    results = Result.objects.counting().filter(scoring__gold=edition.gold_id, scoring__submission__in=wanted)
    results = results.select_related("scoring").only("evaluation", "scoring__submission_id")
    newest = {str(pk): result for result in results.order_by("created") if (pk := result.scoring.submission_id)}
    evaluations = {}
    for key in keys:
        try:
            if key in newest:
                evaluations[key] = evaluation_of(newest[key])
        except Gone:
            log.warning("a stored evaluation cannot be read", submission=key)
    return evaluations
