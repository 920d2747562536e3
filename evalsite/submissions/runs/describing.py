"""What a team tells of its run: changed by its members until a date, and by organisers; each change is recorded."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.audit_trail import as_text
from evalsite.challenges.models import FactSheet, Task, record
from evalsite.challenges.revisions import raise_revision
from evalsite.submissions.models import Submission

TOLD = ("description", "shows_description", "affiliation", "link", "code", "is_contrastive", "facts")  # fields of a run


def sheet_of(task: Task) -> FactSheet:
    """Return the task's fact sheet; one without fields, not stored, where the organisers ask for nothing."""
    return getattr(task, "fact_sheet", None) or FactSheet(task=task)


def may_describe(side: Submission.Side | None, submission: Submission, sheet: FactSheet) -> bool:
    if side != Submission.Side.TEAM:
        return side == Submission.Side.ORGANISERS
    return submission.withdrawn is None and not submission.phase.task.archived and sheet.is_open(submission.phase)


def describe(submission: Submission, values: Mapping[str, Any], *, by: User) -> bool:
    """Store what is told of the run, and return whether it is something new."""
    with transaction.atomic():
        stored = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
        pairs = {name: (as_text(getattr(stored, name)), as_text(values[name])) for name in TOLD if name in values}
        changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if not changed:
            return False
        for name in changed:
            setattr(stored, name, values[name])
        stored.save(update_fields=list(changed))
        task = submission.phase.task
        record(task, "run described", actor=by, subject=submission.pk, name=submission.method, changes=changed)
        raise_revision([task.pk])
    return True
