"""Admits an upload: within the phase, the limits and one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Now
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.accounts.names import cleaned
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Phase, Scenario, Task, record
from evalsite.challenges.storage.files import stored_with_row
from evalsite.challenges.taking_part.entering import obstacle
from evalsite.challenges.taking_part.teams import (
    NameTaken,
    house_team_of,
    merged_in_words,
    merged_into,
    namesake,
    participate,
)
from evalsite.challenges.wording import notice_of_brought
from evalsite.submissions.models import Allowance, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD
from evalsite.submissions.quotas import Availability, Quota, availability, quota, teams_bound_to
from evalsite.submissions.runs.banning import ban_in_words, ban_notice
from evalsite.submissions.runs.mending import Mend, mend_for, open_mends, take_place
from evalsite.submissions.uploads import Upload
from evalsite.wording import counted, utc
from evalsite.wording import size as file_size

submission_stored = Signal()  # sent with `submission`, as the last thing that the transaction of an upload does
State = Scoring.State
Side = Submission.Side


class Rejection(Exception):
    """The upload is not admitted; the message tells the participant why, and what to do."""

    def __init__(self, message: str, remedy: "Remedy | None" = None) -> None:
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Remedy:
    """A page on which the participant can remove the obstacle."""

    words: str
    address: str


class Repetition(Exception):
    """The team has uploaded the same bytes before: nothing is stored or counted."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(str(submission))
        self.submission = submission


@dataclass(frozen=True)
class Standing:
    """A person's team in a phase: its quota, and why the person cannot upload for it, "" if that is possible."""

    team: Team
    quota: Quota
    reason: str = ""
    remedy: Remedy | None = None

    @property
    def key(self) -> str:
        """Return the value by which a form names the team."""
        return str(self.team.pk)


def teams_of(user: User, task: Task) -> list[Team]:
    """Return the person's teams, with `has_entered` for whether they are in the task, and why if they are banned."""
    entry = FilteredRelation("participations", condition=Q(participations__task=task))
    entered = Team.objects.annotate(entry=entry, entry_id=F("entry__pk"), ban_reason=F("entry__ban_reason"))
    teams: list[Any] = list(entered.filter(members=user))
    for team in teams:
        team.has_entered = team.entry_id is not None
    return teams


def standings(
    phase: Phase,
    user: User,
    now: datetime,
    teams: Sequence[Team] | None = None,
    bound: Sequence[Team] | None = None,
) -> list[Standing]:
    """Return one for each team of the person; those that the person can upload for come first.

    `teams` are `teams_of` the person and `bound` the `teams_bound_to` it, where the caller has them.
    """
    user_teams = teams_of(user, phase.task) if teams is None else teams
    bans = [ban_in_words(team, reason) for team in user_teams if (reason := getattr(team, "ban_reason", ""))]
    if bans:
        return [Standing(team, quota(phase, team, now), bans[0]) for team in user_teams]
    bound = teams_bound_to(phase, user) if bound is None else bound
    listed = [_standing(phase, team, user, bound, now) for team in user_teams]
    return sorted(
        listed,
        key=lambda standing: (
            bool(standing.reason),
            standing.quota.left == 0,
            not _has_entered(phase.task, standing.team),
        ),
    )


def _standing(phase: Phase, team: Team, user: User, bound: Sequence[Team], now: datetime) -> Standing:
    left = quota(phase, team, now)
    try:
        _require_entry(phase, team)
        _require_one_team(phase, team, user, bound)
        _require_own_name(phase, team, user)
    except Rejection as rejection:
        return Standing(team, left, str(rejection), rejection.remedy)
    return Standing(team, left)


@dataclass(frozen=True)
class RunDetails:
    """What the uploader says about a run."""

    method: str
    description: str = ""
    link: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # answers to the fact sheet, by key of its fields
    is_sample: bool = False  # whether the files are the site's own sample


