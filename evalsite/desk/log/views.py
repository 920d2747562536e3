"""The page that tells what happened in a task."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.accounts.plain_admin import LongListPaginator
from evalsite.challenges.models import Task
from evalsite.desk.access import desk_page
from evalsite.desk.log.lines import events_of, kinds, lines_of

LINES_A_PAGE = 30


@require_safe
@desk_page()
def log(request: HttpRequest, task: Task) -> HttpResponse:
    kind = request.GET.get("kind", "")[:40]
    page = LongListPaginator(events_of(task, kind), LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "lines": lines_of(page, task), "kind": kind, "kinds": kinds(kind)}
    return render(request, "desk/log/log.html", context)
