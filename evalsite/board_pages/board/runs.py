"""The scored runs of a team behind its row on a board."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse

from evalsite.board_pages.board.rows import Row
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.leaderboard.making.best_runs import BEYOND, LATE
from evalsite.leaderboard.making.gold_copies import all_copies
from evalsite.leaderboard.models import Edition
from evalsite.submissions.models import Result, Submission
from evalsite.translating.engine import from_engine
from evalsite.wording import inside_sentence

MAX_RUNS = 100


@dataclass(frozen=True)
class Run:
    """A scored run, with what the visitor may see of it."""

    score: float | None
    interval: tuple[float, float] | None
    date: datetime
    is_day_alone: bool
    method: str
    url: str
    is_counted: bool  # it is the one on the board
    is_gold: bool  # it equals the open gold, and so does not count
    is_late: bool
    scenario: str = ""  # its name, where the runs are of several


def runs_of(row: Row, edition: Edition) -> list[Run]:
    """Return those that stood when the edition was made, on the gold that it ranks by; the newest first.

    Of a combined score these are the runs that it is made of.
    """
    if isinstance(row.scenario, CombinedScore):
        return _parts_of(row, row.scenario)
    headline = row.scenario.headline
    copies = all_copies(edition.entries)
    precision = edition.precision
    rows = (
        Result.objects.counting()
        .filter(
            Q(scoring__submission__team=row.entry["team"]) | _brought_along(row.entry["submission"]),
            scoring__gold=edition.gold_id,
            **_standing_beside(row),
            created__lte=edition.made,
        )
        .order_by("-scoring__submission__created", "-scoring__created")
        .values_list(
            "scoring__submission_id",
            "scoring__submission__created",
            "scoring__submission__method",
            "scoring__submission__is_late",
            "headline",
            "intervals",
        )
    )
    runs: dict[str, Run] = {}
    for pk, created, method, is_late, score, intervals in rows[: 2 * MAX_RUNS]:
        interval = intervals.get(headline)
        runs.setdefault(
            str(pk),
            Run(
                score=precision.of(score, headline),
                interval=precision.interval(tuple(interval), headline) if interval else None,
                date=created,
                is_day_alone=not row.context.visibility.shows_names,
                method=method if row.sees_method else "",
                url=reverse("submission", args=[pk]) if row.sees_run else "",
                is_counted=str(pk) == row.entry["submission"],
                is_gold=str(pk) in copies,
                is_late=is_late,
            ),
        )
    return list(runs.values())[:MAX_RUNS]


def _parts_of(row: Row, combined: CombinedScore) -> list[Run]:
    """Return the runs of an entry that its combined score is made of, with the scores that go into it."""
    named = Submission.objects.in_bulk(row.entry["runs"].values())
    submissions = {str(pk): run for pk, run in named.items()}
    runs = []
    for name, (scenario, score) in combined.parts.items():
        run = submissions.get(row.entry["runs"].get(scenario.name, ""))
        if run:
            title = from_engine(scenario.score_titles[score])
            runs.append(
                Run(
                    score=row.score(name),
                    interval=row.interval_of(name),
                    date=run.created,
                    is_day_alone=not row.context.visibility.shows_names,
                    method=run.method if row.sees_method else "",
                    url=reverse("submission_scores", args=[run.pk, scenario.number]) if row.sees_run else "",
                    is_counted=False,
                    is_gold=False,
                    is_late=run.is_late,
                    scenario=f"{scenario.name}, {inside_sentence(title)}",
                )
            )
    return runs


def _standing_beside(row: Row) -> dict[str, Any]:
    """Return conditions for the team's runs that stand as this one does: ranked, or unranked for the same reason."""
    standing: dict[str, Any] = {"scoring__submission__reference": "", "scoring__submission__withdrawn": None}
    if row.scenario.is_brought:
        standing["scoring__submission__is_reported"] = row.is_reported
    if row.is_reported:
        return standing
    standing["scoring__submission__is_beyond_limit"] = row.reference == BEYOND
    if row.reference == BEYOND:
        return standing
    if row.reference == LATE or not row.context.visibility.phase.ranks_late:
        standing["scoring__submission__is_late"] = row.reference == LATE
    return standing


def _brought_along(submission: str) -> Q:
    """Match the runs that the row's team had when the edition was made and that are another team's now: those of its
    only member, who took them there. `submission` is the one on the board."""
    counted = Submission.objects.filter(pk=submission)
    return Q(
        scoring__submission__team=counted.values("team")[:1],
        scoring__submission__uploader=counted.values("uploader")[:1],
    )