def submit(
    phase: Phase,
    team: Team,
    uploader: User,
    upload: Upload,
    scenarios: list[Scenario],
    details: RunDetails,
    *,
    arrived: datetime,
    is_enqueued: bool = False,
) -> Submission:
    """Store the upload and queue its scorings, all or nothing; raise Rejection, Repetition, or the storage's OSError.

    The file is stored before the transaction begins, or whoever waits for its locks would wait for the storage
    too; it is removed again if the upload is not admitted. `is_enqueued`: see `queue`.
    """
    _require_uploads(scenarios)
    submission = _new_submission(phase, uploader, upload, arrived, details)
    submission.is_reported = any(scenario.is_brought for scenario in scenarios)
    with stored_with_row(submission.file, upload.name, upload.path):
        # One upload of a person and of a team at a time: two simultaneous ones must neither both be the last that the
        # limits allow nor be for two teams.
        if phase.is_limited:
            User.objects.select_for_update(no_key=True).get(pk=uploader.pk)
        team = Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        phase, n_stored, has_same = _reload(phase, team, upload.sha256)
        if has_same and (same := _find_duplicate(phase, team, upload.sha256, scenarios)):
            raise Repetition(same)
        submission.allowance, mend = _require_all(phase, team, uploader, arrived, scenarios, submission.method)
        _require_room(team, n_stored, upload.size)
        submission.phase, submission.team = phase, team
        submission.is_late = phase.is_late(arrived)
        if mend:
            submission.mends, submission.is_late = mend.run, mend.run.is_late
        if not _has_entered(phase.task, team):
            _enter_task(phase, team, uploader)
        _store(submission, scenarios, is_enqueued=is_enqueued)
        if submission.mends:
            take_place(submission)
    return submission


def submit_for_house(
    phase: Phase,
    reference: str,
    uploader: User,
    upload: Upload,
    scenarios: list[Scenario],
    details: RunDetails,
    *,
    arrived: datetime,
    is_enqueued: bool = False,
    team: Team | None = None,
) -> Submission:
    """Submit a baseline, a human run or a trial of the organisers: at any time, and beside all limits.

    With `team` and without a reference it is a run of this team that the organisers bring; it enters the task if it has
    not yet. Raise NameTaken.
    """
    submission = _new_submission(phase, uploader, upload, arrived, details)
    submission.reference = reference
    with stored_with_row(submission.file, upload.name, upload.path):
        if team:
            participate(phase.task, team)
        submission.team = team or house_team_of(phase.task)
        _store(submission, scenarios, is_enqueued=is_enqueued)
    return submission


def _new_submission(phase: Phase, uploader: User, upload: Upload, arrived: datetime, details: RunDetails) -> Submission:
    return Submission(
        phase=phase,
        uploader=uploader,
        method=cleaned(details.method),
        description=details.description,
        link=details.link,
        facts=details.facts,
        is_sample=details.is_sample,
        file_name=upload.name,
        size=upload.size,
        sha256=upload.sha256,
        created=arrived,
    )


def _store(submission: Submission, scenarios: list[Scenario], *, is_enqueued: bool) -> None:
    submission.save(force_insert=True)
    queued = queue(submission, scenarios, is_enqueued=is_enqueued)
    submission.queued = [scoring.pk for scoring in queued if not scoring.awaits_judge]
    detail: dict[str, Any] = {"sha256": submission.sha256}
    if submission.reference:
        detail["reference"] = submission.reference
    if submission.allowance:
        detail["reason"] = submission.allowance.reason
    record(submission.phase.task, "submitted", actor=submission.uploader, subject=submission.pk, **detail)
    submission_stored.send(Submission, submission=submission)


def _reload(phase: Phase, team: Team, sha256: str) -> tuple[Phase, int, bool]:
    """Return the phase as it is now, how many bytes the team has stored in the task, and whether it has these bytes.

    These are two short queries, since all others of the team wait for them; the first also sets `has_entered`.
    """
    entry = FilteredRelation("task__participations", condition=Q(task__participations__team=team))
    current: Any = _phases_to_admit().annotate(entry=entry, entry_id=F("entry__pk")).get(pk=phase.pk)
    team.has_entered = current.entry_id is not None  # type: ignore[attr-defined]
    stored = Submission.objects.filter(team=team, phase__task=current.task_id).aggregate(
        n_bytes=Sum("size"), n_same=Count("pk", filter=Q(phase=phase, sha256=sha256))
    )
    return current, stored["n_bytes"] or 0, stored["n_same"] > 0


