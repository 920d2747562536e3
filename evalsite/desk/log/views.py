"""The page that tells what happened in a task."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evalsite.accounts.plain_admin import LongListPaginator
from evalsite.challenges.audit_trail import details, event_in_words, event_words
from evalsite.challenges.models import Event, Gold, Participation, Task
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


@dataclass(frozen=True)
class Line:
    event: Event
    happened: str
    subject: Subject | None
    details: list[tuple[str, str]]


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
    known = {*event_words(), chosen} - {"", EVERYTHING}
    return sorted(((kind, event_in_words(kind)) for kind in known), key=lambda each: each[1].casefold())


def lines_of(events: Iterable[Event], task: Task) -> Iterator[Line]:
    """Yield a line for each event, in a number of queries that does not grow with them."""
    found = list(events)
    subjects = _subjects({event.subject for event in found if event.subject}, task)
    for event in found:
        subject = subjects.get(event.subject) if event.subject else None
        yield Line(event, event_in_words(event.kind), subject, list(details(event)))


def _subjects(keys: set[UUID], task: Task) -> dict[UUID, Subject]:
    found: dict[UUID, Subject] = {}
    found |= {each.pk: Subject(str(each.name)) for each in task.phases.filter(pk__in=keys)}
    found |= {each.pk: Subject(str(each)) for each in task.scenarios.filter(pk__in=keys)}
    golds = Gold.objects.filter(pk__in=keys, phase__task=task).select_related("phase__task", "scenario")
    found |= {gold.pk: Subject(str(gold), reverse("gold", args=[gold.pk])) for gold in golds}
    runs = Submission.objects.filter(pk__in=keys, phase__task=task).select_related("team")
    found |= {run.pk: _run(run) for run in runs}
    scorings = Scoring.objects.filter(pk__in=keys, submission__phase__task=task).select_related("submission__team")
    return found | {scoring.pk: _run(scoring.submission) for scoring in scorings}


def _run(run: Submission) -> Subject:
    return Subject(f"{run.team}: {run.method}", reverse("submission", args=[run.pk]))
