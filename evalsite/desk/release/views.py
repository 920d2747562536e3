"""The end of the phases of a task on its desk, step by step, each with who will see what by it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.base.moment import database_now
from evalsite.challenges import services
from evalsite.challenges.forms.zones import zone_called
from evalsite.challenges.models import Phase, Task
from evalsite.desk.access import desk_page
from evalsite.desk.phases.visibility import columns, sight_of
from evalsite.desk.preview.rendering import As
from evalsite.desk.release.forms import ReleaseForm
from evalsite.desk.release.steps import endings
from evalsite.desk.sections import Sections


@require_safe
@desk_page()
def phases(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/release/phases.html", {"endings": endings(task)})


@desk_page()
def phase(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = _phase(task, phase)
    rows = Phase.objects.select_related("task")
    sections = Sections(request, [ReleaseForm], lambda: rows.get(pk=found.pk))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_release_phase", task.slug, found.slug)
    context = {
        "phase": found,
        "ending": next(each for each in endings(task) if each.phase == found),
        "sections": sections,
        "columns": columns(),
        "sight": sight_of(found),
        "previews": _previews(task, found),
    }
    return render(request, "desk/release/phase.html", context, status=sections.status)


def _previews(task: Task, phase: Phase) -> list[tuple[str, str]]:
    """Ways to see the task's page as others will once the results are released."""
    at = phase.results_released or max(timezone.now(), phase.closes or timezone.now()) + timedelta(minutes=1)
    names = {As.STRANGER: gettext("as a stranger"), As.PARTICIPANT: gettext("as a participant")}
    return [(words, preview_address(task, who, at)) for who, words in names.items()]


def preview_address(task: Task, who: As, at: datetime) -> str:
    local = at.astimezone(zone_called(task.zone))
    query = {"as": who, "at_0": f"{local:%Y-%m-%d}", "at_1": f"{local:%H:%M:%S}"}
    return f"{reverse('desk_preview', args=[task.slug])}?{urlencode(query)}"


@require_POST
@desk_page()
def close(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = _phase(task, phase)
    if found.state not in ("open", "paused"):
        return _answered(request, found, gettext("It is not open, so nothing was changed."), messages.warning)
    services.close(found, by=request.user)
    said = gettext("It is closed. Its boards become final once all its runs are scored.")
    return _answered(request, found, said)


@require_POST
@desk_page()
def results(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = _phase(task, phase)
    if not found.is_released:
        services.release_results(found, database_now(), by=request.user)
    return _answered(request, found, gettext("The results are released: everybody sees the boards, with names."))


@require_POST
@desk_page()
def gold(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = _phase(task, phase)
    services.release_gold(found, by=request.user)
    return _answered(request, found, gettext("The gold is released: everybody may download it."))


def _answered(
    request: HttpRequest, phase: Phase, said: str, level: Callable[[HttpRequest, str], None] = messages.success
) -> HttpResponse:
    level(request, said)
    return redirect("desk_release_phase", phase.task.slug, phase.slug)


def _phase(task: Task, slug: str) -> Phase:
    found = get_object_or_404(task.phases, slug=slug)
    found.task = task
    return found