@cache  # built once, as each upload asks it of its phase
def _phases_to_admit() -> QuerySet[Phase]:
    """Return all phases, of which as much is read as admits an upload, and names it in its receipt."""
    times = ("opens", "closes", "late_until", "is_paused", "mend_days", "gold_released")
    limits = ("window_limit", "window", "year_limit", "year", "total_limit")
    task = ("task__slug", "task__archived")
    rules = ("task", "way", "closes", "terms", "terms_version", "questions")
    phases = Phase.objects.select_related("task__entry_rules")
    return phases.only("slug", *times, *limits, *task, *(f"task__entry_rules__{name}" for name in rules))


def admit(phase: Phase, team: Team, uploader: User, sha256: str, chosen: list[Scenario], *, arrived: datetime) -> None:
    """Raise Rejection for what is known before the files are read, or Repetition for bytes that are known."""
    try:
        _require_uploads(chosen)
        _require_all(phase, team, uploader, arrived, chosen)
    except Rejection:
        if same := _find_duplicate(phase, team, sha256, chosen):
            raise Repetition(same) from None
        raise


def _require_all(
    phase: Phase, team: Team, uploader: User, arrived: datetime, chosen: Sequence[Scenario], method: str = ""
) -> tuple[Allowance | None, Mend | None]:
    """Return the allowance that the upload uses, if it is beyond the limits, or the run that it mends instead.

    It mends one where nothing else lets it in: after the phase has closed, or when no upload is left.
    """
    is_over = phase.closes is not None and arrived >= phase.closes
    mend = mend_for(open_mends(phase, [team], arrived), chosen, method) if is_over else None
    if mend is None:
        _require_open(phase, arrived)
    _require_not_banned(phase.task, uploader)
    _require_entry(phase, team)
    _require_one_team(phase, team, uploader, teams_bound_to(phase, uploader))
    _require_own_name(phase, team, uploader)
    if mend:
        return None, mend
    available = availability(phase, team, arrived)
    if not available.is_free:
        mend = mend_for(open_mends(phase, [team], arrived), chosen, method)
    return (None, mend) if mend else (_require_quota(available, team), None)


def _require_uploads(scenarios: Sequence[Scenario]) -> None:
    if not all(scenario.takes_uploads for scenario in scenarios):
        raise Rejection(notice_of_brought())


def _require_open(phase: Phase, now: datetime) -> None:
    if phase.task.archived:
        raise Rejection(gettext("This task is in the archive: it no longer accepts uploads."))
    if now < phase.opens:
        words = gettext("This phase opens on %(time)s. Upload again then.")
        raise Rejection(words % {"time": utc(phase.opens)})
    if phase.closes and now >= phase.closes and not phase.is_late(now):
        words = gettext("This phase closed on %(time)s; the last byte of your upload arrived on %(now)s.")
        raise Rejection(words % {"time": utc(phase.late_until or phase.closes), "now": utc(now)})
    if phase.is_paused:
        raise Rejection(gettext("The organisers have paused this phase. Try again later."))


def _require_not_banned(task: Task, uploader: User) -> None:
    """Refuse members of a banned team, also for another one: by it they would come back."""
    if words := ban_notice(task, uploader):
        raise Rejection(words)


def _require_quota(available: Availability, team: Team) -> Allowance | None:
    if available.is_free:
        return available.allowance
    if available.quota.next_possible:
        words = gettext("%(team)s has used its %(uploads)s. The next one is possible on %(time)s.")
        uploads, time = counted(available.quota.most, "upload"), utc(available.quota.next_possible)
        raise Rejection(words % {"team": team, "uploads": uploads, "time": time})
    raise Rejection(gettext("%(team)s has used all uploads of this phase.") % {"team": team})


def _require_room(team: Team, stored: int, size: int) -> None:
    """Bound the stored bytes: a phase without a limit is no store for files of any size."""
    if stored + size > settings.MAX_STORED_BYTES:
        words = gettext(
            "%(team)s has %(size)s of uploads in this task, and the limit for a team is %(most)s. Write to "
            "the organisers if you need more."
        )
        most = file_size(settings.MAX_STORED_BYTES)
        raise Rejection(words % {"team": team, "size": file_size(stored), "most": most})


