"""Downloads a run's file, and changes a run for its team."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.submissions.access import acting_side, may_withdraw, signed_in, visible_submission, why_not_restored
from evalsite.submissions.forms import DescribeForm, WithdrawalForm
from evalsite.submissions.runs import changing
from evalsite.submissions.runs.describing import describe, may_describe, sheet_of


@require_safe
@login_required
def submission_file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    submission = visible_submission(request, pk)
    return file_or_error_page(request, submission.file, submission.file_name)


@require_POST
@login_required
def submission_cancel(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    submission = visible_submission(request, pk)
    side = acting_side(request.user, submission)
    if not may_withdraw(side, submission):
        raise PermissionDenied(_CLOSED)
    if changing.cancel([submission], by=signed_in(request), side=side):
        messages.success(request, gettext("Cancelled. It does not count towards the limits."))
    else:
        messages.info(request, gettext("There was nothing left to cancel: scoring had already started."))
    return redirect("submission", pk)


_CLOSED = gettext_lazy("The phase has closed: only the organisers can cancel, withdraw or restore its runs.")


@require_POST
@login_required
def submission_withdraw(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    submission = visible_submission(request, pk)
    side = acting_side(request.user, submission)
    if not may_withdraw(side, submission):
        raise PermissionDenied(_CLOSED)
    form = WithdrawalForm(request.POST, side=side)
    if not form.is_valid():
        messages.error(request, gettext("Not withdrawn. %(reason)s") % {"reason": " ".join(form.errors["reason"])})
    elif changing.withdraw([submission], by=signed_in(request), side=side, reason=form.cleaned_data["reason"]):
        messages.success(request, gettext("Withdrawn. It is no longer on the board; you can restore it here."))
    return redirect("submission", pk)


@require_POST
@login_required
def submission_restore(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    submission = visible_submission(request, pk)
    side = acting_side(request.user, submission)
    if reason := why_not_restored(side, submission):
        raise PermissionDenied(reason)
    if changing.restore([submission], by=signed_in(request), side=side):
        messages.success(request, gettext("Restored. The board shows it again in a moment."))
    return redirect("submission", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submission_describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change what is told of a run: by its team until a date, by organisers at any time."""
    submission = visible_submission(request, pk)
    side, sheet = acting_side(request.user, submission), sheet_of(submission.phase.task)
    if not may_describe(side, submission, sheet):
        raise PermissionDenied(gettext("Only the organisers can still change the description of this run."))
    form = DescribeForm(request.POST if request.method == "POST" else None, instance=submission, sheet=sheet)
    if form.is_valid():
        describe(submission, form.values, by=signed_in(request))
        messages.success(request, gettext("Saved."))
        return redirect("submission", pk)
    context = {"submission": submission, "sheet": sheet, "form": form}
    return render(request, "submissions/describe.html", context, status=422 if form.errors else 200)
