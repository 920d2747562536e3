"""The desk's page from which owners have the archive of a finished task made, and its static pages."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from evalsite.archives.job import ARCHIVE, PAGES, made_of, start, work_of
from evalsite.archives.writing import Archive
from evalsite.challenges.access import Role
from evalsite.challenges.models import Task
from evalsite.challenges.services import unfinished_phases
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in

_NAMES = {"archive": ARCHIVE, "pages": PAGES}  # as addresses and forms say them


@desk_page(changes=Role.OWNER)
def archive(request: HttpRequest, task: Task) -> HttpResponse:
    """Show the page; a POST has the archive made, or the static pages."""
    if request.method == "POST":
        _start(request, task, _NAMES.get(request.POST.get("make", ""), ARCHIVE))
        return redirect("desk_ending_archive", task.slug)
    return render(request, "archives/archive.html", _context(task))


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


def _context(task: Task) -> dict[str, Any]:
    of_kinds = {name: (work_of(kind, task), made_of(kind, task)) for name, kind in _NAMES.items()}
    return {
        "task": task,
        "open_phases": unfinished_phases(task),
        "archive": of_kinds["archive"],
        "pages": of_kinds["pages"],
        "is_at_work": any(work and work.is_active for work, _ in of_kinds.values()),
    }


@require_safe
@desk_page()
def archive_job(request: HttpRequest, task: Task) -> HttpResponse:
    """Answer the polling of a waiting page, which is to reload once all is there."""
    context = _context(task)
    answer = render(request, "archives/_work.html", context)
    if not context["is_at_work"]:
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
    found = made_of(_NAMES[name], task)
    if found is None:
        raise Http404
    return file_or_error_page(request, found.file, f"{task.slug}-{name}-{found.created:%Y-%m-%d}.zip")
