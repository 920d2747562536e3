"""Taking an upload in: within the phase, the limits and one transaction; and what may be done with it later."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import BigIntegerField, Exists, F, Func, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

import scoring as engine
from evalsite.accounts.models import Team, User
from evalsite.accounts.names import cleaned
from evalsite.accounts.services import teams_of_one
from evalsite.challenges.files import stored
from evalsite.challenges.models import Event, Participation, Phase, Scenario, Task, record
from evalsite.challenges.services import NameTaken, namesake, participate
from evalsite.submissions.golds import golds_of
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.signals import results_changed
from evalsite.submissions.uploads import Upload
from evalsite.wording import counted, utc
from evalsite.wording import size as file_size

State = Scoring.State
Side = Submission.Side


class Rejection(Exception):
    """The upload is not taken; the message says why and what to do, to the participant."""

    def __init__(self, message: str, remedy: "Remedy | None" = None) -> None:
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Remedy:
    """A page on which the participant can remove what stands in the way."""

    words: str
    address: str


class Repetition(Exception):
    """The team has uploaded the same bytes before: nothing is stored or counted."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(str(submission))
        self.submission = submission


@dataclass(frozen=True)
class Quota:
    """What a team has left in a phase; None where there is no limit."""

    left: int | None
    next_possible: datetime | None  # when left is 0 and waiting helps


def is_limited(phase: Phase) -> bool:
    return phase.window_limit is not None or phase.total_limit is not None


def quota(phase: Phase, team: Team, now: datetime, *, with_runs_of: Team | None = None) -> Quota:
    """Uploads count while one of their scorings lives; refused, failed and cancelled ones don't (but see `_using`).

    `with_runs_of` is another team whose uploads count too, as they will once its runs have been brought into this one.
    """
    using = _using(phase).filter(team__in=[each for each in (team, with_runs_of) if each])
    in_window = using.filter(created__gt=now - phase.window).order_by("created")
    left_in_total = None if phase.total_limit is None else max(0, phase.total_limit - using.count())
    left_in_window = None if phase.window_limit is None else max(0, phase.window_limit - in_window.count())
    left = min((left for left in (left_in_total, left_in_window) if left is not None), default=None)
    if left == 0 and left_in_total != 0 and phase.window_limit:
        # The place of the oldest upload that has to leave the window.
        oldest = in_window.values_list("created", flat=True)[in_window.count() - phase.window_limit]
        return Quota(0, oldest + phase.window)
    return Quota(left, None)


def _using(phase: Phase) -> QuerySet[Submission]:
    """The phase's uploads that use a place: those that live, and of those that broke the limits all but a team's first.

    A file that is too large by mistake costs nothing; a team that sends them again and again holds up the others.
    """
    of_upload = Scoring.objects.filter(submission=OuterRef("pk"))
    earlier = Scoring.objects.filter(
        submission__team=OuterRef("team"),
        submission__phase=phase,
        submission__created__lt=OuterRef("created"),
        broke_limits=True,
    )
    uses = Exists(of_upload.filter(state__in=Scoring.LIVING)) | (
        Exists(of_upload.filter(broke_limits=True)) & Exists(earlier)
    )
    return Submission.objects.filter(uses, phase=phase, reference="")


@dataclass(frozen=True)
class Standing:
    """A team of a person in a phase: what it has left, and why the person cannot upload for it, "" if that can be."""

    team: Team
    quota: Quota
    reason: str = ""
    remedy: Remedy | None = None

    @property
    def key(self) -> str:
        """What a form sends for the team."""
        return str(self.team.pk)


def teams_of(user: User, task: Task) -> list[Team]:
    """The person's teams, which know in `has_entered` whether they are in the task."""
    entered = Participation.objects.filter(task=task, team=OuterRef("pk"))
    return list(user.teams.annotate(has_entered=Exists(entered)))


def standings(phase: Phase, user: User, now: datetime, teams: Sequence[Team] | None = None) -> list[Standing]:
    """One for each team of the person; those that the person can upload for come first.

    `teams` are `teams_of` the person, where the caller has them.
    """
    bound = teams_bound_to(phase, user)
    known = teams_of(user, phase.task) if teams is None else teams
    found = [_standing(phase, team, user, bound, now) for team in known]
    return sorted(
        found, key=lambda each: (bool(each.reason), each.quota.left == 0, not _has_entered(phase.task, each.team))
    )


