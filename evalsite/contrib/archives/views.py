"""Has the archive of a finished task made for its owners, and its static pages, on the desk's page of files to take."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from evalsite.challenges.access import Role
from evalsite.challenges.models import Task
from evalsite.challenges.services import unfinished_phases
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.contrib.archives.job import ARCHIVE, PAGES, made_of, start, work_of
from evalsite.contrib.archives.writing import Archive
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in

_NAMES = {"archive": ARCHIVE, "pages": PAGES}  # as addresses and forms say them


def panel(context: Context) -> dict[str, Any]:
    """Return what the desk's page says of both, and how far they are."""
    task = context["task"]
    return {
        "open_phases": unfinished_phases(task),
        "archive": work_of(ARCHIVE, task),
        "made_archive": made_of(ARCHIVE, task),
        "pages": work_of(PAGES, task),
        "made_pages": made_of(PAGES, task),
    }


@desk_page(changes=Role.OWNER)
def archive(request: HttpRequest, task: Task) -> HttpResponse:
    """Have the archive made, or the static pages; lead to the page that says how far they are."""
    if request.method == "POST":
        _start(request, task, _NAMES.get(request.POST.get("make", ""), ARCHIVE))
    return redirect(f"{reverse('desk_ending', args=[task.slug])}#archive")


def _start(request: HttpRequest, task: Task, kind: str) -> None:
    if unfinished_phases(task):
        messages.error(request, gettext("Nothing was started: the task is not over."))
    elif kind == PAGES and not task.is_public:
        messages.error(request, gettext("Nothing was started: strangers see no page of the task."))
    elif kind == ARCHIVE and (missing := Archive(task).bundle.missing()):
        words = gettext("Nothing was started: files of the task are not stored any more: %(files)s")
        messages.error(request, words % {"files": ", ".join(missing)})
    elif start(kind, task, by=signed_in(request), shows_all="all" in request.POST) is None:
        messages.info(request, gettext("It is being made already."))


@require_safe
@desk_page()
def archive_job(request: HttpRequest, task: Task, name: str) -> HttpResponse:
    """Answer the polling of a waiting page, which is to reload once its zip is there."""
    if name not in _NAMES:
        raise Http404
    work = work_of(_NAMES[name], task)
    answer = render(request, "contrib/archives/_work.html", {"task": task, "key": name, "work": work})
    if not (work and work.is_active):
        answer["HX-Refresh"] = "true"
    return answer


@require_safe
@desk_page()
def archive_file(request: HttpRequest, task: Task) -> HttpResponseBase:
    """Give the archive to an owner: it has the gold and all uploads."""
    if not request.desk.is_owner:  # type: ignore[attr-defined]
        raise Http404
    return _file(request, task, "archive")


@require_safe
@desk_page()
def static_pages(request: HttpRequest, task: Task) -> HttpResponseBase:
    return _file(request, task, "pages")


def _file(request: HttpRequest, task: Task, name: str) -> HttpResponseBase:
    archive = made_of(_NAMES[name], task)
    if archive is None:
        raise Http404
    return file_or_error_page(request, archive.file, f"{task.slug}-{name}-{archive.created:%Y-%m-%d}.zip")
