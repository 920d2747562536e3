"""The page from which a task is published, with what it still lacks."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from evalsite.challenges import services
from evalsite.challenges.access import may_publish
from evalsite.challenges.models import Task
from evalsite.challenges.taking_part.teams import has_uploads_of_teams
from evalsite.desk.access import desk_page
from evalsite.desk.publish.checklist import checklist
from evalsite.desk.publish.forms import AtForm, NowForm
from evalsite.desk.sections import Sections


@desk_page()
def publish(request: HttpRequest, task: Task) -> HttpResponse:
    _refuse_unless_allowed(request, task)
    sections = Sections(request, [AtForm], lambda: Task.objects.get(pk=task.pk))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_publish", task.slug)
    return _page(request, task, sections, NowForm(task=task), sections.status)


def _refuse_unless_allowed(request: HttpRequest, task: Task) -> None:
    if request.method == "POST" and not may_publish(request.user, task):
        raise PermissionDenied(
            gettext("An administrator of this site has to allow one of the task's owners to publish first.")
        )


def _page(request: HttpRequest, task: Task, sections: Sections, form: NowForm, status: int) -> HttpResponse:
    context = {
        "items": checklist(task),
        "sections": sections,
        "now_form": form,
        "may_publish": may_publish(request.user, task),
        "may_unpublish": task.is_public and not has_uploads_of_teams(task),
        "not_over": services.unfinished_phases(task) if task.is_public else [],
    }
    return render(request, "desk/publish/publish.html", context, status=status)


@require_POST
@desk_page()
def publish_now(request: HttpRequest, task: Task) -> HttpResponse:
    _refuse_unless_allowed(request, task)
    form = NowForm(request.POST, task=task)
    if not form.is_valid():
        sections = Sections(request, [AtForm], lambda: Task.objects.get(pk=task.pk))
        return _page(request, task, sections, form, 422)
    services.publish(task, by=request.user)
    messages.success(request, gettext("The task is published: everybody can see it."))
    return redirect("desk_publish", task.slug)


@require_POST
@desk_page()
def unpublish(request: HttpRequest, task: Task) -> HttpResponse:
    if services.unpublish(task, by=request.user):
        messages.success(request, gettext("The task is a draft again: only its organisers see it."))
    else:
        messages.error(request, gettext("Teams have uploaded runs, so the task stays published."))
    return redirect("desk_publish", task.slug)


@require_POST
@desk_page()
def archive(request: HttpRequest, task: Task) -> HttpResponse:
    if services.archive(task, by=request.user):
        messages.success(request, gettext("The task is in the archive."))
    else:
        messages.error(request, gettext("The task is not archived: close its phases first."))
    return redirect("desk_publish", task.slug)


@require_POST
@desk_page()
def bring_back(request: HttpRequest, task: Task) -> HttpResponse:
    services.unarchive(task, by=request.user)
    messages.success(request, gettext("The task is back among the current ones."))
    return redirect("desk_publish", task.slug)
