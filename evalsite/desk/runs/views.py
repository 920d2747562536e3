"""The page of all runs of a task, and what organisers do with them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from evalsite.challenges.models import Task
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.desk.access import desk_page
from evalsite.desk.runs.bulk import ACTIONS, Action, Selection, carry_out, preview_of
from evalsite.desk.runs.filters import RunFilter
from evalsite.desk.runs.forms import ChangeForm, ConfirmForm
from evalsite.desk.runs.job import MAX_IN_REQUEST, action_of, enqueue, shown_job
from evalsite.desk.runs.listing import listed
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing
from evalsite.submissions.runs.files import members_of
from evalsite.wording import amount


@require_safe
@desk_page()
def runs(request: HttpRequest, task: Task) -> HttpResponse:
    chosen = RunFilter(request.GET, task=task)
    page, lines = listed(task, chosen.runs, request.GET.get("page"))
    context = {
        "task": task,
        "filter": chosen,
        "page": page,
        "runs": lines,
        "actions": ACTIONS,
        "query": _query(request.GET),
        "phases": task.phases.all(),
        **_of_job(task),
    }
    return render(request, "desk/runs/runs.html", context)


def _query(query: QueryDict) -> str:
    """Return the filter without the page, as a form passes it on."""
    parameters = query.copy()
    parameters.pop("page", None)
    return parameters.urlencode()


@desk_page()
def act(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what is about to happen; a POST confirms it."""
    is_confirmed = request.method == "POST"
    sent = request.POST if is_confirmed else request.GET
    action = next((action for action in ACTIONS if action.name == sent.get("action")), None)
    selection = Selection.of(task, sent)
    preview = preview_of(selection)
    if action is None or not preview.n_runs:
        messages.info(request, _("Nothing was changed: tick some runs, and choose what to do with them."))
        return redirect("desk_runs", task.slug)
    form = ConfirmForm(sent if is_confirmed else None, action=action, preview=preview)
    if form.is_valid():
        return _carried_out(request, task, action, selection, form)
    context = {"task": task, "action": action, "selection": selection, "preview": preview, "form": form}
    return render(request, "desk/runs/confirm.html", context, status=422 if is_confirmed else 200)


def _carried_out(
    request: HttpRequest, task: Task, action: Action, selection: Selection, form: ConfirmForm
) -> HttpResponse:
    fields = {name: form.cleaned_data[name] for name in ("reason",) if name in form.cleaned_data}
    if form.preview.n_runs > MAX_IN_REQUEST:
        if enqueue(action, selection, by=signed_in(request), **fields) is None:
            messages.warning(request, _("Nothing was changed: the previous action is still running."))
        return redirect("desk_runs", task.slug)
    n_changed = carry_out(action, selection, by=signed_in(request), **fields)
    messages.success(request, n_changed_in_words(action, n_changed))
    return redirect("desk_runs", task.slug)


def n_changed_in_words(action: Action, n_changed: int) -> str:
    words = ngettext("%(action)s: %(n)s run changed.", "%(action)s: %(n)s runs changed.", n_changed)
    return words % {"action": action.title, "n": amount(n_changed)}


@require_safe
@desk_page()
def progress(request: HttpRequest, task: Task) -> HttpResponse:
    """Answer the polling of a waiting list, which is to reload once nothing is at work."""
    context = _of_job(task)
    answer = render(request, "desk/runs/_job.html", context)
    if not (context["job"] and context["job"].is_active):
        answer["HX-Refresh"] = "true"
    return answer


def _of_job(task: Task) -> dict[str, Any]:
    job = shown_job(task)
    action = action_of(job) if job else None
    if job is None or action is None:
        return {"task": task, "job": None}
    changed = n_changed_in_words(action, job.result.get("changed", 0))
    return {"task": task, "job": job, "action": action, "changed": changed}


@require_safe
@desk_page()
def files(request: HttpRequest, task: Task) -> HttpResponseBase:
    """Send the files of the runs that the address names, or that its filter finds, in one archive."""
    selection = Selection.of(task, request.GET)
    if not selection.runs.exists():
        messages.info(request, _("Tick the runs whose files you want, or choose all that match the filter."))
        return redirect("desk_runs", task.slug)
    response = StreamingHttpResponse(zipped(members_of(selection.runs)), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, f"{task.slug}-runs.zip")
    return response


@desk_page()
def change(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    run = get_object_or_404(Submission.objects.select_related("phase__task", "team"), pk=pk, phase__task=task)
    form = ChangeForm(request.POST or None, run=run)
    if request.method == "POST" and form.is_valid():
        by = signed_in(request)
        changing.rename(run, form.cleaned_data["method"], by=by)
        if run.reference:
            changing.set_reference(run, form.cleaned_data["reference"], by=by)
        messages.success(request, _("Saved. Boards show it in a moment."))
        return redirect("desk_runs", task.slug)
    context = {"task": task, "run": run, "form": form}
    return render(request, "desk/runs/change.html", context, status=422 if form.errors else 200)
