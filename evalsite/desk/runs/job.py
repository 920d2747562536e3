"""Changes very many runs in a background job: the same actions, some runs at a time."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import recent_job, start_job
from evalsite.background.services import ReportProgress, handles
from evalsite.challenges.models import Task
from evalsite.desk.runs.bulk import ACTIONS, Action, Selection
from evalsite.submissions.models import Submission

KIND = "action on runs"
MAX_IN_REQUEST = 300  # runs; more are not done within a request
STEP = 500  # runs of one transaction
_HEX = 32  # digits of a key


def enqueue(action: Action, selection: Selection, *, by: User, **fields: Any) -> Job | None:
    """Return a new job for the runs that are selected now; None while another one is at work in this task."""
    keys = "".join(key.hex for key in selection.runs.values_list("pk", flat=True))
    arguments = {"action": action.name, "runs": keys, **fields}
    return start_job(KIND, subject=selection.task.pk, task=selection.task, by=by, arguments=arguments)


def shown_job(task: Task) -> Job | None:
    return recent_job(KIND, task.pk)


def action_of(job: Job) -> Action | None:
    return next((action for action in ACTIONS if action.name == job.arguments["action"]), None)


@handles(KIND)
def carry_on(job: Job, report: ReportProgress) -> bool:
    """Continue where the previous worker has stopped: progress is stored in the transaction of each step."""
    action, fields = action_of(job), {name: job.arguments[name] for name in ("reason",) if name in job.arguments}
    if action is None or job.made_by is None:
        return True
    keys = _keys(job.arguments["runs"])
    n_changed = job.result.get("changed", 0)
    for first in range(job.done, len(keys), STEP):
        runs = [Submission(pk=key) for key in keys[first : first + STEP]]
        with transaction.atomic():
            n_changed += action.run(runs, by=job.made_by, **fields)
            job.leased.update(result={"changed": n_changed})
            report(first + len(runs), len(keys))
    return True


def _keys(text: str) -> Sequence[UUID]:
    return [UUID(text[at : at + _HEX]) for at in range(0, len(text), _HEX)]