def _standing(phase: Phase, team: Team, user: User, bound: Sequence[Team], now: datetime) -> Standing:
    left = quota(phase, team, now)
    try:
        _require_one_team(phase, team, user, bound)
        _require_own_name(phase, team, user)
    except Rejection as rejection:
        return Standing(team, left, str(rejection), rejection.remedy)
    return Standing(team, left)


def submit(
    phase: Phase,
    team: Team,
    uploader: User,
    upload: Upload,
    scenarios: list[Scenario],
    *,
    arrived: datetime,
    method: str,
    description: str = "",
    link: str = "",
    reference: str = "",
    told: bool = False,
) -> Submission:
    """Store the upload and queue its scorings, all or nothing; raises Rejection, Repetition, or the storage's OSError.

    The file is stored before the transaction begins, since whoever waits for its locks would else wait for the storage
    too; what comes to nothing afterwards is removed again. `told`: see `queue`.
    """
    submission = Submission(
        phase=phase,
        team=team,
        uploader=uploader,
        method=cleaned(method),
        description=description,
        link=link,
        reference=reference,
        file_name=upload.name,
        size=upload.size,
        sha256=upload.sha256,
        created=arrived,
    )
    with stored(submission.file, upload.name, upload.path):
        # One upload of a person and of a team at a time: two simultaneous ones must take neither the last place both
        # nor places of two teams.
        if is_limited(phase):
            User.objects.select_for_update(no_key=True).get(pk=uploader.pk)
        team = Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        phase, n_stored, has_same = _as_they_are(phase, team, upload.sha256)
        if not reference:
            if has_same and (same := _earlier(phase, team, upload.sha256, scenarios)):
                raise Repetition(same)
            _require_all(phase, team, uploader, arrived)
            _require_room(team, n_stored, upload.size)
        submission.phase = phase
        submission.save(force_insert=True)
        if not _has_entered(phase.task, team):
            _enter(phase, team, uploader)
        submission.queued = [scoring.pk for scoring in queue(submission, scenarios, told=told)]
        record(phase.task, "submitted", actor=uploader, subject=submission.pk, sha256=upload.sha256)
    return submission


def _as_they_are(phase: Phase, team: Team, sha256: str) -> tuple[Phase, int, bool]:
    """The phase as the database has it now, how many bytes the team has stored in the task, and whether it has these.

    One query, since all others of the team wait for it; the team learns in `has_entered` whether it is in the task.
    """
    of_team = Submission.objects.filter(team=team).order_by()
    total = Func(F("size"), function="SUM", output_field=BigIntegerField())
    stored = of_team.filter(phase__task=OuterRef("task")).annotate(total=total).values("total")
    found = Phase.objects.select_related("task").annotate(
        stored=Subquery(stored),
        has_same=Exists(of_team.filter(phase=OuterRef("pk"), sha256=sha256)),
        has_entered=Exists(Participation.objects.filter(task=OuterRef("task"), team=team)),
    )
    now = found.get(pk=phase.pk)
    team.has_entered = now.has_entered  # type: ignore[attr-defined]
    return now, now.stored or 0, now.has_same


def admit(phase: Phase, team: Team, uploader: User, sha256: str, chosen: list[Scenario], *, arrived: datetime) -> None:
    """Raise Rejection for what is known before the files are looked at, or Repetition for bytes that are known."""
    try:
        _require_all(phase, team, uploader, arrived)
    except Rejection:
        if same := _earlier(phase, team, sha256, chosen):
            raise Repetition(same) from None
        raise


def _require_all(phase: Phase, team: Team, uploader: User, arrived: datetime) -> None:
    _require_open(phase, arrived)
    _require_one_team(phase, team, uploader, teams_bound_to(phase, uploader))
    _require_own_name(phase, team, uploader)
    _require_place(phase, team, arrived)


def _require_open(phase: Phase, now: datetime) -> None:
    if now < phase.opens:
        words = gettext("This phase opens on %(time)s. Upload again then.")
        raise Rejection(words % {"time": utc(phase.opens)})
    if phase.closes and now >= phase.closes:
        words = gettext("This phase closed on %(time)s; the last byte of your upload arrived on %(now)s.")
        raise Rejection(words % {"time": utc(phase.closes), "now": utc(now)})
    if phase.is_paused:
        raise Rejection(gettext("The organisers have paused this phase. Try again later."))


