"""The gold of a task: its list, adding a version, looking at what is odd, and an example of what it looks like."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from evalsite.challenges.gold.report import Report, about_phase, as_of_now, remarks_of, report_on, store_all
from evalsite.challenges.gold.services import delete_waiting, is_used
from evalsite.challenges.models import Gold, Scenario, Task, WaitingGold
from evalsite.challenges.soft_drafts import is_soft
from evalsite.challenges.storage.files import archive_of, temporary_copy
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.examples.replacing import delete_gold_of_draft, runs_on_nothing_else
from evalsite.desk.gold.forms import MOST_PROBLEMS, GoldForm
from evalsite.desk.gold.guesses import apply
from evalsite.desk.gold.layouts import layout_of
from evalsite.desk.gold.table import gold_of
from evalsite.submissions.lifecycle.collecting import input_before
from evalsite.translating.engine import from_engine
from evalsite.wording import amount


@require_safe
@desk_page()
def gold(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/gold/list.html", {"task": task, "phases": gold_of(task), "is_soft": is_soft(task)})


@desk_page()
def add(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = GoldForm(
        *sent,
        phase=phase_row,
        user=request.user,
        is_too_large=bool(sent[0]) and is_too_large(request),
        initial={"scenarios": _named_scenario(task, request.GET.get("scenario", ""))},
    )
    if not form.is_valid() and form.guess and "guess" in request.POST:
        apply(form.guess, by=request.user)
        messages.success(request, gettext("%(scenario)s was saved.") % {"scenario": form.guess.scenario})
        form = GoldForm(*sent, phase=phase_row, user=request.user)
    if form.is_valid():
        if form.remarks:
            return redirect("desk_gold_waiting", task.slug, form.store_waiting().pk)
        return _added(request, task, form.reports, form.save())
    context = {
        "task": task,
        "phase": phase_row,
        "form": form,
        "public": about_phase(phase_row),
        "layouts": [layout_of(scenario) for scenario in task.scenarios.order_by("number")],
    }
    return render(request, "desk/gold/add.html", context, status=422 if form.errors else 200)


@desk_page()
def waiting(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    """Let an organiser accept an upload in which something looks odd, or drop it."""
    uploads = WaitingGold.objects.filter(phase__task=task).select_related("phase__task", "created_by")
    upload = get_object_or_404(uploads, pk=pk)
    if "drop" in request.POST:
        delete_waiting(upload)
        messages.info(request, gettext("%(file)s was not accepted.") % {"file": upload.file_name})
        return redirect("desk_gold_add", task.slug, upload.phase.slug)
    if "take" in request.POST and (answer := _accept(request, upload)):
        return answer
    upload.remarks = [] if upload.problems else as_of_now(upload.phase, upload.remarks)
    return render(request, "desk/gold/waiting.html", {"task": task, "waiting": upload})


@desk_page()
def delete(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Delete gold with which nothing was scored, or that of a draft without teams."""
    chosen = get_object_or_404(Gold.objects.filter(phase__task=task).select_related("phase__task", "scenario"), pk=gold)
    may_be_deleted = not is_used(chosen) or (chosen.split is None and is_soft(task))
    if request.method == "POST" and may_be_deleted:
        delete_gold_of_draft(chosen, by=request.user)
        messages.success(request, gettext("The gold was deleted."))
        return redirect("desk_gold", task.slug)
    n_runs = runs_on_nothing_else(chosen).count()
    context = {"task": task, "gold": chosen, "may_be_deleted": may_be_deleted, "n_runs": n_runs}
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
        problems = [problem for report in reports for problem in report.problems][:MOST_PROBLEMS]
        if problems and waiting.problems:
            WaitingGold.objects.filter(pk=waiting.pk).update(problems=problems)
            waiting.problems = problems
            messages.warning(request, gettext("It cannot be read yet."))
            return None
        if problem := next(iter(problems), None):
            text = gettext("It can no longer be accepted: %(problem)s")
            messages.error(request, text % {"problem": from_engine(problem)})
            return None
        remarks = remarks_of(phase, reports)
        if remarks and remarks != waiting.remarks:
            WaitingGold.objects.filter(pk=waiting.pk).update(remarks=remarks, problems=[], created=Now())
            waiting.remarks, waiting.problems = remarks, []
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
            messages.info(request, text % {"number": report.scenario.number, "version": same.number})
    for gold in golds:
        text = ngettext(
            "Scenario %(number)s: version %(version)s with %(units)s unit was added. "
            "Scored against itself it is perfect.",
            "Scenario %(number)s: version %(version)s with %(units)s units was added. "
            "Scored against itself it is perfect.",
            gold.n_units,
        )
        values = {"number": gold.scenario.number, "version": gold.number, "units": amount(gold.n_units)}
        messages.success(request, text % values)
    candidates = [gold for gold in golds if gold.is_candidate]
    if any(input_before(gold) for gold in candidates):
        messages.info(
            request, gettext("The runs that wait are scored on it now. Nobody sees that until you publish it.")
        )
    elif candidates:
        messages.info(request, gettext("Rankings stay on the old gold until you publish the candidate."))
    if len(golds) == len(candidates) == 1:
        return redirect("desk_gold_version", task.slug, candidates[0].pk)
    return redirect("desk_gold", task.slug)
