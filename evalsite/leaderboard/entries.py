"""From results to the entries of a board: one per team, its best run, ranked 1, 2, 2, 4; references outside."""

import uuid
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from evalsite.challenges.models import Gold
from evalsite.challenges.numbers import number_teams
from evalsite.leaderboard.editions import set_apart
from evalsite.leaderboard.gold_copies import add_copy, copies_of
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.places import placed
from evalsite.submissions.golds import adopt, gold_to_rank_by, golds_of_board
from evalsite.submissions.models import Result, Scoring
from scoring.comparing.ranking import ranks


def mark_stale(phase_id: uuid.UUID, scenario_id: uuid.UUID) -> bool:
    """Note, in the transaction that brings a result, that the board misses it; True for the first one.

    The row stays locked until the result is committed: a refresh meanwhile would neither see it nor hear of it.
    """
    board, _ = Board.objects.select_for_update().get_or_create(phase_id=phase_id, scenario_id=scenario_id)
    is_first = board.stale_since is None
    if is_first:
        Board.objects.filter(pk=board.pk).update(stale_since=timezone.now())
    return is_first


def refresh(board: Board) -> None:
    """Make the entries anew. A result that comes meanwhile marks the board stale again, and so is not missed."""
    Board.objects.filter(pk=board.pk).update(stale_since=None)
    golds = golds_of_board(board.phase, board.scenario)
    gold = gold_to_rank_by(golds) if golds else None
    results = list(_results(gold)) if gold else []
    entries = entries_of(results, board.scenario.headline, copies_of(board.phase, gold, results) if gold else ())
    _count_withdrawn(entries, gold)
    number_teams(board.phase, [UUID(entry["team"]) for entry in entries if entry["team"]])
    comparison = placed(entries, {str(result.scoring.submission_id): result for result in results}, board.scenario)
    now = timezone.now()
    with transaction.atomic():
        mine = Board.objects.filter(pk=board.pk, refreshed=board.refreshed)
        if mine.update(refreshed=now):
            if golds and gold and gold != golds.in_force:
                adopt(gold)
            light, further = set_apart(entries, board.scenario.scores)
            contents = {"entries": light, "comparison": comparison, "further": further}
            _keep(board, contents | {"gold": gold, "further_names": list(further)}, now)
        else:
            # Another process made the board at the same time; which of the two read later nobody knows.
            Board.objects.filter(pk=board.pk).update(stale_since=now)


def _keep(board: Board, contents: dict[str, Any], now: datetime) -> None:
    """As the edition of the day and gold, unless nothing has changed since the last one.

    Newer gold makes a final edition void: the phase ends with the board that is right.
    """
    latest = board.editions.select_related("gold").first()
    if latest and all(getattr(latest, name) == value for name, value in contents.items()):
        return
    gold = contents["gold"]
    if not board.editions.filter(day=now.date(), gold=gold, is_final=False, is_void=False).update(made=now, **contents):
        board.editions.create(day=now.date(), made=now, **contents)
    if latest and latest.gold != gold:
        make_void(board.editions.all())


def make_void(editions: QuerySet[Edition]) -> None:
    """Those that were final among them are so no longer."""
    editions.filter(is_final=True).update(is_final=False, is_void=True)


def stale_boards(before: datetime) -> QuerySet[Board]:
    return Board.objects.filter(stale_since__lt=before).select_related("phase", "scenario")


def finish_boards() -> None:
    """Mark the final editions of phases that have closed and whose runs are all scored; they stay as they are.

    Those of phases that have opened again become void.
    """
    now = timezone.now()
    make_void(Edition.objects.exclude(board__phase__closes__lte=now))
    waiting = Scoring.objects.filter(
        submission__phase=OuterRef("phase"), scenario=OuterRef("scenario"), state__in=Scoring.UNFINISHED
    )
    closed = Board.objects.filter(phase__closes__lte=now, stale_since=None)
    for board in closed.exclude(editions__is_final=True).exclude(Exists(waiting)):
        if latest := board.editions.first():
            Edition.objects.filter(pk=latest.pk).update(is_final=True, is_void=False)