def _require_place(phase: Phase, team: Team, now: datetime) -> None:
    left = quota(phase, team, now)
    if left.left != 0:
        return
    if left.next_possible:
        words = gettext("%(team)s has used its %(uploads)s. The next one is possible on %(time)s.")
        uploads, time = counted(phase.window_limit or 0, "upload"), utc(left.next_possible)
        raise Rejection(words % {"team": team, "uploads": uploads, "time": time})
    raise Rejection(gettext("%(team)s has used all uploads of this phase.") % {"team": team})


def _require_room(team: Team, stored: int, size: int) -> None:
    """A phase without a limit is no store for files of any size; `stored` and `size` are bytes."""
    if stored + size > settings.MAX_STORED_BYTES:
        words = gettext(
            "%(team)s has %(size)s of uploads in this task, and no team may have more than %(most)s. Write to the "
            "organisers if you need more."
        )
        most = file_size(settings.MAX_STORED_BYTES)
        raise Rejection(words % {"team": team, "size": file_size(stored), "most": most})


def teams_bound_to(phase: Phase, uploader: User) -> list[Team]:
    """The teams for which the person has used places of a limited phase: no others are open to the person there.

    Otherwise a person could multiply the limits by founding teams. It is one team, or several where the phase got its
    limit after they had uploaded.
    """
    if not is_limited(phase):
        return []
    return list(Team.objects.filter(pk__in=_using(phase).filter(uploader=uploader).values("team")))


def _require_one_team(phase: Phase, team: Team, uploader: User, bound: Sequence[Team]) -> None:
    if not bound or team in bound:
        return
    may_move = teams_of_one(uploader).filter(pk=bound[0].pk).exists()
    words = gettext(
        "You upload for %(team)s in this phase. Where uploads are limited, a person uploads for one team only."
    )
    way = gettext("Bring your runs into %(team)s") % {"team": team}
    raise Rejection(
        words % {"team": bound[0]}, Remedy(way, reverse("team_bring", args=[team.pk])) if may_move else None
    )


def _require_own_name(phase: Phase, team: Team, uploader: User) -> None:
    """Two teams of one name could not be told apart on the task's boards."""
    other = None if _has_entered(phase.task, team) else namesake(phase.task, team)
    if other is None:
        return
    if team.memberships.filter(user=uploader, is_owner=True).exists():
        remedy = Remedy(gettext("Rename yours"), reverse("team_edit", args=[team.pk]))
        raise Rejection(gettext("Another team of this task is called %(team)s.") % {"team": other}, remedy)
    words = gettext("Another team of this task is called %(team)s. Ask the owner of yours to rename it.")
    raise Rejection(words % {"team": other})


def _has_entered(task: Task, team: Team) -> bool:
    known: bool | None = getattr(team, "has_entered", None)
    return task.participations.filter(team=team).exists() if known is None else known


def _enter(phase: Phase, team: Team, uploader: User) -> None:
    try:
        participate(phase.task, team)
    except NameTaken:
        # Since it was asked for, another team has entered under the name.
        _require_own_name(phase, team, uploader)
        raise


def _earlier(phase: Phase, team: Team, sha256: str, scenarios: list[Scenario]) -> Submission | None:
    """A submission of the same bytes by the same team that lives in all these scenarios, or without any in one."""
    living = Scoring.objects.filter(submission=OuterRef("pk"), state__in=Scoring.LIVING)
    same = Submission.objects.filter(Exists(living), phase=phase, team=team, sha256=sha256, withdrawn=None)
    for scenario in scenarios:
        same = same.filter(Exists(living.filter(scenario=scenario)))
    return same.first()


def queue(submission: Submission, scenarios: list[Scenario], *, told: bool = False) -> list[Scoring]:
    """Queue a new submission for the gold in force, and for newer gold that waits to take over.

    With `told` the rows say that the broker has been told now, as the caller does once they are stored: if it cannot,
    the reaper finds them like those whose message was lost.
    """
    golds = golds_of([submission.phase_id])
    found = [(scenario, golds.get((submission.phase_id, scenario.pk))) for scenario in scenarios]
    for scenario, versions in found:
        if versions is None:
            raise Rejection(gettext("%(scenario)s has no gold in this phase yet.") % {"scenario": scenario})
    common = {"submission": submission, "engine_version": engine.__version__, "enqueued": Now() if told else None}
    return Scoring.objects.bulk_create(
        Scoring(scenario=scenario, gold=gold, **common)
        for scenario, versions in found
        if versions
        for gold in versions.to_score
    )


