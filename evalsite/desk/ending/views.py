"""The page "End of the task": what is still open, and the drawer, made in the background and downloaded."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from evalsite.challenges.models import Phase, Task
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.desk.access import desk_page
from evalsite.desk.ending.contents import MOST_BYTES, n_bytes, uploads
from evalsite.desk.ending.job import drawer_of, start, work_of
from evalsite.desk.ending.open_ends import open_ends
from evalsite.desk.release.doubts import Doubt
from evalsite.submissions.access import signed_in


@desk_page()
def ending(request: HttpRequest, task: Task) -> HttpResponse:
    """Show the page; a POST has the drawer made."""
    if request.method == "POST":
        with_uploads = "uploads" in request.POST
        if with_uploads and n_bytes(task) > MOST_BYTES:
            messages.error(request, gettext("Nothing was started: the uploads are too large for one zip."))
        elif start(task, with_uploads=with_uploads, by=signed_in(request)) is None:
            messages.info(request, gettext("The zip is being made already."))
        return redirect("desk_ending", task.slug)
    open_by_phase: dict[Phase, list[Doubt]] = {}
    for phase, doubt in open_ends(task):
        open_by_phase.setdefault(phase, []).append(doubt)
    size = n_bytes(task)
    context = {
        "phases": task.phases.order_by("opens"),
        "open_by_phase": open_by_phase.items(),
        "n_uploads": uploads(task).count(),
        "n_bytes": size,
        "is_too_large": size > MOST_BYTES,
        **_of_job(task),
    }
    return render(request, "desk/ending/ending.html", context)


def _of_job(task: Task) -> dict[str, Any]:
    return {"task": task, "work": work_of(task), "drawer": drawer_of(task)}


@require_safe
@desk_page()
def progress(request: HttpRequest, task: Task) -> HttpResponse:
    """Answer the polling of a waiting page, which is to reload once the zip is there."""
    context = _of_job(task)
    answer = render(request, "desk/ending/_work.html", context)
    if not (context["work"] and context["work"].is_active):
        answer["HX-Refresh"] = "true"
    return answer


@require_safe
@desk_page()
def download(request: HttpRequest, task: Task) -> HttpResponseBase:
    found = drawer_of(task)
    if found is None:
        raise Http404
    return file_or_error_page(request, found.file, f"{task.slug}-drawer-{found.created:%Y-%m-%d}.zip")
