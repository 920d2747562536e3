"""Finds runs of different teams that are the same, or nearly, with the names that organisers see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import gettext, ngettext

from evalsite.challenges.models import Phase
from evalsite.challenges.readiness import PhaseReadiness
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result
from evalsite.submissions.runs.likeness import Alike, alike_on
from evalsite.wording import amount, percent

MOST_LISTED = 4  # groups
_CACHE_SECONDS = 24 * 3600  # a change of results changes the key


@dataclass(frozen=True)
class AlikeRuns:
    """A group as it is listed."""

    finding: str
    results: list[Result]  # the first of each team; of many teams the first ones
    n_more: int  # teams


@dataclass(frozen=True)
class Likenesses:
    groups: list[AlikeRuns]
    n_groups: int

    @property
    def n_more(self) -> int:
        return self.n_groups - len(self.groups)


def likenesses(stages: Sequence[PhaseReadiness]) -> Likenesses:
    """Return groups of runs that are alike on the gold in force, computed once for each change of a result."""
    golds = [golds.in_force.pk for stage in stages for _, golds in stage.golds if golds]
    found = _found([stage.phase for stage in stages], golds)
    listed = found[:MOST_LISTED]
    results = Result.objects.select_related("scoring__submission__team", "scoring__submission__phase").only(*_FIELDS)
    by_key = results.in_bulk([pk for alike in listed for pk in alike.runs])
    return Likenesses([_group(alike, by_key) for alike in listed], len(found))


_FIELDS = tuple(f"scoring__submission__{name}" for name in ("method", "created", "team__name", "phase__name"))


def _found(phases: Sequence[Phase], golds: Sequence[UUID]) -> list[Alike]:
    """Return the groups from the cache, whose key has the counter that each change of a result raises on its board."""
    boards = Board.objects.filter(phase__in=phases).order_by("pk").values_list("pk", "wanted")
    key = "alike:" + sha256(repr((list(boards), sorted(golds))).encode()).hexdigest()
    found = cache.get(key)
    if found is None:
        found = alike_on(golds)
        cache.set(key, found, _CACHE_SECONDS)
    return list(found)


def _group(alike: Alike, by_key: Mapping[UUID, Result]) -> AlikeRuns:
    results = [by_key[pk] for pk in alike.runs if pk in by_key]
    return AlikeRuns(_finding(alike), results, alike.n_teams - len(results))


def _finding(alike: Alike) -> str:
    if alike.is_same_file:
        return gettext("The same file")
    if alike.share == 1:
        words = ngettext(
            "Identical on every unit, with %(n)s mistake",
            "Identical on every unit, with %(n)s mistakes",
            alike.n_mistakes,
        )
        return words % {"n": amount(alike.n_mistakes)}
    words = gettext("At least %(share)s of about %(n)s mistakes are the same")
    return words % {"share": percent(round(alike.share, 2)), "n": amount(alike.n_mistakes)}
