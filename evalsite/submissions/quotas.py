"""Limits of uploads: how many a team has left in a phase, and what the organisers allow one team beyond them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evalsite.accounts.models import Team, User
from evalsite.base.moment import database_now
from evalsite.challenges.models import Limit, Phase, record
from evalsite.submissions.models import Allowance, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Quota:
    """What a team has left in a phase; None where there is no limit."""

    left: int | None
    next_possible: datetime | None  # when left is 0 and waiting helps
    allowances: tuple["AllowanceUsage", ...] = ()  # beyond the limits; `left` has what is left of them
    most: int = 0  # of the limit that has to be waited for


@dataclass(frozen=True)
class AllowanceUsage:
    """An allowance, and how many of its uploads are left now: none after it has ended."""

    allowance: Allowance
    n_used: int
    n_left: int


@dataclass(frozen=True)
class Availability:
    """Whether the team may upload now, and the allowance that the upload uses: None within the limits."""

    quota: Quota
    allowance: Allowance | None = None

    @property
    def is_free(self) -> bool:
        return self.quota.left != 0 or self.allowance is not None


def quota(phase: Phase, team: Team, now: datetime) -> Quota:
    """Return what the team has left."""
    within_limits = _within_limits(phase, team, now)
    granted = Allowance.objects.filter(phase=phase, team=team)
    if (
        within_limits.left is None or not granted.exists()
    ):  # few teams have any, and how many they have used is a long query
        return within_limits
    allowances = with_usage(granted)
    usages = tuple(usage_of(allowance, now) for allowance in allowances.order_by("created", "pk"))
    extra = sum(usage.n_left for usage in usages)
    return replace(
        within_limits,
        left=within_limits.left + extra,
        next_possible=None if extra else within_limits.next_possible,
        allowances=usages,
    )


def availability(phase: Phase, team: Team, now: datetime) -> Availability:
    """Return whether the team's next upload is within the limits or an allowance; the caller has locked the team.

    The allowance that ends first is used first.
    """
    within_limits = _within_limits(phase, team, now)
    if within_limits.left != 0:
        return Availability(within_limits)
    running = with_usage(Allowance.objects.filter(Q(until=None) | Q(until__gt=now), phase=phase, team=team))
    in_order = running.order_by(F("until").asc(nulls_last=True), "created", "pk")
    return Availability(
        within_limits, next((allowance for allowance in in_order if usage_of(allowance, now).n_left), None)
    )


def _within_limits(phase: Phase, team: Team, now: datetime) -> Quota:
    limits = phase.limits(now)
    used = _used(phase, team) if limits else []
    quotas = [_within(limit, used) for limit in limits]
    if full := [quota for quota in quotas if quota.left == 0]:
        return max(full, key=lambda quota: quota.next_possible or _NEVER)
    return min(quotas, key=lambda quota: quota.left or 0, default=Quota(None, None))


def _used(phase: Phase, team: Team) -> list[datetime]:
    """Return when the uploads arrived that count towards the limits, the earliest first."""
    counted = counted_uploads(phase).filter(team=team, allowance=None).order_by("created")
    return list(counted.values_list("created", flat=True))


def _within(limit: Limit, used: Sequence[datetime]) -> Quota:
    """Return what a limit leaves of it, after uploads at these times, the earliest first."""
    n_used = _n_after(limit.after, used)
    if n_used < limit.most:
        return Quota(limit.most - n_used, None)
    if not limit.most:
        return Quota(0, None)
    oldest = used[-limit.most]  # that has to leave the window
    return Quota(0, limit.frees(oldest), most=limit.most)


def counted_uploads(*phases: Phase) -> QuerySet[Submission]:
    """Return the uploads that count towards the limits: those with a scoring that is queued, running or scored.

    Of a team's uploads that broke the engine's limits the first one is free, as it may be a mistake; the others count,
    as they hold up other teams.
    """
    return _counted().filter(phase__in=phases)


@cache  # built once: each upload, and each form for one, asks it of another team
def _counted() -> QuerySet[Submission]:
    return Submission.objects.filter(_counts(), reference="")


def _counts() -> Q:
    published = Scoring.objects.filter(ON_PUBLISHED_GOLD)
    of_upload = published.filter(submission=OuterRef("pk"))
    earlier = published.filter(
        submission__team=OuterRef("team"),
        submission__phase=OuterRef("phase"),
        submission__created__lt=OuterRef("created"),
        broke_limits=True,
    )
    return Q(Exists(of_upload.filter(state__in=Scoring.LIVING))) | (
        Q(Exists(of_upload.filter(broke_limits=True))) & Q(Exists(earlier))
    )


def beyond_limits(phase: Phase, team: Team) -> set[UUID]:
    """Return the runs of a joint team that would have been beyond the limits, had it been one from the start.

    Runs are taken in the order of their arrival, by the limits of today. A run beyond the limits uses none of them;
    neither does an upload by an allowance.
    """
    if not phase.is_limited:
        return set()
    runs = Submission.objects.filter(phase=phase, team=team, reference="", allowance=None)
    runs = runs.annotate(is_counted=ExpressionWrapper(_counts(), output_field=BooleanField()))
    counted: list[datetime] = []
    beyond = set()
    for run, arrived, is_counted in runs.order_by("created", "pk").values_list("pk", "created", "is_counted"):
        if any(_n_after(limit.after, counted) >= limit.most for limit in phase.limits(arrived)):
            beyond.add(run)
        elif is_counted:
            counted.append(arrived)
    return beyond


def _n_after(time: datetime | None, in_order: Sequence[datetime]) -> int:
    return len(in_order) - (bisect_right(in_order, time) if time else 0)


def teams_bound_to(phase: Phase, uploader: User) -> list[Team]:
    """Return the teams for which the person has used the limits of a phase: the person uploads for no others there.

    Otherwise a person could multiply the limits by founding teams. It is one team, or several where the phase got its
    limit after they had uploaded.
    """
    if not phase.is_limited:
        return []
    # Two queries, of which most need the first alone, are quicker than one inside the other.
    teams = set(counted_uploads(phase).filter(uploader=uploader).order_by().values_list("team", flat=True).distinct())
    return list(Team.objects.filter(pk__in=teams)) if teams else []


def with_usage(allowances: QuerySet[Allowance]) -> QuerySet[Allowance]:
    """Annotate `n_used`, the number of uploads that have used each allowance."""
    used = Submission.objects.filter(_counts(), allowance=OuterRef("pk"), reference="").order_by()
    n_used = used.values("allowance").annotate(n=Count("pk")).values("n")
    return allowances.annotate(n_used=Coalesce(Subquery(n_used), 0))


def usage_of(allowance: Allowance, now: datetime) -> AllowanceUsage:
    """Return the usage of an allowance that has `n_used`."""
    n_used: int = allowance.n_used  # type: ignore[attr-defined]
    has_ended = allowance.until is not None and allowance.until <= now
    return AllowanceUsage(allowance, n_used, 0 if has_ended else max(0, allowance.uploads - n_used))


def grant_allowance(
    phase: Phase, team: Team, uploads: int, *, reason: str, by: User, until: datetime | None = None
) -> Allowance:
    detail: dict[str, Any] = {"team": team.name, "phase": phase.slug, "uploads": uploads, "reason": reason}
    with transaction.atomic():
        allowance = Allowance.objects.create(phase=phase, team=team, uploads=uploads, until=until, reason=reason, by=by)
        detail["until"] = until.isoformat() if until else ""
        record(phase.task, "uploads allowed", actor=by, subject=team.pk, **detail)
    return allowance


def end_allowance(allowance: Allowance, *, by: User) -> bool:
    """Let no further upload use the allowance; return whether one could before."""
    now = database_now()
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=allowance.team_id)  # an upload may be about to use it
        current = Allowance.objects.select_related("phase__task", "team").get(pk=allowance.pk)
        if current.until is not None and current.until <= now:
            return False
        Allowance.objects.filter(pk=current.pk).update(until=now)
        changes = {"until": (current.until.isoformat() if current.until else "", now.isoformat())}
        about = {"team": current.team.name, "phase": current.phase.slug, "reason": current.reason}
        record(current.phase.task, "allowance ended", actor=by, subject=current.team_id, changes=changes, **about)
    return True
