"""Limits of uploads: how many a team has left in a phase, and what the organisers allow one team beyond them."""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evalsite.accounts.models import Team, User
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase, record
from evalsite.submissions.models import Allowance, Scoring, Submission
from evalsite.submissions.runs.precedence import ON_PUBLISHED_GOLD


@dataclass(frozen=True)
class Quota:
    """What a team has left in a phase; None where there is no limit."""

    left: int | None
    next_possible: datetime | None  # when left is 0 and waiting helps
    given: tuple["Given", ...] = ()  # what the organisers have given beyond the limits; what is left of it is in `left`


def is_limited(phase: Phase) -> bool:
    return phase.window_limit is not None or phase.total_limit is not None


def quota(phase: Phase, team: Team, now: datetime, *, with_runs_of: Team | None = None) -> Quota:
    """Uploads count while one of their scorings lives; refused, failed and cancelled ones don't (but see `using`).

    `with_runs_of` is another team whose uploads count too, as they will once its runs have been brought into this one.
    """
    found = _within_limits(phase, [each for each in (team, with_runs_of) if each], now)
    if found.left is None:
        return found
    given = tuple(allowances_of(phase, team, now))
    extra = sum(each.n_left for each in given)
    next_possible = None if extra else found.next_possible
    return Quota(found.left + extra, next_possible, given)


def _within_limits(phase: Phase, teams: list[Team], now: datetime) -> Quota:
    if not is_limited(phase):
        return Quota(None, None)
    used = using(phase).filter(team__in=teams, allowance=None)
    in_window = used.filter(created__gt=now - phase.window).order_by("created")
    left_in_total = None if phase.total_limit is None else max(0, phase.total_limit - used.count())
    left_in_window = None if phase.window_limit is None else max(0, phase.window_limit - in_window.count())
    left = min(left for left in (left_in_total, left_in_window) if left is not None)
    if left == 0 and left_in_total != 0 and phase.window_limit:
        # The place of the oldest upload that has to leave the window.
        oldest = in_window.values_list("created", flat=True)[in_window.count() - phase.window_limit]
        return Quota(0, oldest + phase.window)
    return Quota(left, None)


def using(*phases: Phase) -> QuerySet[Submission]:
    """The phases' uploads that use a place: those that live, and of those that broke the limits all but a team's first.

    A file that is too large by mistake costs nothing; a team that sends them again and again holds up the others.
    """
    return Submission.objects.filter(_uses(), phase__in=phases, reference="")


def _uses() -> Q:
    counted = Scoring.objects.filter(ON_PUBLISHED_GOLD)
    of_upload = counted.filter(submission=OuterRef("pk"))
    earlier = counted.filter(
        submission__team=OuterRef("team"),
        submission__phase=OuterRef("phase"),
        submission__created__lt=OuterRef("created"),
        broke_limits=True,
    )
    return Q(Exists(of_upload.filter(state__in=Scoring.LIVING))) | (
        Q(Exists(of_upload.filter(broke_limits=True))) & Q(Exists(earlier))
    )


def without_place(phase: Phase, teams: Collection[Team]) -> set[UUID]:
    """Return the runs that would have found no place, had these teams been one from the start.

    They are looked at in the order in which they came, by the limits of today. What would have found no place takes
    none; neither do extra uploads, which the organisers have given beyond the limits.
    """
    if not is_limited(phase):
        return set()
    found = Submission.objects.filter(phase=phase, team__in=teams, reference="", allowance=None)
    found = found.annotate(uses_place=ExpressionWrapper(_uses(), output_field=BooleanField()))
    taken: list[datetime] = []
    beyond = set()
    for run, arrived, uses_place in found.order_by("created", "pk").values_list("pk", "created", "uses_place"):
        in_window = len(taken) - bisect_right(taken, arrived - phase.window)
        if _reaches(phase.total_limit, len(taken)) or _reaches(phase.window_limit, in_window):
            beyond.add(run)
        elif uses_place:
            taken.append(arrived)
    return beyond


