"""The end of each phase, step by step: closing, results and gold for everybody, with who will see what."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from evalsite.base.moment import database_now
from evalsite.challenges import services
from evalsite.challenges.forms.questions import Question, Times, about_phase
from evalsite.challenges.forms.zones import MomentField, zone_called
from evalsite.challenges.models import Phase, Task
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.phases.visibility import columns, visibility_of
from evalsite.desk.preview.rendering import As
from evalsite.desk.release.steps import endings
from evalsite.desk.sections import MomentForm, Sections


class ReleaseForm(MomentForm):
    key, heading, moment = "results", gettext_lazy("Release at a time"), "results_released"
    results_released = MomentField(
        label=gettext_lazy("Results are released"), required=False, help_text=gettext_lazy("Empty: not by themselves.")
    )
    field_order = ("zone", "results_released")

    class Meta:
        model = Phase
        fields = ("results_released",)

    def questions_about(self, at: datetime | None) -> Iterator[Question]:
        opens, closes = self.instance.opens, self.instance.closes
        before = Times(opens, closes, self.stored("results_released"))
        yield from about_phase(before, Times(opens, closes, at), None, timezone.now())


@require_safe
@desk_page()
def phases(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/release/phases.html", {"endings": endings(task)})


@desk_page()
def phase(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = phase_of(task, phase)
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
        "visibility": visibility_of(found),
        "previews": _previews(task, found),
    }
    return render(request, "desk/release/phase.html", context, status=sections.status)


def _previews(task: Task, phase: Phase) -> list[tuple[str, str]]:
    """Return links to previews of the task's page as others will see it once the results are released."""
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
    found = phase_of(task, phase)
    if found.state not in ("open", "paused"):
        return _answered(request, found, gettext("It is not open, so nothing was changed."), messages.warning)
    services.close(found, by=request.user)
    text = gettext("It is closed. Its boards become final once all its runs are scored.")
    return _answered(request, found, text)


@require_POST
@desk_page()
def results(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = phase_of(task, phase)
    if not found.is_released:
        services.release_results(found, database_now(), by=request.user)
    return _answered(request, found, gettext("The results are released: everybody sees the boards, with names."))


@require_POST
@desk_page()
def gold(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = phase_of(task, phase)
    services.release_gold(found, by=request.user)
    return _answered(request, found, gettext("The gold is released: everybody may download it."))


def _answered(
    request: HttpRequest, phase: Phase, text: str, level: Callable[[HttpRequest, str], None] = messages.success
) -> HttpResponse:
    level(request, text)
    return redirect("desk_release_phase", phase.task.slug, phase.slug)
