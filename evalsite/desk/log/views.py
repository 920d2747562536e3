"""The page that tells what happened in a task."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from evalsite.accounts.plain_admin import LongListPaginator
from evalsite.challenges.audit_trail import details, event_in_words, event_words
from evalsite.challenges.models import Event, Gold, Participation, Task, set_numbers
from evalsite.desk.access import desk_page
from evalsite.submissions.models import Scoring, Submission

LINES_A_PAGE = 30
EVERYTHING = "all"  # instead of a kind; without either, uploads are left out, which would hide all else


@require_safe
@desk_page()
def log(request: HttpRequest, task: Task) -> HttpResponse:
    kind = request.GET.get("kind", "")[:40]
    page = LongListPaginator(events_of(task, kind), LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": lines_of(page, task),
        "kind": kind,
        "kinds": kinds(kind),
        "everything": EVERYTHING,
    }
    return render(request, "desk/log/log.html", context)


@dataclass(frozen=True)
class Subject:
    """The object of an event, if it still exists."""

    name: str
    address: str = ""
    group: str = ""  # what it has in common with others, such as the phase of gold; its name stands behind that
    tells: Collection[str] = ()  # which values of an event its name has already


@dataclass(frozen=True)
class Line:
    """An event, or several of one minute that differ in their subjects alone, such as the golds of one upload."""

    event: Event
    happened: str
    subjects: list[Subject]
    details: list[tuple[str, str]]

    @property
    def groups(self) -> list[tuple[str, list[Subject]]]:
        """Return the subjects with what they have in common, the oldest first."""
        groups: dict[str, list[Subject]] = {}
        for subject in reversed(self.subjects):
            groups.setdefault(subject.group, []).append(subject)
        return list(groups.items())

    def goes_on(self, event: Event, details: list[tuple[str, str]]) -> bool:
        """Return whether the event differs from this one in its subject alone."""
        return bool(self.subjects and details == self.details and _alike(event) == _alike(self.event))


def _alike(event: Event) -> tuple[object, ...]:
    return event.kind, event.actor_id, event.team_id, event.created.replace(second=0, microsecond=0)


def events_of(task: Task, kind: str = "") -> QuerySet[Event]:
    """Return the events of the task, and of the teams that have entered it, the newest first.

    `kind` is that of the events, or EVERYTHING; without it all but uploads are returned.
    """
    teams = Participation.objects.filter(task=task).values("team")
    events = Event.objects.filter(Q(task=task) | Q(team__in=teams)).select_related("team", "actor")
    if kind == EVERYTHING:
        return events
    return events.filter(kind=kind) if kind else events.exclude(kind="submitted")


def kinds(chosen: str) -> list[tuple[str, str]]:
    """Return all kinds of events with their words, also the chosen one if no word is known for it."""
    names = {*event_words(), chosen} - {"", EVERYTHING}
    return sorted(((kind, event_in_words(kind)) for kind in names), key=lambda pair: pair[1].casefold())


def lines_of(events: Iterable[Event], task: Task) -> list[Line]:
    """Return the lines of the events, in a number of queries that does not grow with them."""
    listed, lines = list(events), list[Line]()
    subjects = _subjects({event.subject for event in listed if event.subject}, task)
    for event in listed:
        subject = subjects.get(event.subject) if event.subject else None
        values = list(details(event, but=subject.tells if subject else ()))
        if subject and lines and lines[-1].goes_on(event, values):
            lines[-1].subjects.append(subject)
        else:
            lines.append(Line(event, event_in_words(event.kind), [subject] if subject else [], values))
    return lines


def _subjects(keys: set[UUID], task: Task) -> dict[UUID, Subject]:
    subjects: dict[UUID, Subject] = {}
    subjects |= {
        phase.pk: Subject(str(phase.name), tells=("name", "phase")) for phase in task.phases.filter(pk__in=keys)
    }
    subjects |= {
        scenario.pk: Subject(str(scenario), tells=("name",)) for scenario in task.scenarios.filter(pk__in=keys)
    }
    golds = list(Gold.objects.filter(pk__in=keys, phase__task=task).select_related("phase__task", "scenario"))
    set_numbers(golds)
    subjects |= {gold.pk: _gold(gold) for gold in golds}
    runs = Submission.objects.filter(pk__in=keys, phase__task=task).select_related("team")
    subjects |= {run.pk: _run(run) for run in runs}
    scorings = Scoring.objects.filter(pk__in=keys, submission__phase__task=task).select_related("submission__team")
    return subjects | {scoring.pk: _run(scoring.submission) for scoring in scorings}


def _gold(gold: Gold) -> Subject:
    words = gettext("%(phase)s, gold version %(version)s, scenario")
    group = words % {"phase": gold.phase.name, "version": gold.number}
    address = reverse("gold", args=[gold.pk])
    return Subject(str(gold.scenario.number), address, group=group, tells=("scenario", "version"))


def _run(run: Submission) -> Subject:
    return Subject(f"{run.team}: {run.method}", reverse("submission", args=[run.pk]), tells=("side",))