def _require_one_team(phase: Phase, team: Team, uploader: User, bound: Sequence[Team]) -> None:
    if not bound or team in bound:
        return
    words = gettext(
        "You upload for %(former)s in this phase. Where uploads are limited, a person uploads for one team only. "
        "Should %(former)s and %(team)s be one team? Ask the organisers to merge them."
    )
    raise Rejection(words % {"former": bound[0], "team": team})


def _require_entry(phase: Phase, team: Team) -> None:
    if reason := obstacle(phase.task, team, has_entered=_has_entered(phase.task, team)):
        raise Rejection(reason, Remedy(gettext("Take part"), reverse("enter", args=[phase.task.slug])))


def _require_own_name(phase: Phase, team: Team, uploader: User) -> None:
    """Require a name of its own: two teams of one name could not be told apart on the task's boards."""
    if _has_entered(phase.task, team):
        return
    if now := merged_into(phase.task, team):
        raise Rejection(merged_in_words(team, now))
    other = namesake(phase.task, team)
    if other is None:
        return
    if team.memberships.filter(user=uploader, is_owner=True).exists():
        remedy = Remedy(gettext("Rename yours"), reverse("team_edit", args=[team.pk]))
        raise Rejection(gettext("Another team of this task is called %(team)s.") % {"team": other}, remedy)
    words = gettext("Another team of this task is called %(team)s. Ask the owner of yours to rename it.")
    raise Rejection(words % {"team": other})


def _has_entered(task: Task, team: Team) -> bool:
    stored: bool | None = getattr(team, "has_entered", None)
    return task.participations.filter(team=team).exists() if stored is None else stored


def _enter_task(phase: Phase, team: Team, uploader: User) -> None:
    try:
        participate(phase.task, team)
    except NameTaken:
        # Another team has entered under the name since it was checked.
        _require_own_name(phase, team, uploader)
        raise


def _find_duplicate(phase: Phase, team: Team, sha256: str, scenarios: list[Scenario]) -> Submission | None:
    """Return a submission of the same bytes by the same team that lives in all these scenarios, or without any in one.

    A run beyond the limits may be uploaded once more, when the team has a place for it.
    """
    living = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission=OuterRef("pk"), state__in=Scoring.LIVING)
    competing = Submission.objects.filter(phase=phase, team=team, withdrawn=None, is_beyond_limit=False)
    same = competing.filter(Exists(living), sha256=sha256)
    for scenario in scenarios:
        same = same.filter(Exists(living.filter(scenario=scenario)))
    return same.first()


def queue(submission: Submission, scenarios: list[Scenario], *, is_enqueued: bool = False) -> list[Scoring]:
    """Queue a new submission for the gold in force, and for a candidate and a held ranked part where there are any.

    `is_enqueued` marks the rows as enqueued now, as the caller sends their message once they are stored: if it cannot,
    the reaper finds them like those whose message was lost.
    """
    golds = golds_of([submission.phase_id], (), columns=("phase", "scenario", "version", "state", "is_input"))
    with_golds = [(scenario, golds.get((submission.phase_id, scenario.pk))) for scenario in scenarios]
    for scenario, versions in with_golds:
        if versions is None:
            raise Rejection(gettext("%(scenario)s has no gold in this phase yet.") % {"scenario": scenario})
    common = {"submission": submission, "enqueued": Now() if is_enqueued else None}
    ranking = [(scenario, versions.in_force) for scenario, versions in with_golds if versions]
    beside = [(scenario, gold) for scenario, versions in with_golds if versions for gold in versions.to_score[1:]]
    # They are scored in this order: nobody waits for a candidate.
    return Scoring.objects.bulk_create(
        Scoring(
            scenario=scenario,
            gold=gold,
            engine_version=scenario.engine_version,
            awaits_judge=scenario.is_judged or gold.is_input,
            **common,
        )
        for scenario, gold in [*ranking, *beside]
    )
