"""The page "Take it with you": what is still open. Apps of contrib put there what they make of a task as files."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.challenges.models import Phase, Task
from evalsite.desk.access import desk_page
from evalsite.desk.ending.open_ends import open_ends
from evalsite.desk.release.doubts import Doubt


@require_safe
@desk_page()
def ending(request: HttpRequest, task: Task) -> HttpResponse:
    open_by_phase: dict[Phase, list[Doubt]] = {}
    for phase, doubt in open_ends(task):
        open_by_phase.setdefault(phase, []).append(doubt)
    context = {"task": task, "phases": task.phases.order_by("opens"), "open_by_phase": open_by_phase.items()}
    return render(request, "desk/ending/ending.html", context)
