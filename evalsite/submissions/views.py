"""The form of an upload, its file, and what a team may do with it afterwards."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from evalsite.challenges.access import visible_tasks
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.services import scorable_scenarios
from evalsite.challenges.uploads import is_too_large
from evalsite.submissions import intake
from evalsite.submissions.access import may_restore, may_withdraw, side_of, signed_in, visible_submission
from evalsite.submissions.checking import Checked, check
from evalsite.submissions.forms import SubmissionForm, WithdrawalForm
from evalsite.submissions.models import Submission
from evalsite.submissions.tasks import enqueue
from evalsite.submissions.uploads import Upload, as_upload


@login_required
def submit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    entered = get_object_or_404(
        Phase.objects.select_related("task"),
        task__in=visible_tasks(request.user),
        task__slug=task,
        slug=phase,
    )
    offered = scorable_scenarios(entered)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = SubmissionForm(*sent, phase=entered, user=request.user, scenarios=offered)
    if request.method != "POST":
        return _form_page(request, entered, offered, form)
    arrived = timezone.now()  # the files have been read by now: this is when their last byte arrived
    if is_too_large(request):
        form.errors.pop("files", None)  # what arrived was dropped, which is no choice of the participant's
        form.add_error("files", _TOO_LARGE.format(settings.MAX_UPLOAD_BYTES // 1024**2))
        return _form_page(request, entered, offered, form, status=413)
    if not form.is_valid():
        return _form_page(request, entered, offered, form, status=422)
    with as_upload(form.cleaned_data["files"]) as upload:
        return _take(request, entered, offered, form, upload, arrived)


_TOO_LARGE = "Your files are larger than {} MB, the most that one upload may have. Pack them into a zip archive."


def _take(
    request: HttpRequest,
    phase: Phase,
    offered: list[Scenario],
    form: SubmissionForm,
    upload: Upload,
    arrived: datetime,
) -> HttpResponse:
    team, chosen = form.cleaned_data["team"], list(form.cleaned_data.get("scenarios", []))
    checked = check(phase, upload, offered, chosen)
    if any(part.problems for part in checked):
        return _form_page(request, phase, offered, form, checked, status=422)
    said = {name: form.cleaned_data[name] for name in ("method", "description", "link")}
    scenarios = [part.scenario for part in checked if part.scenario]
    try:
        submission = intake.submit(phase, team, signed_in(request), upload, scenarios, arrived=arrived, **said)
    except intake.Rejection as rejection:
        form.add_error(None, str(rejection))
        return _form_page(request, phase, offered, form, status=422)
    except intake.Repetition as repetition:
        messages.info(request, "Your team has uploaded exactly these files before. Here is what came of them.")
        return redirect(repetition.submission)
    enqueue(submission.scorings.values_list("pk", flat=True))
    return redirect(submission)


def _form_page(
    request: HttpRequest,
    phase: Phase,
    offered: list[Scenario],
    form: SubmissionForm,
    checked: list[Checked] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    context = {
        "phase": phase,
        "task": phase.task,
        "scenarios": offered,
        "form": form,
        "checked": checked or [],
        "quotas": [(team, intake.quota(phase, team, now)) for team in signed_in(request).teams.all()],
        "max_bytes": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "submissions/submit.html", context, status=status)


@require_safe
@login_required
def submission_file(request: HttpRequest, pk: UUID) -> FileResponse:
    found = visible_submission(request, pk)
    return FileResponse(
        found.file.open(),
        as_attachment=True,
        filename=found.file_name,
        content_type="application/octet-stream",
    )


@require_POST
@login_required
def submission_cancel(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = side_of(request.user, found)
    if not may_withdraw(side, found):
        raise PermissionDenied(_CLOSED)
    if intake.cancel([found], by=signed_in(request), side=side):
        messages.success(request, "Cancelled. It does not count towards the limits.")
    else:
        messages.info(request, "There was nothing left to cancel: its scoring had begun.")
    return redirect("submission", pk)


_CLOSED = "The phase has closed: its runs are neither cancelled, withdrawn nor restored, but by the organisers."


@require_POST
@login_required
def submission_withdraw(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = side_of(request.user, found)
    if not may_withdraw(side, found):
        raise PermissionDenied(_CLOSED)
    form = WithdrawalForm(request.POST, side=side)
    if not form.is_valid():
        messages.error(request, f"Not withdrawn. {' '.join(form.errors['reason'])}")
    elif intake.withdraw([found], by=signed_in(request), side=side, reason=form.cleaned_data["reason"]):
        messages.success(request, "Withdrawn. It is no longer on the board; you can restore it here.")
    return redirect("submission", pk)


@require_POST
@login_required
def submission_restore(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    found = visible_submission(request, pk)
    side = side_of(request.user, found)
    if not may_restore(side, found):
        is_by_organisers = found.withdrawn_as == Submission.Side.ORGANISERS
        raise PermissionDenied(
            "The organisers withdrew this run: they alone can restore it." if is_by_organisers else _CLOSED
        )
    if intake.restore([found], by=signed_in(request), side=side):
        messages.success(request, "Restored. The board shows it again in a moment.")
    return redirect("submission", pk)
