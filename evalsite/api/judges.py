"""The desk's page about the judges of a task: what waits for them, and their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from evalsite.accounts.forms import NameField
from evalsite.api.forms import LIFETIMES, OF_JUDGES
from evalsite.api.models import AccessToken
from evalsite.api.tokens import TooManyTokens, make, revoke
from evalsite.challenges.access import Role
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in
from evalsite.submissions.judging.unjudged import Unjudged, unjudged_in


class JudgeTokenForm(forms.Form):
    name = NameField(
        max_length=60,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Where the judge runs, such as “GPU cluster”."),
    )
    scopes = forms.ChoiceField(
        label=gettext_lazy("It may"), choices=OF_JUDGES, widget=forms.RadioSelect, initial=AccessToken.Scope.JUDGE
    )
    lifetime = forms.ChoiceField(label=gettext_lazy("It works for"), choices=LIFETIMES, initial="90")

    def clean_lifetime(self) -> timedelta | None:
        """Return a duration, or None for a token that never expires."""
        return timedelta(days=int(self.cleaned_data["lifetime"])) or None


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
    found = [
        JudgedBoard(
            own.in_force.phase,
            own.in_force.scenario,
            own,
            [each for each in waiting if each.gold.pk in {gold.pk for gold in own.to_score}],
        )
        for own in golds
        if own.in_force.scenario.is_judged
    ]
    return sorted(found, key=lambda each: (each.phase.opens, each.scenario.number))


@require_safe
@desk_page()
def judges(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what waits for judges, how they are called, and the tokens of the task."""
    tokens = AccessToken.objects.filter(task=task).select_related("user")
    context = {
        "task": task,
        "boards": judged_boards(task),
        "tokens": tokens,
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "api/judges.html", context)


@desk_page(changes=Role.OWNER)
@reauthentication_required
@sensitive_variables("text")
def token_create(request: HttpRequest, task: Task) -> HttpResponse:
    """Create a token for the task, once the password was given again, and show it."""
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
            return render(request, "api/judge_token_made.html", {"task": task, "token": token, "text": text})
    context = {"task": task, "form": form}
    return render(request, "api/judge_token_form.html", context, status=422 if form.errors else 200)


@require_POST
@desk_page(changes=Role.OWNER)
def token_revoke(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    token = get_object_or_404(AccessToken, pk=pk, task=task)
    if revoke(token, by=signed_in(request)):
        messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})
    return redirect("desk_scenarios_judges", task.slug)
