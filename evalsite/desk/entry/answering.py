"""Answers teams that ask to take part, as many at once as the organisers choose."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Application, Task
from evalsite.challenges.taking_part.entering import EntryError, approve, decline


def applications_in(task: Task, sent: QueryDict) -> list[Application]:
    """Return those that were ticked; with `all`, those that waited when the page was opened.

    `all` is the time at which the newest of them was sent: a team that nobody has seen is not answered.
    """
    asked = task.applications.select_related("team")
    if "all" in sent:
        with suppress(ValueError):
            if until := parse_datetime(str(sent["all"])):
                return list(asked.filter(state=Application.State.WAITING, created__lte=until))
        return []
    return list(asked.filter(pk__in=_keys(sent.getlist("team"))))


def _keys(values: Iterable[str]) -> list[UUID]:
    keys = []
    for value in values:
        with suppress(ValueError):
            keys.append(UUID(value))
    return keys


@dataclass(frozen=True)
class Answer:
    """Names the teams that were answered, and why others could not be."""

    teams: list[Team]
    refusals: list[str]


def approve_all(applications: Iterable[Application], *, by: User) -> Answer:
    return _answer(applications, partial(approve, by=by))


def decline_all(applications: Iterable[Application], reason: str, *, by: User) -> Answer:
    return _answer(applications, partial(decline, reason=reason, by=by))


def _answer(applications: Iterable[Application], answer: Callable[[Application], None]) -> Answer:
    """Answer each by itself, so that one that cannot enter, such as a namesake, holds up no other."""
    teams, refusals = [], []
    for application in applications:
        try:
            answer(application)
            teams.append(application.team)
        except EntryError as error:
            refusals.append(str(error))
    return Answer(teams, refusals)
