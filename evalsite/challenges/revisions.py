"""Counts changes of a task's public pages, by which a cached page is known to be current.

What organisers set, and what teams are called, raises `Task.revision` in the transaction that changes it: no earlier
page is shown afterwards. What comes by itself, new boards and participants, raises `Task.news` once it is stored: pages
may lag some seconds behind it, and results never wait for each other at the row of their task.

Signals cover rows that are saved and deleted. Whoever writes by `update` or `bulk_create` calls these functions.
"""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import F, Model
from django.db.models.signals import post_delete, post_save

from evalsite.accounts.models import Team, User
from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import (
    Announcement,
    Download,
    EntryRules,
    FactSheet,
    FormerParticipation,
    Gold,
    Organiser,
    Page,
    Participation,
    Phase,
    Picture,
    Scenario,
    Task,
    TeamNumber,
)

Tasks = Iterable[UUID]


def raise_revision(tasks: Tasks) -> None:
    """Count a change of these tasks, inside its transaction."""
    Task.objects.filter(pk__in=list(tasks)).update(revision=F("revision") + 1)


def raise_news(tasks: Tasks) -> None:
    """Count news of these tasks, once the transaction is stored."""
    after_commit(_raise_news, list(tasks))


def _raise_news(tasks: list[UUID]) -> None:
    Task.objects.filter(pk__in=tasks).update(news=F("news") + 1)


def _of_gold(gold: Gold) -> Tasks:
    """Return the gold's task, and those that have the same: what all tell of it is added up."""
    same = Gold.objects.exclude(digest="").filter(digest=gold.digest)
    return {*_of_phase(gold), *same.values_list("phase__task", flat=True)}


def _of_phase(row: Gold | TeamNumber) -> Tasks:
    return Phase.objects.filter(pk=row.phase_id).values_list("task_id", flat=True)


def _entered(team: Team) -> Tasks:
    return Participation.objects.filter(team=team).values_list("task_id", flat=True)


def _organised(user: User) -> Tasks:
    return Organiser.objects.filter(user=user).values_list("task_id", flat=True)


def _with_the_same_gold(phase: Phase) -> Tasks:
    """Return the phase's task, and those whose pages say that gold of theirs is public where this phase releases it."""
    digests = Gold.objects.filter(phase=phase).exclude(digest="").values("digest")
    return {phase.task_id, *Gold.objects.filter(digest__in=digests).values_list("phase__task", flat=True)}


def _task_of(row: Any) -> Tasks:
    return [row.task_id]


# Functions that return the tasks on whose pages a row is shown, by model.
SET: dict[type[Model], Callable[[Any], Tasks]] = {
    Task: lambda task: [task.pk],
    **dict.fromkeys(
        (Scenario, Organiser, Download, Page, Picture, Announcement, FormerParticipation, EntryRules, FactSheet),
        _task_of,
    ),
    Phase: _with_the_same_gold,
    Gold: _of_gold,
    Team: _entered,
    User: _organised,
}
COMING: dict[type[Model], Callable[[Any], Tasks]] = {Participation: _task_of, TeamNumber: _of_phase}
# Few fields of accounts and teams are shown, and logging in saves an account.
SHOWN = {User: {"name", "affiliation", "is_active"}, Team: {"name"}}


def count(sender: type[Model], instance: Model, update_fields: Iterable[str] | None = None, **signal: Any) -> None:
    if update_fields is not None and SHOWN.get(sender, set(update_fields)).isdisjoint(update_fields):
        return
    if sender in SET:
        raise_revision(SET[sender](instance))
    else:
        raise_news(COMING[sender](instance))


for _model in (*SET, *COMING):  # one by one: a receiver of all models would slow down each deletion of many rows
    post_save.connect(count, sender=_model, dispatch_uid="revision-of-task")
    post_delete.connect(count, sender=_model, dispatch_uid="revision-of-task")
