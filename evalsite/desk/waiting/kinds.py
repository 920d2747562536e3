"""Lists what waits for the organisers of tasks, each kind by one function in a query or two, however many tasks."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import chain
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from evalsite.base import contrib
from evalsite.base.contrib import Waiting
from evalsite.base.moment import database_now
from evalsite.challenges.gold.openness import known_golds
from evalsite.challenges.models import Application, Gold, Phase, Scenario, Task, WaitingGold, published
from evalsite.submissions.models import RefusedUploads, Scoring, Submission
from evalsite.submissions.runs.failures import stopped_runs
from evalsite.wording import amount, relative

Tasks = QuerySet[Task]
SOON = timedelta(days=3)  # before a phase opens that has no gold yet


def waiting_in(tasks: Tasks) -> list[Waiting]:
    """Return all that waits in these tasks, but for those in the archive."""
    living = tasks.filter(archived=None)
    return [*chain.from_iterable(kind(living) for kind in KINDS), *contrib.waiting_in(living)]


def by_section(task: Task) -> Counter[str]:
    """Return how much waits in each section of the task's desk."""
    numbers: Counter[str] = Counter()
    for waiting in waiting_in(Task.objects.filter(pk=task.pk)):
        numbers[waiting.section] += waiting.n
    return numbers


def applications(tasks: Tasks) -> Iterator[Waiting]:
    """Yield the teams that ask to take part."""
    asked = Application.objects.filter(task__in=tasks, state=Application.State.WAITING).order_by()
    for task, slug, n in asked.values_list("task", "task__slug").annotate(n=Count("pk")):
        words = ngettext("%(n)s team waits for your answer.", "%(n)s teams wait for your answer.", n)
        address = reverse("desk_entry", args=[slug])
        yield Waiting(task, "desk_entry", n, words % {"n": amount(n)}, gettext("Answer them"), address)


def failures(tasks: Tasks) -> Iterator[Waiting]:
    """Yield runs that cannot be scored, through no fault of their teams, until somebody helps."""
    for task, slug, n in stopped_runs(tasks):
        words = ngettext("%(n)s run cannot be scored.", "%(n)s runs cannot be scored.", n) % {"n": amount(n)}
        yield Waiting(task, "desk", n, words, gettext("See why"), f"{reverse('desk', args=[slug])}#went-wrong")


def odd_gold(tasks: Tasks) -> Iterator[Waiting]:
    """Yield uploads of gold in which something looks odd."""
    for waiting in WaitingGold.objects.filter(phase__task__in=tasks).select_related("phase__task").order_by("created"):
        words = (
            gettext("%(phase)s: the gold %(file)s of the bundle cannot be read as it is, so it is not used yet.")
            if waiting.problems
            else gettext("%(phase)s: something looks odd in the gold %(file)s, so it is not used yet.")
        )
        words %= {"phase": waiting.phase.name, "file": waiting.file_name}
        address = reverse("desk_gold_waiting", args=[waiting.phase.task.slug, waiting.pk])
        yield Waiting(waiting.phase.task_id, "desk_gold", 1, words, gettext("Look at it"), address)


def candidates(tasks: Tasks) -> Iterator[Waiting]:
    """Yield gold that does not rank until it is published, and gold whose results by another engine do not."""
    to_publish = Q(state=Gold.State.CANDIDATE) | (Q(state=Gold.State.PUBLISHED) & ~Q(candidate_engine=""))
    golds = Gold.objects.filter(to_publish, phase__task__in=tasks).select_related("phase__task", "scenario")
    for gold in golds.order_by("phase__opens", "scenario__number"):
        words = gettext("%(phase)s, %(scenario)s: gold version %(version)s is a candidate.")
        words %= {"phase": gold.phase.name, "scenario": gold.scenario.name, "version": gold.version}
        address = reverse("desk_gold_version", args=[gold.phase.task.slug, gold.pk])
        yield Waiting(gold.phase.task_id, "desk_gold", 1, words, gettext("Publish or discard it"), address)


