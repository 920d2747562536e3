"""The list of the tasks that a user organises, and the request for the right to make tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from evalsite.accounts.models import OrganiserRequest
from evalsite.accounts.organisers import ask_to_organise, may_create_tasks
from evalsite.base.contrib import Waiting
from evalsite.challenges.access import Role, Visitor, overseen_tasks, roles_of
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.taking_part.teams import with_n_submissions, with_n_teams
from evalsite.challenges.task_page.overview import current_phase
from evalsite.desk.waiting.kinds import by_task, waiting_in


@require_safe
@login_required
def organise(request: HttpRequest) -> HttpResponse:
    context = {"tasks": own_tasks(request.user), "may_create": may_create_tasks(request.user)}
    return render(request, "desk/organise.html", context)


@dataclass(frozen=True)
class OwnTask:
    task: Task
    role: Role
    phase: Phase | None  # the one that matters now
    waiting: Sequence[Waiting]  # for its organisers

    @property
    def is_looked_at(self) -> bool:
        return self.role == Role.VIEWER


def own_tasks(user: Visitor) -> dict[str, Sequence[OwnTask]]:
    """Return drafts, published tasks, and those in the archive, the newest first."""
    tasks = list(with_n_submissions(with_n_teams(overseen_tasks(user))).prefetch_related("phases").order_by("-created"))
    roles = roles_of(user, tasks)
    waiting = by_task(waiting_in(overseen_tasks(user)))
    phases = {task.pk: current_phase(list(task.phases.all())) for task in tasks}
    listed = [OwnTask(task, roles[task.pk], phases[task.pk], waiting.get(task.pk, [])) for task in tasks]
    return {
        "drafts": [own_task for own_task in listed if not own_task.task.is_public],
        "published": [own_task for own_task in listed if own_task.task.is_public and not own_task.task.archived],
        "archived": [own_task for own_task in listed if own_task.task.is_public and own_task.task.archived],
    }


class PurposeForm(forms.ModelForm):
    class Meta:
        model = OrganiserRequest
        fields = ("purpose",)
        labels = {"purpose": gettext_lazy("What do you want to organise?")}
        widgets = {"purpose": forms.Textarea(attrs={"rows": 5})}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ask(request: HttpRequest) -> HttpResponse:
    if may_create_tasks(request.user):
        return redirect("organise")
    pending = OrganiserRequest.objects.filter(user=request.user).first()
    form = PurposeForm(request.POST if request.method == "POST" else None)
    if not pending and form.is_valid():
        ask_to_organise(request.user, form.cleaned_data["purpose"])
        messages.success(request, _confirmation())
        return redirect("organise" if settings.OPEN_ORGANISING else "organise_ask")
    context = {"form": form, "pending": pending, "is_open": settings.OPEN_ORGANISING}
    return render(request, "desk/asking/ask.html", context, status=422 if form.errors else 200)


def _confirmation() -> str:
    if settings.OPEN_ORGANISING:
        return gettext("You can create tasks now. To publish the first one, wait for an answer by mail.")
    return gettext("Your request has been sent to the administrators. They answer by mail.")
