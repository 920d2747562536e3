"""Finds runs of different teams that make the same mistakes, or nearly, by the fingerprints of their results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np
import structlog
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

import scoring as engine
from evalsite.challenges.storage.files import local_path
from evalsite.submissions.models import Fingerprint, Result
from scoring.comparing import likeness
from scoring.comparing.units import scores_of_units

log = structlog.get_logger()
MOST_TEAMS = 6  # of a group that are listed
MOST_NAMED = 1000  # runs in a query
MOST_MADE = 500  # fingerprints at a time, some milliseconds each


class Run(NamedTuple):
    """A run that is like another one."""

    result: UUID
    team: UUID
    created: datetime
    sha256: str
    n_mistakes: int


@dataclass(frozen=True)
class Alike:
    """Runs of two teams or more that are alike."""

    share: float  # least share of common mistakes
    is_same_file: bool
    n_mistakes: int  # of the first: units in which something is wrong
    runs: list[UUID]  # results: the first of each team in the order of arrival
    n_teams: int
    n_runs: int


def alike_on(golds: Iterable[UUID]) -> list[Alike]:
    """Return groups of alike runs: those with one file, then the most alike, then the largest groups.

    It takes two queries and n log n of the runs. Runs on different golds have nothing in common, unless it is the same
    gold in several phases.
    """
    keys, prints = [], []
    kept = Fingerprint.objects.filter(gold__in=list(golds)).exclude(same=b"")
    # No more is read of most runs; keys as text, as UUIDs take longer than all the rest.
    for key, same, least, n_mistakes in kept.values_list(_KEY, "same", "least", "n_mistakes"):
        keys.append(key)
        prints.append(likeness.Fingerprint(bytes(same), bytes(least), n_mistakes))
    groups = likeness.groups(prints)
    runs = _standing(kept, [UUID(keys[k]) for group in groups for k in group.members])
    found = [_alike([runs[key] for k in group.members if (key := UUID(keys[k])) in runs], group) for group in groups]
    of_teams = [alike for alike in found if alike.n_teams > 1]
    return sorted(of_teams, key=lambda alike: (-alike.is_same_file, -alike.share, -alike.n_teams))


_KEY = Cast("pk", TextField())


def _standing(kept: QuerySet[Fingerprint], chosen: Sequence[UUID]) -> dict[UUID, Run]:
    """Return the chosen runs that are not withdrawn; where they are many, without naming each of them in the query."""
    some = kept.filter(pk__in=chosen) if len(chosen) <= MOST_NAMED else kept
    standing = some.filter(result__scoring__submission__withdrawn=None)
    of_run = (f"result__scoring__submission__{name}" for name in ("team", "created", "sha256"))
    return {run.result: run for run in map(Run._make, standing.values_list("pk", *of_run, "n_mistakes"))}


def _alike(runs: Sequence[Run], group: likeness.Group) -> Alike:
    """List the first run of each team, in the order of arrival."""
    by_arrival = sorted(runs, key=lambda run: run.created, reverse=True)
    firsts = list({run.team: run for run in by_arrival}.values())
    firsts.sort(key=lambda run: run.created)
    return Alike(
        share=group.share,
        is_same_file=len({run.sha256 for run in firsts}) == 1,
        n_mistakes=firsts[0].n_mistakes if firsts else 0,
        runs=[run.result for run in firsts[:MOST_TEAMS]],
        n_teams=len(firsts),
        n_runs=len(runs),
    )


def make_missing() -> int:
    """Make the fingerprints of results that were stored without, MOST_MADE at a time; return how many."""
    lacking = Result.objects.filter(fingerprint=None).select_related("scoring")
    chosen = list(lacking.only("evaluation", "scoring__gold")[:MOST_MADE])
    Fingerprint.objects.bulk_create((_made(result) for result in chosen), ignore_conflicts=True)
    return len(chosen)


def _made(result: Result) -> Fingerprint:
    """Return the fingerprint, or one that is like no other where the evaluation file is lost."""
    gold = result.scoring.gold_id
    try:
        with local_path(result.evaluation) as path:
            stored = engine.Evaluation.load(path)
    except (engine.ConfigurationError, OSError):
        log.exception("a result gets no fingerprint", result=str(result.pk))
        return Fingerprint(result=result, gold_id=gold, same=b"", least=b"", n_mistakes=0)
    scores = scores_of_units(stored)
    found = likeness.fingerprint_of(
        stored.rows,
        np.empty(0) if scores is None else scores,
        stored.scale(stored.headline),
        lower_is_better=stored.headline in stored.lower_is_better,
    )
    values = {"same": found.same, "least": found.least, "n_mistakes": found.n_mistakes}
    return Fingerprint(result=result, gold_id=gold, **values)
