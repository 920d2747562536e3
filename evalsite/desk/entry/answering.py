"""Answers teams that ask to take part, as many at once as the organisers choose."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from evalsite.accounts.models import User
from evalsite.challenges.models import Application, Task
from evalsite.challenges.taking_part.entering import EntryError, approve, decline

MOST_TOLD = 5  # teams that could not be answered


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
    """Counts the teams that were answered, names the first, and tells why others could not be."""

    n_teams: int = 0
    team: str = ""
    refusals: Sequence[str] = ()  # the first ones
    n_more: int = 0  # that are not told

    def __add__(self, later: "Answer") -> "Answer":
        refusals = [*self.refusals, *later.refusals]
        return Answer(
            self.n_teams + later.n_teams,
            self.team or later.team,
            refusals[:MOST_TOLD],
            self.n_more + later.n_more + len(refusals[MOST_TOLD:]),
        )


def answer_all(applications: Iterable[Application], declined_for: str, *, by: User) -> Answer:
    """Approve the teams, or decline them for the reason.

    Each is answered by itself, so that one that cannot enter, such as a namesake, holds up no other.
    """
    answer = partial(decline, reason=declined_for, by=by) if declined_for else partial(approve, by=by)
    return sum((_answered(application, answer) for application in applications), Answer())


def _answered(application: Application, answer: Callable[[Application], None]) -> Answer:
    try:
        answer(application)
    except EntryError as error:
        return Answer(refusals=[str(error)])
    return Answer(1, str(application.team))
