"""The list of tasks, a task's page, and the files that leave through a check."""

from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

import scoring
from evalsite.challenges.access import Role, role_of, sees_gold, visible_phase, visible_tasks
from evalsite.challenges.models import Download, Gold, Page, Picture, Scenario
from evalsite.challenges.overview import archived_tasks, listed_tasks, may_have_sample, overview_of
from evalsite.challenges.scenarios import open_scenarios
from evalsite.challenges.starter_kit import wheel
from evalsite.challenges.starter_kit.kit import kit_name, kit_of
from evalsite.challenges.starter_kit.samples import engine_archive, sample_of, sample_phase
from evalsite.challenges.storage import downloads
from evalsite.challenges.storage.files import archive_of
from evalsite.challenges.teams import with_n_teams
from evalsite.challenges.texts import pictures


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    n_archived = visible_tasks(request.user).exclude(archived=None).count()
    return render(request, "home.html", {"tasks": listed_tasks(request.user), "n_archived": n_archived})


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    return render(request, "challenges/archive.html", {"tasks": {"archived": archived_tasks(request.user)}})


@require_safe
def task(request: HttpRequest, task: str) -> HttpResponse:
    tasks = with_n_teams(visible_tasks(request.user))
    found = get_object_or_404(tasks, slug=task)
    return render(request, "challenges/task.html", {"task": found, "overview": overview_of(found, request.user)})


@require_safe
def task_page(request: HttpRequest, task: str, page: str) -> HttpResponse:
    pages = Page.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(pages, task__slug=task, slug=page)
    return render(request, "challenges/page.html", {"task": found.task, "page": found})


@require_safe
def picture(request: HttpRequest, task: str, name: str) -> HttpResponse:
    pictures_seen = Picture.objects.filter(task__in=visible_tasks(request.user))
    found = get_object_or_404(pictures_seen, task__slug=task, name=name)
    try:
        return pictures.picture_response(found)
    except OSError:
        raise Http404 from None


@require_safe
def example(request: HttpRequest, task: str, scenario: int) -> HttpResponse:
    """Send a small upload that the scenario's layout allows; once a phase is open, one valid for it."""
    scenarios = Scenario.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(scenarios, task__slug=task, number=scenario)
    if not found.takes_uploads and role_of(request.user, found.task) < Role.VIEWER:
        raise Http404
    phase = sample_phase(found, request.user, request.GET.get("phase", ""))
    answer = HttpResponse(archive_of(sample_of(found, phase)), content_type="application/zip")
    name = "-".join([task, *([phase.slug] if phase else []), f"scenario{scenario}", "example.zip"])
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def engine(request: HttpRequest) -> HttpResponse:
    """Send the engine of this site, to check and score runs with on one's own machine."""
    answer = HttpResponse(engine_archive(), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, f"scoring-{scoring.__version__}.zip")
    return answer


@require_safe
def engine_package(request: HttpRequest, name: str) -> HttpResponse:
    """Send the engine as a wheel, which pip installs from this address; other versions are not found."""
    if name != wheel.NAME:
        raise Http404
    answer = HttpResponse(wheel.engine_wheel(), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
@cache_control(private=True)
def kit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """Send the starter kit of a phase; while the gold is hidden it is for people with an account."""
    found = visible_phase(request.user, task, phase)
    if found.state == "upcoming" or not open_scenarios(found):
        raise Http404
    if not may_have_sample(found, request.user):
        return redirect_to_login(request.get_full_path())
    answer = HttpResponse(kit_of(found, request.build_absolute_uri("/")), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, kit_name(found))
    return answer


@require_safe
@cache_control(private=True)
def download(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    offered = Download.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(offered, pk=pk)
    if not found.is_available and role_of(request.user, found.task) < Role.VIEWER:
        raise Http404
    return downloads.file_or_error_page(request, found.file, found.download_name)


@require_safe
@cache_control(private=True)
def gold(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    visible = Gold.objects.filter(phase__task__in=visible_tasks(request.user))
    found = get_object_or_404(visible.select_related("phase__task", "scenario"), pk=pk)
    if not sees_gold(role_of(request.user, found.phase.task), found):
        raise Http404
    return downloads.file_or_error_page(request, found.file, found.download_name)