def _count_withdrawn(entries: list[dict[str, Any]], gold: Gold | None) -> None:
    """Add to the runs of each team those that it withdrew: they were scored too, and told it something."""
    counted = Result.objects.filter(
        scoring__gold=gold, scoring__submission__withdrawn__isnull=False, scoring__submission__reference=""
    ).values("scoring__submission__team")
    runs = counted.annotate(n=Count("scoring__submission", distinct=True)).order_by()
    withdrawn = {str(each["scoring__submission__team"]): each["n"] for each in runs} if gold else {}
    for entry in entries:
        entry["n_withdrawn"] = 0 if entry["reference"] else withdrawn.get(entry["team"], 0)
        entry["n_runs"] += entry["n_withdrawn"]


def _results(gold: Gold) -> QuerySet[Result]:
    """The results on this gold that stand, without their large fields."""
    return (
        Result.objects.filter(scoring__gold=gold, scoring__submission__withdrawn=None)
        .order_by("scoring__submission__created", "scoring__created")
        .select_related("scoring__submission")
        .only(
            "headline",
            "scores",
            "intervals",
            "interval_methods",
            "n_units",
            "n_resamples",
            "confidence_level",
            "signature",
            "seed",
            "gold_digest",
            "evaluation",
            "scoring__submission__team_id",
            "scoring__submission__method",
            "scoring__submission__reference",
            "scoring__submission__created",
        )
    )


def entries_of(results: Iterable[Result], headline: str, copies: Collection[uuid.UUID] = ()) -> list[dict[str, Any]]:
    """One entry per team and one per reference, best first; results without a headline last and without a rank.

    `copies` are the submissions that equal the open gold: one entry stands for all of them, outside the ranks.

    An entry has: submission, team (keys), method, reference ("" where ranked), rank (None outside the ranks),
    headline, scores, lows, highs (ends of the intervals, by score), interval_method (of the headline, "" without an
    interval), n_units, n_resamples, confidence_level, n_runs (of the team, without withdrawn ones), date (ISO 8601),
    signature; and what
    evalsite.leaderboard.places adds.
    """
    latest = {result.scoring.submission_id: result for result in results}  # the newest engine's, where several
    best: dict[tuple[str, ...], dict[str, Any]] = {}
    for result in latest.values():
        entry = _entry(result, headline)
        if result.scoring.submission_id in copies and not entry["reference"]:
            add_copy(best, entry)
            continue
        key = (entry["team"],) if not entry["reference"] else (entry["team"], entry["submission"])
        standing = best.get(key)
        entry["n_runs"] += standing["n_runs"] if standing else 0
        if standing and _height(standing) >= _height(entry):  # of equal runs the earlier one stands
            standing["n_runs"] = entry["n_runs"]
        else:
            best[key] = entry
    entries = sorted(best.values(), key=lambda entry: (-_height(entry), entry["date"]))
    return _ranked(entries)


def _entry(result: Result, headline: str) -> dict[str, Any]:
    submission = result.scoring.submission
    return {
        "submission": str(submission.pk),
        "team": str(submission.team_id),
        "method": submission.method,
        "reference": submission.reference,
        "rank": None,
        "headline": result.headline,
        "scores": result.scores,
        # Two objects rather than a pair for each score: a page reads a thousand entries, and the garbage collector
        # would follow each pair.
        "lows": {name: low for name, (low, _) in result.intervals.items()},
        "highs": {name: high for name, (_, high) in result.intervals.items()},
        "interval_method": result.interval_methods.get(headline, ""),
        "n_units": result.n_units,
        "n_resamples": result.n_resamples,
        "confidence_level": result.confidence_level,
        "n_runs": 1,
        "date": submission.created.isoformat(),
        "signature": result.signature,
    }


def _height(entry: dict[str, Any]) -> float:
    return float("-inf") if entry["headline"] is None else float(entry["headline"])


def _ranked(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With the rank of each entry that has a score and is no reference."""
    ranked = [entry for entry in entries if not entry["reference"] and entry["headline"] is not None]
    for entry, rank in zip(ranked, ranks(np.array([entry["headline"] for entry in ranked])), strict=True):
        entry["rank"] = rank
    return entries
