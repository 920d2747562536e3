"""The gold of a task: its list, adding a version, looking at what is odd, and an example of what it looks like."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from evalsite.challenges.gold.report import Report, about_phase, remarks_of, report_on, store_all
from evalsite.challenges.gold.services import delete_gold, delete_waiting, is_used
from evalsite.challenges.models import Gold, Scenario, Task, WaitingGold
from evalsite.challenges.storage.files import archive_of, temporary_copy
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.gold.forms import GoldForm
from evalsite.desk.gold.layouts import layout_of
from evalsite.desk.gold.table import gold_of
from evalsite.translating.engine import from_engine
from evalsite.wording import amount


@require_safe
@desk_page()
def gold(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/gold/list.html", {"task": task, "phases": gold_of(task)})


@desk_page()
def add(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    found = phase_of(task, phase)
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = GoldForm(
        *sent,
        phase=found,
        user=request.user,
        is_too_large=bool(sent[0]) and is_too_large(request),
        initial={"scenarios": _named_scenario(task, request.GET.get("scenario", ""))},
    )
    if form.is_valid():
        if form.remarks:
            return redirect("desk_gold_waiting", task.slug, form.store_waiting().pk)
        return _added(request, task, form.reports, form.save())
    context = {
        "task": task,
        "phase": found,
        "form": form,
        "public": about_phase(found),
        "layouts": [layout_of(scenario) for scenario in task.scenarios.order_by("number")],
    }
    return render(request, "desk/gold/add.html", context, status=422 if form.errors else 200)


@desk_page()
def waiting(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    """Let an organiser accept an upload in which something looks odd, or drop it."""
    own = WaitingGold.objects.filter(phase__task=task).select_related("phase__task", "created_by")
    found = get_object_or_404(own, pk=pk)
    if "drop" in request.POST:
        delete_waiting(found)
        messages.info(request, gettext("%(file)s was not accepted.") % {"file": found.file_name})
        return redirect("desk_gold_add", task.slug, found.phase.slug)
    if "take" in request.POST and (answer := _accept(request, found)):
        return answer
    return render(request, "desk/gold/waiting.html", {"task": task, "waiting": found})


@desk_page()
def delete(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Delete gold with which nothing was scored."""
    found = get_object_or_404(Gold.objects.filter(phase__task=task).select_related("phase__task", "scenario"), pk=gold)
    if request.method == "POST" and not is_used(found):
        delete_gold(found, by=request.user)
        messages.success(request, gettext("The gold was deleted."))
        return redirect("desk_gold", task.slug)
    context = {"task": task, "gold": found, "is_used": is_used(found)}
    return render(request, "desk/gold/delete.html", context, status=409 if request.method == "POST" else 200)


@require_safe
@desk_page()
def example(request: HttpRequest, task: Task, number: int) -> HttpResponse:
    """Send a small gold that follows the scenario's options, as an archive."""
    layout = layout_of(get_object_or_404(task.scenarios, number=number))
    if not layout.files:
        raise Http404
    answer = HttpResponse(archive_of(layout.files), content_type="application/zip")
    name = f"{task.slug}-scenario{number}-gold-example.zip"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


def _accept(request: HttpRequest, waiting: WaitingGold) -> HttpResponse | None:
    """Store the gold; None if it cannot be stored, or looks otherwise than the organiser has read."""
    phase = waiting.phase
    with waiting.file.open() as file, temporary_copy(file, waiting.file_name) as copy:
        reports = [report_on(phase, scenario, copy, request.user) for scenario in waiting.scenarios.all()]
        if problem := next((problem for report in reports for problem in report.problems), None):
            text = gettext("It can no longer be accepted: %(problem)s")
            messages.error(request, text % {"problem": from_engine(problem)})
            return None
        remarks = remarks_of(phase, reports)
        if remarks != waiting.remarks:
            WaitingGold.objects.filter(pk=waiting.pk).update(remarks=remarks)
            waiting.remarks = remarks
            messages.warning(request, gettext("This has changed since you read it. Look at it again."))
            return None
        golds = store_all(phase, reports, copy, by=request.user, note=waiting.note)
    delete_waiting(waiting)
    return _added(request, phase.task, reports, golds)


def _named_scenario(task: Task, number: str) -> list[Scenario]:
    """Return the scenario that the link names, which stands ticked."""
    is_number = len(number) < 5 and number.isascii() and number.isdecimal()
    return list(task.scenarios.filter(number=number)) if is_number else []


def _added(request: HttpRequest, task: Task, reports: Sequence[Report], golds: Sequence[Gold]) -> HttpResponse:
    for report in reports:
        if same := report.same_as:
            text = gettext("Scenario %(number)s: its gold has not changed; version %(version)s stays.")
            messages.info(request, text % {"number": report.scenario.number, "version": same.version})
    for each in golds:
        text = ngettext(
            "Scenario %(number)s: version %(version)s with %(units)s unit was added. "
            "Scored against itself it is perfect.",
            "Scenario %(number)s: version %(version)s with %(units)s units was added. "
            "Scored against itself it is perfect.",
            each.n_units,
        )
        values = {"number": each.scenario.number, "version": each.version, "units": amount(each.n_units)}
        messages.success(request, text % values)
    candidates = [each for each in golds if each.is_candidate]
    if candidates:
        messages.info(request, gettext("Rankings stay on the old gold until you publish the candidate."))
    if len(golds) == len(candidates) == 1:
        return redirect("desk_gold_version", task.slug, candidates[0].pk)
    return redirect("desk_gold", task.slug)
