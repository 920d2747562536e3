"""Has the zip of a task made in the background, and gives it out; gives members of a team the zip of what is theirs."""

from itertools import chain
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template import Context
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from evalsite.challenges.access import role_of, visible_task
from evalsite.challenges.models import Participation, Task
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.drawer import job, team
from evalsite.contrib.drawer.contents import MOST_BYTES, n_bytes, uploads
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import Submission


def panel(context: Context) -> dict[str, Any]:
    """Return what the desk's page of a task's end says of the zip."""
    task = context["task"]
    size = n_bytes(task)
    return {
        "work": job.work_of(task),
        "drawer": job.drawer_of(task),
        "n_uploads": uploads(task).count(),
        "n_bytes": size,
        "is_too_large": size > MOST_BYTES,
    }


@desk_page()
def making(request: HttpRequest, task: Task) -> HttpResponse:
    """Have the zip made, on a POST; answer the polling of a waiting page, which is to reload once it is there."""
    if request.method == "POST":
        _start(request, task)
    if not getattr(request, "htmx", False):
        return redirect("desk_ending", task.slug)
    work = job.work_of(task)
    answer = render(request, "contrib/drawer/_work.html", {"task": task, "work": work})
    if not (work and work.is_active):
        answer["HX-Refresh"] = "true"
    return answer


def _start(request: HttpRequest, task: Task) -> None:
    with_uploads = "uploads" in request.POST
    if with_uploads and n_bytes(task) > MOST_BYTES:
        messages.error(request, gettext("Nothing was started: the uploads are too large for one zip."))
    elif job.start(task, with_uploads=with_uploads, by=signed_in(request)) is None:
        messages.info(request, gettext("The zip is being made already."))


@require_safe
@desk_page()
def task_drawer(request: HttpRequest, task: Task) -> HttpResponseBase:
    made = job.drawer_of(task)
    if made is None:
        raise Http404
    return file_or_error_page(request, made.file, f"{task.slug}-drawer-{made.created:%Y-%m-%d}.zip")


@require_safe
@login_required
def team_drawer(request: HttpRequest, task: str, pk: UUID) -> StreamingHttpResponse:
    shown = visible_task(request.user, task)
    user = signed_in(request)
    runs = Submission.objects.filter(phase__task=shown, team=pk)
    entered = Participation.objects.filter(task=shown, team=pk)
    own_team = get_object_or_404(user.teams.filter(Exists(runs) | Exists(entered)), pk=pk)
    members = team.drawer_of(shown, own_team, role_of(user, shown))
    # The texts are made before the answer begins, so that an error in them is one that can be told.
    first = next(members)
    response = StreamingHttpResponse(zipped(chain([first], members)), content_type="application/zip")
    name = f"{shown.slug}-{slugify(own_team.name)[:40] or 'team'}.zip"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