def cancel(submissions: Iterable[Submission], *, by: User | None, side: Side = Side.TEAM) -> int:
    """Stop what has not begun to run; returns how many scorings that were.

    A run without a score is cancelled for good. Where it has one, it was to be scored again: that is the organisers'
    affair, and leaves no trace, so that they can choose it once more.
    """
    of_runs = Scoring.objects.filter(submission__in=[submission.pk for submission in submissions])
    has_score = Exists(
        Scoring.objects.filter(submission=OuterRef("submission"), scenario=OuterRef("scenario"), state=State.SCORED)
    )
    with transaction.atomic():
        queued = of_runs.filter(state=State.QUEUED).annotate(has_score=has_score)
        if side == Side.TEAM:
            queued = queued.filter(has_score=False)
        found = dict(queued.values_list("pk", "has_score"))
        stopped = Scoring.objects.filter(pk__in=found, state=State.QUEUED)
        n_stopped = stopped.update(state=State.CANCELLED, finished=Now())
        ended = Scoring.objects.filter(pk__in=found, state=State.CANCELLED)
        record_all("cancelled", Submission.objects.filter(scorings__in=ended.values("pk")).distinct(), by)
        ended.filter(pk__in=[pk for pk, was_scored in found.items() if was_scored]).delete()
    return n_stopped


def withdraw(submissions: Iterable[Submission], *, by: User | None, side: Side = Side.TEAM, reason: str = "") -> int:
    """Take submissions off the boards; they keep their numbers. Returns how many that were.

    The organisers can make a withdrawal by the team their own.
    """
    rows = Submission.objects.all()
    rows = rows.filter(withdrawn=None) if side == Side.TEAM else rows.exclude(withdrawn_as=Side.ORGANISERS)
    values = {
        "withdrawn": timezone.now(),
        "withdrawn_by": by,
        "withdrawn_as": side,
        "withdrawn_reason": reason,
    }
    return _change(rows, submissions, values, "withdrawn", by, side=side, reason=reason)


def restore(submissions: Iterable[Submission], *, by: User | None, side: Side = Side.TEAM) -> int:
    """Put submissions back on the boards, but for those that the organisers withdrew, unless they do it."""
    rows = Submission.objects.filter(withdrawn__isnull=False)
    if side == Side.TEAM:
        rows = rows.exclude(withdrawn_as=Side.ORGANISERS)
    values = {"withdrawn": None, "withdrawn_by": None, "withdrawn_as": "", "withdrawn_reason": ""}
    return _change(rows, submissions, values, "restored", by, side=side)


def set_reference(submission: Submission, reference: str, *, by: User | None) -> None:
    """Make the submission a baseline or a human run, which stands outside the ranks, or a ranked one again."""
    others = Submission.objects.exclude(reference=reference)
    _change(others, [submission], {"reference": reference}, "reference set", by, reference=reference)


def rename(submission: Submission, method: str, *, by: User | None) -> None:
    method = cleaned(method)
    others = Submission.objects.exclude(method=method)
    _change(others, [submission], {"method": method}, "method renamed", by, method=method)


def _change(
    rows: QuerySet[Submission],
    submissions: Iterable[Submission],
    values: dict[str, Any],
    kind: str,
    by: User | None,
    **detail: Any,
) -> int:
    """Set what the boards show of those submissions that are among `rows`, and tell the boards; returns how many."""
    with transaction.atomic():
        chosen = rows.filter(pk__in=[submission.pk for submission in submissions])
        # Locked, so that of two people who do the same at once only one is in the audit trail.
        found = list(chosen.order_by("pk").select_for_update().values_list("pk", flat=True))
        changed = Submission.objects.filter(pk__in=found)
        changed.update(**values)
        record_all(kind, changed, by, **detail)
        scored = Scoring.objects.filter(submission__in=found).order_by()
        teams: dict[tuple[UUID, UUID], set[UUID]] = {}
        for *board, team in scored.values_list("submission__phase", "scenario", "submission__team").distinct():
            teams.setdefault((board[0], board[1]), set()).add(team)
        # In one order, so that of two people who change runs of the same boards none waits for the other for ever.
        for (phase_id, scenario_id), own in sorted(teams.items()):
            results_changed.send(Submission, phase_id=phase_id, scenario_id=scenario_id, teams=own)
    return len(found)


def record_all(kind: str, submissions: QuerySet[Submission], by: User | None, **detail: Any) -> None:
    """An Event for each submission, in two queries."""
    Event.objects.bulk_create(
        Event(task_id=task, kind=kind, actor=by, subject=pk, detail=detail)
        for pk, task in submissions.order_by("created").values_list("pk", "phase__task_id")
    )
