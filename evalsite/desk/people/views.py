"""The page of people, what owners do on it, and what an invitation's link leads to."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from evalsite.challenges.access import Role
from evalsite.challenges.models import Organiser, OrganiserInvitation, Task
from evalsite.desk.access import desk_page
from evalsite.desk.people import services
from evalsite.desk.people.forms import InvitationForm, RoleForm
from evalsite.submissions.access import signed_in


@desk_page(changes=Role.OWNER)
def people(request: HttpRequest, task: Task) -> HttpResponse:
    form = InvitationForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        email, role = form.cleaned_data["email"], form.cleaned_data["role"]
        try:
            services.invite(task, email, role, by=request.user)
        except services.PeopleRuleError as error:
            form.add_error("email", str(error))
        else:
            messages.success(request, gettext("An invitation is on its way to %(email)s.") % {"email": email})
            return redirect("desk_people", task.slug)
    rows = list(task.organiser_rows.select_related("user", "added_by"))
    context = {
        "task": task,
        "form": form,
        "rows": rows,
        "invitations": task.organiser_invitations.select_related("sent_by"),
        "own": next((row for row in rows if row.user == request.user), None),
        "roles": Organiser.Role,
    }
    return render(request, "desk/people/people.html", context, status=422 if form.errors else 200)


@require_POST
@desk_page(changes=Role.OWNER)
def change_role(request: HttpRequest, task: Task, user: UUID) -> HttpResponse:
    row = _row(task, user)
    form = RoleForm(request.POST)
    if form.is_valid():
        change = partial(services.change_role, row, form.cleaned_data["role"], by=request.user)
        _changed(request, change, gettext("The role of %(person)s was changed.") % {"person": row.user})
    return _back(request, task)


@require_POST
@desk_page(changes=Role.OWNER)
def remove(request: HttpRequest, task: Task, user: UUID) -> HttpResponse:
    row = _row(task, user)
    done = gettext("%(person)s is no longer on the list.") % {"person": row.user}
    _changed(request, partial(services.remove, row, by=request.user), done)
    return _back(request, task)


@require_POST
@desk_page(changes=Role.VIEWER)
def leave(request: HttpRequest, task: Task) -> HttpResponse:
    row = _row(task, request.user.pk)
    done = gettext("You are no longer one of the organisers of %(task)s.") % {"task": task}
    _changed(request, partial(services.remove, row, by=request.user), done)
    return _back(request, task)


@require_POST
@desk_page(changes=Role.OWNER)
def void(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    invitation = get_object_or_404(task.organiser_invitations, pk=pk)
    services.void(invitation, by=request.user)
    messages.success(request, gettext("The link sent to %(email)s no longer works.") % {"email": invitation.email})
    return redirect("desk_people", task.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def join(request: HttpRequest, secret: str) -> HttpResponse:
    invitation = get_object_or_404(OrganiserInvitation.objects.select_related("task", "sent_by"), secret=secret)
    if not invitation.is_for(signed_in(request)):
        return render(request, "desk/people/not_for_you.html", {"invitation": invitation}, status=403)
    if request.method == "POST":
        done = gettext("You are now one of the organisers of %(task)s.") % {"task": invitation.task}
        if _changed(request, partial(services.join, invitation, request.user), done):
            return redirect("desk", invitation.task.slug)
    return render(request, "desk/people/join.html", {"invitation": invitation, "task": invitation.task})


def _row(task: Task, user: UUID) -> Organiser:
    return get_object_or_404(task.organiser_rows.select_related("user", "task"), user=user)


def _changed(request: HttpRequest, change: Callable[[], None], done: str) -> bool:
    """Return whether the rules of the list allow the change; a message says what is done, or why nothing is."""
    try:
        change()
    except services.PeopleRuleError as error:
        messages.error(request, str(error))
        return False
    messages.success(request, done)
    return True


def _back(request: HttpRequest, task: Task) -> HttpResponse:
    """Redirect to the page, or to the list of tasks if the user is no longer an organiser."""
    is_listed = request.user.is_superuser or task.organiser_rows.filter(user=request.user).exists()
    return redirect("desk_people", task.slug) if is_listed else redirect("organise")
