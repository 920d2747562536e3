"""Downloads a run's file, and changes a run for its team."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evalsite.accounts.models import Team
from evalsite.accounts.services import TeamRuleError
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.submissions.access import acting_side, may_withdraw, signed_in, visible_submission, why_not_restored
from evalsite.submissions.forms import DescribeForm, WithdrawalForm
from evalsite.submissions.runs import changing
from evalsite.submissions.runs.describing import describe, may_describe, sheet_of
from evalsite.submissions.runs.transfers import Transfer, possible_transfers, transfer_runs
from evalsite.submissions.wording import beyond_limit
from evalsite.wording import counted


@require_safe
@login_required
def submission_file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    found = visible_submission(request, pk)
    return file_or_error_page(request, found.file, found.file_name)


@require_POST
@login_required
def submission_cancel(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = acting_side(request.user, found)
    if not may_withdraw(side, found):
        raise PermissionDenied(_CLOSED)
    if changing.cancel([found], by=signed_in(request), side=side):
        messages.success(request, gettext("Cancelled. It does not count towards the limits."))
    else:
        messages.info(request, gettext("There was nothing left to cancel: scoring had already started."))
    return redirect("submission", pk)


_CLOSED = gettext_lazy("The phase has closed: only the organisers can cancel, withdraw or restore its runs.")


@require_POST
@login_required
def submission_withdraw(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = acting_side(request.user, found)
    if not may_withdraw(side, found):
        raise PermissionDenied(_CLOSED)
    form = WithdrawalForm(request.POST, side=side)
    if not form.is_valid():
        messages.error(request, gettext("Not withdrawn. %(reason)s") % {"reason": " ".join(form.errors["reason"])})
    elif changing.withdraw([found], by=signed_in(request), side=side, reason=form.cleaned_data["reason"]):
        messages.success(request, gettext("Withdrawn. It is no longer on the board; you can restore it here."))
    return redirect("submission", pk)


@require_POST
@login_required
def submission_restore(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = acting_side(request.user, found)
    if reason := why_not_restored(side, found):
        raise PermissionDenied(reason)
    if changing.restore([found], by=signed_in(request), side=side):
        messages.success(request, gettext("Restored. The board shows it again in a moment."))
    return redirect("submission", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submission_describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change what is told of a run: by its team until a date, by organisers at any time."""
    found = visible_submission(request, pk)
    side, sheet = acting_side(request.user, found), sheet_of(found.phase.task)
    if not may_describe(side, found, sheet):
        raise PermissionDenied(gettext("What is told of this run can be changed no more, but by the organisers."))
    form = DescribeForm(request.POST if request.method == "POST" else None, instance=found, sheet=sheet)
    if form.is_valid():
        describe(found, form.values, by=signed_in(request))
        messages.success(request, gettext("Saved."))
        return redirect("submission", pk)
    context = {"submission": found, "sheet": sheet, "form": form}
    return render(request, "submissions/describe.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team_bring(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask which runs of one's own a member brings into the team, after joining, and whenever there are some."""
    user = signed_in(request)
    team = get_object_or_404(Team, pk=pk, members=user)
    loads = possible_transfers(user, team)
    if request.method == "POST":
        chosen = [load for load in loads if load.key in request.POST.getlist("bring")]
        _bring(request, team, chosen)
        return redirect(team)
    if not loads:
        return redirect(team)
    return render(request, "submissions/bring.html", {"team": team, "loads": loads})


def _bring(request: HttpRequest, team: Team, chosen: Sequence[Transfer]) -> None:
    if not chosen:
        words = gettext("Nothing was brought into %(team)s. You can still do so from this page.")
        messages.info(request, words % {"team": team})
    for load in chosen:
        try:
            transfer_runs(signed_in(request), team, load)
        except TeamRuleError as error:
            messages.error(request, str(error))
        else:
            words = ngettext(
                "%(runs)s of %(task)s went from %(former)s to %(team)s.",
                "%(runs)s of %(task)s went from %(former)s to %(team)s.",
                load.n_runs,
            )
            values = {"runs": counted(load.n_runs, "run"), "task": load.task, "former": load.former, "team": team}
            messages.success(request, words % values)
            if load.n_beyond:
                messages.warning(request, beyond_limit(load.n_beyond))
