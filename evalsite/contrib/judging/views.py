"""The desk's page about the judges of a task: what waits for them, and their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from evalsite.accounts.confirming import confirmed_lately
from evalsite.api.models import AccessToken
from evalsite.api.tokens import TooManyTokens, make, revoke
from evalsite.challenges.access import Role
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.contrib.judging.forms import JudgeTokenForm
from evalsite.contrib.judging.unjudged import Unjudged, unjudged_in
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in


@dataclass(frozen=True)
class JudgedBoard:
    """A phase and scenario whose runs are judged elsewhere."""

    phase: Phase
    scenario: Scenario
    golds: Golds
    waiting: Sequence[Unjudged]


def judged_boards(task: Task) -> list[JudgedBoard]:
    """Return them in the order of phases and scenarios; three queries."""
    waiting = unjudged_in([task])
    golds = golds_of(task.phases.values("pk")).values()
    boards = [
        JudgedBoard(
            versions.in_force.phase,
            versions.in_force.scenario,
            versions,
            [unjudged for unjudged in waiting if unjudged.gold.pk in {gold.pk for gold in versions.to_score}],
        )
        for versions in golds
        if versions.in_force.scenario.is_judged
    ]
    return sorted(boards, key=lambda board: (board.phase.opens, board.scenario.number))


@require_safe
@desk_page()
def judges(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what waits for judges, how they are called, and the tokens of the task."""
    tokens = AccessToken.objects.filter(task=task).select_related("user")
    context = {
        "task": task,
        "boards": judged_boards(task),
        "is_ticked": task.scenarios.filter(is_judged=True).exists(),
        "tokens": tokens,
    }
    return render(request, "contrib/judging/judges.html", context)


@desk_page(changes=Role.OWNER)
@confirmed_lately
@sensitive_variables("text")
def token_create(request: HttpRequest, task: Task) -> HttpResponse:
    """Create a token for the task, once the password was given lately, and show it."""
    if not request.desk.is_owner:  # type: ignore[attr-defined]
        raise PermissionDenied(_("Only owners of the task may do this."))
    form = JudgeTokenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user, cleaned = signed_in(request), form.cleaned_data
        try:
            token, text = make(user, cleaned["name"], cleaned["scopes"], cleaned["lifetime"], task)
        except TooManyTokens as error:
            form.add_error(None, str(error))
        else:
            get_adapter().send_notification_mail("api/email/token_made", user, {"token": token})
            return render(request, "contrib/judging/token_made.html", {"task": task, "token": token, "text": text})
    context = {"task": task, "form": form}
    return render(request, "contrib/judging/token_form.html", context, status=422 if form.errors else 200)


@require_POST
@desk_page(changes=Role.OWNER)
def token_revoke(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    token = get_object_or_404(AccessToken, pk=pk, task=task)
    if revoke(token, by=signed_in(request)):
        messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})
    return redirect("desk_scenarios_judges", task.slug)
