"""Changes of stored runs: cancelled, withdrawn, restored, renamed, marked, deleted with their task."""

from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.accounts.names import cleaned
from evalsite.background.models import Job
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges import services
from evalsite.challenges.models import Event, Participation, Task
from evalsite.challenges.taking_part.teams import has_uploads_of_teams, house_team_of
from evalsite.submissions import notices
from evalsite.submissions.boards import update_board
from evalsite.submissions.models import Choice, Judgement, Result, Scoring, Submission

State = Scoring.State
Side = Submission.Side


def cancel(submissions: Iterable[Submission], *, by: User | None, side: Side = Side.TEAM) -> int:
    """Cancel what has not begun to run; return how many scorings that were.

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
        scored = dict(queued.values_list("pk", "has_score"))
        stopped = Scoring.objects.filter(pk__in=scored, state=State.QUEUED)
        n_stopped = stopped.update(state=State.CANCELLED, finished=Now())
        ended = Scoring.objects.filter(pk__in=scored, state=State.CANCELLED)
        record_all("cancelled", Submission.objects.filter(scorings__in=ended.values("pk")).distinct(), by)
        ended.filter(pk__in=[pk for pk, was_scored in scored.items() if was_scored]).delete()
    return n_stopped


def withdraw(
    submissions: Iterable[Submission],
    *,
    by: User | None,
    side: Side = Side.TEAM,
    reason: str = "",
    at: datetime | None = None,
) -> int:
    """Take submissions off the boards, now or since `at`; they keep their numbers. Return how many that were.

    The organisers can make a withdrawal by the team their own.
    """
    rows = Submission.objects.all()
    rows = rows.filter(withdrawn=None) if side == Side.TEAM else rows.exclude(withdrawn_as=Side.ORGANISERS)
    chosen, at = list(submissions), at or timezone.now()
    values = {
        "withdrawn": at,
        "withdrawn_by": by,
        "withdrawn_as": side,
        "withdrawn_reason": reason,
    }
    with transaction.atomic():
        is_public = side == Side.ORGANISERS  # who give it have been told so
        n_changed = _change(rows, chosen, values, "withdrawn", by, side=side, reason=reason, is_public=is_public)
        if side == Side.ORGANISERS:
            notices.post_withdrawn(at, [run.pk for run in chosen], reason)
    return n_changed


def restore(submissions: Iterable[Submission], *, by: User | None, side: Side = Side.TEAM) -> int:
    """Put submissions back on the boards; what the organisers withdrew, they alone can restore."""
    rows = Submission.objects.filter(withdrawn__isnull=False)
    if side == Side.TEAM:
        rows = rows.exclude(withdrawn_as=Side.ORGANISERS)
    values = {"withdrawn": None, "withdrawn_by": None, "withdrawn_as": "", "withdrawn_reason": ""}
    return _change(rows, submissions, values, "restored", by, side=side)


def set_reference(submission: Submission, reference: str, *, by: User | None) -> None:
    """Make the submission a baseline, a human run or a trial of the organisers, and their house team's."""
    if not reference:
        raise ValueError("a run of the organisers is never ranked")
    with transaction.atomic():
        house, former = house_team_of(submission.phase.task), submission.team
        changed = {"reference": [submission.reference, reference]}
        if former != house:
            changed["team"] = [former.name, house.name]
            Choice.objects.filter(submission=submission).delete()
        marks = dict.fromkeys(("is_late", "is_beyond_limit", "is_reported"), False)
        values = {"reference": reference, "team": house, "allowance": None, **marks}
        others = Submission.objects.exclude(reference=reference)
        _change(others, [submission], values, "reference set", by, former={former.pk}, changed=changed)
        if not former.submissions.filter(phase__task=submission.phase.task_id).exists():
            Participation.objects.filter(task=submission.phase.task_id, team=former).delete()


