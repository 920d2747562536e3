"""Deleting a task that no team has uploaded anything to, with the organisers' own runs and all files."""

from itertools import chain

from django.db import transaction
from django.db.models import ProtectedError

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges import services
from evalsite.challenges.models import Task
from evalsite.challenges.teams import has_uploads_of_teams
from evalsite.submissions.models import Result, Scoring, Submission


def delete_task(task: Task, *, by: User | None) -> bool:
    """Whether it is gone: not where a team has uploaded a run, also not in this very moment."""
    try:
        with transaction.atomic():
            locked = Task.objects.select_for_update(of=("self",)).select_related("house").get(pk=task.pk)
            if has_uploads_of_teams(locked):
                return False
            _delete_runs(locked)
            services.delete_task(locked, by=by)
    except ProtectedError:  # an upload has come in between
        return False
    return True


def _delete_runs(task: Task) -> None:
    """Those of the house team, with what was scored of them, and the files of jobs."""
    runs = Submission.objects.filter(phase__task=task, team=task.house)
    results = Result.objects.filter(scoring__submission__in=runs)
    files = [
        *(run.file for run in runs),
        *chain.from_iterable((result.evaluation, result.unthinned) for result in results),
        *(job.file for job in Job.objects.filter(task=task)),
    ]
    Scoring.objects.filter(submission__in=runs).delete()
    runs.delete()
    delete_after_commit(file for file in files if file)
