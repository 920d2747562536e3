"""Answers very many teams that ask to take part in a background job: the same answers, some teams at a time."""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from django.db import transaction

from evalsite.accounts.language import in_language_of
from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import recent_job, start_job
from evalsite.background.services import ReportProgress, handles
from evalsite.challenges.models import Application, Task
from evalsite.desk.entry.answering import Answer, answer_all

KIND = "answer to teams"
MAX_IN_REQUEST = 50  # teams; more are not answered within a request
STEP = 25  # teams of one transaction


def enqueue(task: Task, applications: Sequence[Application], declined_for: str, *, by: User) -> Job | None:
    """Return a new job for these teams; None while another one is at work in this task."""
    keys = [str(application.pk) for application in applications]
    arguments = {"applications": keys, "declined_for": declined_for}
    return start_job(KIND, subject=task.pk, task=task, by=by, arguments=arguments)


def shown_job(task: Task) -> Job | None:
    return recent_job(KIND, task.pk)


@handles(KIND)
def carry_on(job: Job, report: ReportProgress) -> bool:
    """Continue where the previous worker has stopped: progress is stored in the transaction of each step."""
    keys, answer = [UUID(key) for key in job.arguments["applications"]], Answer(**job.result)
    if job.made_by is None:
        return True
    for first in range(job.done, len(keys), STEP):
        chosen = Application.objects.filter(pk__in=keys[first : first + STEP]).select_related("team")
        with transaction.atomic(), in_language_of(job.made_by):
            answer += answer_all(chosen, job.arguments["declined_for"], by=job.made_by)
            job.leased.update(result=asdict(answer))
            report(min(first + STEP, len(keys)), len(keys))
    return True