def set_late(submissions: Iterable[Submission], is_late: bool, *, by: User | None) -> int:
    """Mark teams' runs as late, or as in time, whenever they came; return how many that changed."""
    others = Submission.objects.filter(reference="").exclude(is_late=is_late)
    kind = "marked as late" if is_late else "marked as in time"
    return _change(others, submissions, {"is_late": is_late}, kind, by)


def rename(submission: Submission, method: str, *, by: User | None) -> None:
    method = cleaned(method)
    others = Submission.objects.exclude(method=method)
    changed = {"method": [submission.method, method]}
    _change(others, [submission], {"method": method}, "method renamed", by, changed=changed)


def _change(
    rows: QuerySet[Submission],
    submissions: Iterable[Submission],
    values: dict[str, Any],
    kind: str,
    by: User | None,
    *,
    former: Collection[UUID] = (),
    **detail: Any,
) -> int:
    """Set what the boards show of those submissions that are among `rows`, and update the boards; return how many.

    `former` are teams whose runs they were.
    """
    with transaction.atomic():
        chosen = rows.filter(pk__in=[submission.pk for submission in submissions])
        # Locked, so that of two people who do the same at once only one is in the log.
        keys = list(chosen.order_by("pk").select_for_update().values_list("pk", flat=True))
        changed = Submission.objects.filter(pk__in=keys)
        changed.update(**values)
        record_all(kind, changed, by, **detail)
        update_boards(keys, *former)
    return len(keys)


def update_boards(submissions: Iterable[UUID], *teams: UUID) -> None:
    """Update the boards of these runs, for their teams and for those that are named."""
    scored = Scoring.objects.filter(submission__in=submissions).order_by()
    changed: dict[tuple[UUID, UUID], set[UUID]] = {}
    for *board, team in scored.values_list("submission__phase", "scenario", "submission__team").distinct():
        changed.setdefault((board[0], board[1]), set(teams)).add(team)
    # In one order, to avoid a deadlock of two people who change runs of the same boards.
    for (phase_id, scenario_id), changed_teams in sorted(changed.items()):
        update_board(phase_id, scenario_id, teams=changed_teams)


def record_all(kind: str, submissions: QuerySet[Submission], by: User | None, **detail: Any) -> None:
    """Record an event for each submission, in two queries."""
    Event.objects.bulk_create(
        Event(task_id=task, kind=kind, actor=by, subject=pk, detail=detail)
        for pk, task in submissions.order_by("created").values_list("pk", "phase__task_id")
    )


def delete_task(task: Task, *, by: User | None) -> bool:
    """Delete a task with the organisers' own runs and all files; return False where a team has uploaded a run."""
    try:
        with transaction.atomic():
            locked = Task.objects.select_for_update(of=("self",)).select_related("house").get(pk=task.pk)
            if has_uploads_of_teams(locked):
                return False
            delete_runs(Submission.objects.filter(phase__task=locked, team=locked.house))
            delete_after_commit(job.file for job in Job.objects.filter(task=locked) if job.file)
            services.delete_task(locked, by=by)
    except ProtectedError:  # an upload has arrived meanwhile
        return False
    return True


def delete_runs(runs: QuerySet[Submission]) -> None:
    """Delete runs of the organisers in a task that no team has uploaded to, with their results and files."""
    runs = Submission.objects.filter(pk__in=[run.pk for run in runs])  # however they were chosen
    with transaction.atomic():
        results = Result.objects.filter(scoring__submission__in=runs)
        judgements = Judgement.objects.filter(submission__in=runs)
        files = [
            *(run.file for run in runs),
            *(judgement.file for judgement in judgements),
            *chain.from_iterable((result.evaluation, result.unthinned) for result in results),
        ]
        boards = set(Scoring.objects.filter(submission__in=runs).values_list("submission__phase", "scenario"))
        Scoring.objects.filter(submission__in=runs).delete()
        runs.delete()
        delete_after_commit(file for file in files if file)
        for phase, scenario in boards:
            update_board(phase, scenario, recounts=True)