def _reaches(limit: int | None, used: int) -> bool:
    return limit is not None and used >= limit


@dataclass(frozen=True)
class Given:
    """An allowance, with how many of its uploads are left now; none after it has ended."""

    allowance: Allowance
    n_used: int
    n_left: int


def allowances_of(phase: Phase, team: Team, now: datetime) -> list[Given]:
    """What the organisers have given the team, the earliest first."""
    found = with_n_used(Allowance.objects.filter(phase=phase, team=team))
    return [given(each, now) for each in found.order_by("created", "pk")]


def with_n_used(allowances: QuerySet[Allowance]) -> QuerySet[Allowance]:
    """With `n_used`, how many uploads have been taken of each."""
    used = Submission.objects.filter(_uses(), allowance=OuterRef("pk"), reference="").order_by()
    counted = used.values("allowance").annotate(n=Count("pk")).values("n")
    return allowances.annotate(n_used=Coalesce(Subquery(counted), 0))


def given(allowance: Allowance, now: datetime) -> Given:
    """Of an allowance `with_n_used`."""
    n_used: int = allowance.n_used  # type: ignore[attr-defined]
    has_ended = allowance.until is not None and allowance.until <= now
    return Given(allowance, n_used, 0 if has_ended else max(0, allowance.uploads - n_used))


def open_allowances(phase: Phase, team: Team, now: datetime) -> list[Given]:
    """Those of which uploads are left; what ends first is used first."""
    found = with_n_used(Allowance.objects.filter(Q(until=None) | Q(until__gt=now), phase=phase, team=team))
    in_order = found.order_by(F("until").asc(nulls_last=True), "created", "pk")
    return [each for each in (given(allowance, now) for allowance in in_order) if each.n_left]


@dataclass(frozen=True)
class Place:
    """Whether an upload has a place, and the allowance of which it is taken: None within the limits."""

    quota: Quota
    allowance: Allowance | None = None

    @property
    def is_free(self) -> bool:
        return self.quota.left != 0 or self.allowance is not None


def place_for(phase: Phase, team: Team, now: datetime) -> Place:
    """For the next upload of the team; whoever uses it holds the team's row."""
    found = _within_limits(phase, [team], now)
    if found.left != 0:
        return Place(found)
    extra = open_allowances(phase, team, now)
    return Place(found, extra[0].allowance if extra else None)


def teams_bound_to(phase: Phase, uploader: User) -> list[Team]:
    """The teams for which the person has used places of a limited phase: no others are open to the person there.

    Otherwise a person could multiply the limits by founding teams. It is one team, or several where the phase got its
    limit after they had uploaded.
    """
    if not is_limited(phase):
        return []
    return list(Team.objects.filter(pk__in=using(phase).filter(uploader=uploader).values("team")))


def allow(phase: Phase, team: Team, uploads: int, *, reason: str, by: User, until: datetime | None = None) -> Allowance:
    with transaction.atomic():
        given = Allowance.objects.create(phase=phase, team=team, uploads=uploads, until=until, reason=reason, by=by)
        record(
            phase.task,
            "uploads allowed",
            actor=by,
            subject=team.pk,
            team=team.name,
            phase=phase.slug,
            uploads=uploads,
            reason=reason,
            until=until.isoformat() if until else "",
        )
    return given


def end_allowance(allowance: Allowance, *, by: User) -> bool:
    """No further upload is taken of it from now on; returns whether one could be before."""
    now = database_now()
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=allowance.team_id)  # an upload may be about to use it
        kept = Allowance.objects.select_related("phase__task", "team").get(pk=allowance.pk)
        if kept.until is not None and kept.until <= now:
            return False
        before = kept.until.isoformat() if kept.until else ""
        Allowance.objects.filter(pk=kept.pk).update(until=now)
        detail = {"team": kept.team.name, "phase": kept.phase.slug, "reason": kept.reason}
        changes = {"until": (before, now.isoformat())}
        record(kept.phase.task, "allowance ended", actor=by, subject=kept.team_id, changes=changes, **detail)
    return True
