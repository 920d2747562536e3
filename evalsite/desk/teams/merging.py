"""The page on which organisers make two teams one, after they have seen what becomes of runs, limits and boards."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Task
from evalsite.desk.access import desk_page
from evalsite.desk.teams.forms import ConfirmMergeForm, MergeForm
from evalsite.desk.teams.listing import Line, listed
from evalsite.submissions.access import signed_in
from evalsite.submissions.runs.merging import CannotMerge, merge


@desk_page()
def team_merge(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    """Ask for the other team, show what would be, and merge once the name that goes is typed."""
    team = get_object_or_404(Team, pk=pk, participations__task=task)
    form = MergeForm(request.POST or None, task=task, team=team)
    context: dict[str, Any] = {"task": task, "team": team, "form": form}
    if request.method != "POST" or not form.is_valid():
        return render(request, "desk/teams/merge.html", context, status=422 if form.errors else 200)
    former, author = form.cleaned_data["former"], signed_in(request)
    confirm = ConfirmMergeForm(request.POST if "name" in request.POST else None, former=former)
    try:
        if confirm.is_valid():
            merge(task, former, team, by=author)
            messages.success(request, gettext("They are one team now. The boards show it in a moment."))
            return redirect("desk_teams_one", task.slug, team.pk)
        before, after = preview(task, former, team, by=author)
    except CannotMerge as error:
        form.add_error("former", str(error))
        return render(request, "desk/teams/merge.html", context, status=409)
    context |= {"former": former, "confirm": confirm, "before": before, "after": after}
    return render(request, "desk/teams/merge.html", context, status=422 if confirm.errors else 200)


def preview(task: Task, former: Team, team: Team, *, by: User) -> tuple[list[Line], Line]:
    """Return both teams as they are and as one; raise CannotMerge. They are merged, looked at, and parted again."""
    _page, before = listed(task, Team.objects.filter(pk__in=(former.pk, team.pk)), None)
    with transaction.atomic():
        merge(task, former, team, by=by)
        _page, [after] = listed(task, Team.objects.filter(pk=team.pk), None)
        transaction.set_rollback(True)
    return before, after
