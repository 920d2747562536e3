"""Removes the resamples from stored evaluations that no board can need: nine tenths of their bytes.

They stay with the best run of each team, with each run that led its board when it came, with references and with what
was scored within the last day. Of all others they are made again when a page asks for them, with the same numbers.
"""

import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import structlog
from django.core.files import File
from django.core.files.storage import default_storage
from django.db.models import Q
from django.db.models.functions import Now

import scoring as engine
from evalsite.base.moment import database_now
from evalsite.challenges.models import Gold, direction_of
from evalsite.challenges.storage.files import local_path
from evalsite.submissions.models import Result, Submission
from scoring.comparing.redrawing import store_thinned
from scoring.families import FAMILIES

log = structlog.get_logger()
FRESH = timedelta(days=1)  # while people look at what they have uploaded
# A file is kept for so long after its last reference: a backup may have read the database before.
STAYS = timedelta(days=3)
BATCH = 2_000  # evaluations at a time, some milliseconds each


class ResultRow(NamedTuple):
    """A result that has its resamples; `arrived` is its upload."""

    pk: UUID
    gold: UUID
    team: UUID
    reference: str
    withdrawn: datetime | None
    arrived: datetime
    scored: datetime
    headline: float | None


def thin() -> int:
    """Thin evaluations, BATCH at a time; return how many."""
    now = database_now()
    _remove_former(now - STAYS)
    chosen = [pk for pk, _ in zip(_superfluous(now - FRESH), range(BATCH), strict=False)]
    return sum(map(_thin, chosen))


def _superfluous(before: datetime) -> Iterator[UUID]:
    kept = Result.objects.filter(thinned=None).order_by("scoring__gold", "scoring__submission__created")
    run = "scoring__submission"
    directions = _directions()
    columns = (f"{run}__team", f"{run}__reference", f"{run}__withdrawn", f"{run}__created", "created", "headline")
    rows = map(ResultRow._make, kept.values_list("pk", "scoring__gold", *columns).iterator())
    for gold, of_gold in groupby(rows, key=lambda row: row.gold):
        if gold in directions:
            yield from superfluous(list(of_gold), before, lower_is_better=directions[gold])


def _directions() -> dict[UUID, bool]:
    """Return for each gold whether a lower score is better; golds of families that are not installed are left out."""
    rows = Gold.objects.values_list("pk", "scenario__family", "scenario__options")
    directions = ((pk, direction_of(family, options)) for pk, family, options in rows if family in FAMILIES)
    return {pk: lower_is_better for pk, (lower_is_better, _) in directions}


def superfluous(rows: Sequence[ResultRow], before: datetime, *, lower_is_better: bool = False) -> list[UUID]:
    """Return the results scored before this time that no board needs, out of those on one gold in the order of arrival.

    Results that have been thinned before may be missing among the rows: none of them was its team's best or a leader.
    """
    best: dict[UUID, tuple[float, UUID]] = {}
    needed: set[UUID] = set()
    leading: float | None = None
    for row in rows:
        if row.reference in Submission.SHOWN:
            needed.add(row.pk)
        elif not row.reference and row.withdrawn is None and row.headline is not None:
            height = -row.headline if lower_is_better else row.headline
            if leading is None or height > leading:
                leading = height
                needed.add(row.pk)
            if row.team not in best or height > best[row.team][0]:
                best[row.team] = (height, row.pk)
    needed.update(pk for _, pk in best.values())
    return [row.pk for row in rows if row.scored < before and row.pk not in needed]


def _thin(pk: UUID) -> bool:
    """Store the smaller file under another name, since a file is never changed; the former one is removed later."""
    result = Result.objects.only("evaluation").get(pk=pk)
    former = result.evaluation.name or ""
    mark = {"thinned": Now()}
    try:
        with tempfile.TemporaryDirectory() as folder, local_path(result.evaluation) as path:
            smaller = Path(folder, "thinned.npz")
            if not store_thinned(path, smaller):
                Result.objects.filter(pk=pk).update(**mark)
                return False
            with smaller.open("rb") as stream:
                result.evaluation.save("thinned.npz", File(stream), save=False)
    except (engine.ConfigurationError, OSError):
        log.exception("an evaluation cannot be thinned", result=str(pk))
        return False
    same = Result.objects.filter(pk=pk, evaluation=former)
    if not same.update(evaluation=result.evaluation.name, unthinned=former, **mark):
        default_storage.delete(result.evaluation.name or "")
        return False
    return True


def _remove_former(before: datetime) -> None:
    former = Result.objects.filter(~Q(unthinned=""), thinned__lt=before)
    for pk, name in former.values_list("pk", "unthinned")[:BATCH]:
        Result.objects.filter(pk=pk).update(unthinned="")  # first: a row never names a file that is gone
        default_storage.delete(name)