def missing_gold(tasks: Tasks) -> Iterator[Waiting]:
    """Yield open phases, and phases that open soon, to which nobody can upload for want of gold."""
    now = database_now()
    golds = Gold.objects.filter(phase=OuterRef("pk"), state=Gold.State.PUBLISHED)
    begun = Phase.objects.filter(task__in=tasks.filter(published(now)), opens__lt=now + SOON)
    open_ones = begun.filter(Q(closes=None) | Q(closes__gt=now)).filter(~Exists(golds))
    scenarios = Scenario.objects.filter(task=OuterRef("task"))
    for phase in open_ones.filter(Exists(scenarios)).select_related("task"):
        words = gettext("%(phase)s has no gold yet, so nobody can upload.") % {"phase": phase.name}
        address = reverse("desk_gold_add", args=[phase.task.slug, phase.slug])
        yield Waiting(phase.task_id, "desk_gold", 1, words, gettext("Add gold"), address)


def known_gold(tasks: Tasks) -> Iterator[Waiting]:
    """Yield phases with hidden gold that another phase has released, unless they are over."""
    now = database_now()
    hidden = Gold.objects.in_force().filter(phase__task__in=tasks, phase__gold_released=False)
    for gold in known_golds(hidden.filter(Q(phase__closes=None) | Q(phase__closes__gt=now))):
        words = gettext(
            "%(phase)s, %(scenario)s: everybody can download this gold because another phase has released it."
        )
        words %= {"phase": gold.phase.name, "scenario": gold.scenario.name}
        address = reverse("desk_gold_add", args=[gold.phase.task.slug, gold.phase.slug])
        yield Waiting(gold.phase.task_id, "desk_gold", 1, words, gettext("Add other gold"), address)


def refused_uploads(tasks: Tasks) -> Iterator[Waiting]:
    """Yield teams whose every upload to an open phase was refused."""
    now = database_now()
    runs = Submission.objects.filter(phase=OuterRef("phase"), team=OuterRef("team"), withdrawn=None)
    living = runs.filter(Exists(Scoring.objects.filter(submission=OuterRef("pk"), state__in=Scoring.LIVING)))
    is_open = Q(phase__closes=None) | Q(phase__closes__gt=now)
    refused = RefusedUploads.objects.filter(is_open, ~Exists(living), phase__task__in=tasks).order_by()
    teams = refused.values_list("phase__task", "phase__task__slug").annotate(n=Count("team", distinct=True))
    for task, slug, n in teams:
        words = ngettext(
            "%(n)s team has uploaded nothing but files that were refused.",
            "%(n)s teams have uploaded nothing but files that were refused.",
            n,
        )
        address = reverse("desk_teams", args=[slug])
        yield Waiting(task, "desk_teams", n, words % {"n": amount(n)}, gettext("See the teams"), address)


def results_due(tasks: Tasks) -> Iterator[Waiting]:
    """Yield phases that have closed, late uploads included, and whose results are not released."""
    now = database_now()
    closed = Phase.objects.filter(closes__lte=now, results_released=None, task__in=tasks).select_related("task")
    for phase in closed.order_by("closes"):
        if phase.state != "closed":
            continue
        words = gettext("%(phase)s closed %(closes)s; its results are not released.")
        words %= {"phase": phase.name, "closes": relative(phase.closes)}
        address = reverse("desk_release_phase", args=[phase.task.slug, phase.slug])
        yield Waiting(phase.task_id, "desk_release", 1, words, gettext("Release them"), address)


# In the order in which they are listed: people who wait before files.
KINDS: tuple[Callable[[Tasks], Iterator[Waiting]], ...] = (
    applications,
    refused_uploads,
    failures,
    odd_gold,
    candidates,
    missing_gold,
    known_gold,
    results_due,
)


def by_task(waiting: list[Waiting]) -> dict[UUID, list[Waiting]]:
    """Group what waits by its task."""
    grouped: dict[UUID, list[Waiting]] = {}
    for item in waiting:
        grouped.setdefault(item.task, []).append(item)
    return grouped
