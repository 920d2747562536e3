"""The page of a task's decisions, and the same as CSV."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from evalsite.challenges.access import visible_task
from evalsite.contrib.decisions.listing import as_csv, listed


@require_safe
def decisions(request: HttpRequest, task: str) -> HttpResponse:
    task_row = visible_task(request.user, task)
    page, lines = listed(task_row, request.user, request.GET.get("page"))
    return render(request, "contrib/decisions/decisions.html", {"task": task_row, "page": page, "lines": lines})


@require_safe
def decisions_csv(request: HttpRequest, task: str) -> HttpResponse:
    answer = HttpResponse(as_csv(visible_task(request.user, task), request.user), content_type="text/csv")
    answer["Content-Disposition"] = content_disposition_header(True, f"{task}-decisions.csv")
    return answer
