"""The scored runs of a team behind its row on a board."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.rows import Row
from evalsite.submissions.models import Result

MOST = 100


@dataclass(frozen=True)
class Run:
    """A scored run, with what the visitor may see of it."""

    score: float | None
    interval: tuple[float, float] | None
    date: datetime
    method: str
    url: str
    is_counted: bool  # it is the one on the board


def runs_of(row: Row, edition: Edition) -> list[Run]:
    """Those that stood when the edition was made, on the gold that it ranks by; the newest first."""
    headline = row.scenario.headline
    found = (
        Result.objects.filter(
            scoring__gold=edition.gold_id,
            scoring__submission__team=row.entry["team"],
            scoring__submission__reference="",
            scoring__submission__withdrawn=None,
            created__lte=edition.made,
        )
        .order_by("-scoring__submission__created", "-scoring__created")
        .values_list(
            "scoring__submission_id",
            "scoring__submission__created",
            "scoring__submission__method",
            "headline",
            "intervals",
        )
    )
    runs: dict[str, Run] = {}
    for pk, created, method, score, intervals in found[: 2 * MOST]:
        interval = intervals.get(headline)
        runs.setdefault(
            str(pk),
            Run(
                score=score,
                interval=tuple(interval) if interval else None,
                date=created,
                method=method if row.sees_method else "",
                url=reverse("submission", args=[pk]) if row.sees_run else "",
                is_counted=str(pk) == row.entry["submission"],
            ),
        )
    return list(runs.values())[:MOST]
