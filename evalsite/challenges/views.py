"""The list of tasks, a task's page, and the files that leave through a check."""

from pathlib import PurePosixPath
from uuid import UUID

from django.db.models.fields.files import FieldFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

import scoring
from evalsite.challenges.access import Role, role_of, sees_gold, visible_tasks
from evalsite.challenges.competing import with_n_teams
from evalsite.challenges.files import archive_of
from evalsite.challenges.models import Download, Gold, Scenario
from evalsite.challenges.overview import listed_tasks, overview_of
from evalsite.challenges.samples import engine_archive, sample_of, sample_phase


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"tasks": listed_tasks(request.user)})


@require_safe
def task(request: HttpRequest, task: str) -> HttpResponse:
    tasks = with_n_teams(visible_tasks(request.user)).prefetch_related("organisers")
    found = get_object_or_404(tasks, slug=task)
    return render(request, "challenges/task.html", {"task": found, "overview": overview_of(found, request.user)})


@require_safe
def example(request: HttpRequest, task: str, scenario: int) -> HttpResponse:
    """A small upload that the scenario's layout allows, as a zip archive; once a phase is open, one valid for it."""
    scenarios = Scenario.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(scenarios, task__slug=task, number=scenario)
    phase = sample_phase(found, request.user, request.GET.get("phase", ""))
    answer = HttpResponse(archive_of(sample_of(found, phase)), content_type="application/zip")
    name = "-".join([task, *([phase.slug] if phase else []), f"scenario{scenario}", "example.zip"])
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def engine(request: HttpRequest) -> HttpResponse:
    """The engine of this site, to check and score runs with on one's own machine."""
    answer = HttpResponse(engine_archive(), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, f"scoring-{scoring.__version__}.zip")
    return answer


@require_safe
@cache_control(private=True)
def download(request: HttpRequest, pk: UUID) -> FileResponse:
    offered = Download.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(offered, pk=pk)
    if not found.is_available and role_of(request.user, found.task) < Role.ORGANISER:
        raise Http404
    return _attachment(found.file)


@require_safe
@cache_control(private=True)
def gold(request: HttpRequest, pk: UUID) -> FileResponse:
    visible = Gold.objects.filter(phase__task__in=visible_tasks(request.user)).select_related("phase__task")
    found = get_object_or_404(visible, pk=pk)
    if not sees_gold(role_of(request.user, found.phase.task), found):
        raise Http404
    return _attachment(found.file)


def _attachment(file: FieldFile) -> FileResponse:
    """The file to be saved, never shown: its type is not told, so that no browser opens it on this site."""
    name = PurePosixPath(file.name or "file").name
    return FileResponse(file.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream")
