"""The overview of a task, and what went wrong in all tasks that one organises."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from evalsite.accounts.organisers import may_organise
from evalsite.base.after_commit import after_commit
from evalsite.base.faults import Fault
from evalsite.challenges.access import organised_tasks
from evalsite.challenges.models import Task
from evalsite.challenges.readiness import readiness_of
from evalsite.desk.access import desk_page
from evalsite.desk.examples.replacing import has_example, remove_example
from evalsite.desk.overview.days import days_of
from evalsite.desk.overview.decisions import decisions, missing
from evalsite.desk.overview.progress import idle_teams, phase_lines, queue_of
from evalsite.submissions.access import signed_in
from evalsite.submissions.lifecycle.enqueueing import MOST_AT_ONCE, enqueue_waiting
from evalsite.submissions.lifecycle.rescoring import score_again_after
from evalsite.submissions.runs.failures import faults_of, faults_with_tasks
from evalsite.wording import amount


@desk_page()
def overview(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what has to be done, happens and went wrong; a fault's button scores again all that have met it."""
    if request.method == "POST":
        if request.POST.get("remove") == "example":
            _remove_example(request, task)
        else:
            _score_again(request, Task.objects.filter(pk=task.pk))
        return redirect("desk", task.slug)
    return render(request, "desk/overview.html", overview_of(task))


def overview_of(task: Task) -> dict[str, Any]:
    readiness = readiness_of(task)
    phases = [stage.phase for stage in readiness.stages]
    lines, queue = phase_lines(readiness.stages), queue_of(task)
    return {
        "task": task,
        "missing": missing(task, readiness),
        "stages": lines,
        "decisions": decisions(task, readiness),
        "has_example": has_example(task),
        "queue": queue,
        # What is queued beside an empty queue is for no worker yet.
        "n_awaiting": sum(line.n_queued for line in lines) if queue.is_empty else 0,
        "troubles": faults_of(Task.objects.filter(pk=task.pk)),
        "days": days_of(phases),
        "idle": idle_teams(task, phases),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def troubles(request: HttpRequest) -> HttpResponse:
    """Show what went wrong in all tasks that one organises, which for an administrator are all of the site."""
    if not may_organise(request.user):
        raise Http404
    tasks = organised_tasks(request.user)
    if request.method == "POST":
        _score_again(request, tasks)
        return redirect("organise_troubles")
    return render(request, "desk/troubles.html", {"troubles": faults_with_tasks(tasks), "may_change": True})


def _remove_example(request: HttpRequest, task: Task) -> None:
    if has_example(task):
        remove_example(task, by=signed_in(request))
        messages.success(request, gettext("The example’s gold and runs were removed."))


def _score_again(request: HttpRequest, tasks: QuerySet[Task]) -> None:
    """Score again what has met the fault whose button was pressed."""
    if request.POST.get("fault") in Fault.values:
        n_queued = score_again_after(Fault(request.POST["fault"]), tasks, by=signed_in(request))
        after_commit(enqueue_waiting, MOST_AT_ONCE)
        words = ngettext("%(n)s scoring queued.", "%(n)s scorings queued.", n_queued)
        messages.success(request, words % {"n": amount(n_queued)})
