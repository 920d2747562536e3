"""The form of an upload, its file, and what a team may do with it afterwards."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from math import ceil
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from evalsite.accounts import attempts
from evalsite.accounts.models import Team
from evalsite.accounts.services import TeamRuleError
from evalsite.challenges.access import visible_tasks
from evalsite.challenges.models import Phase
from evalsite.challenges.services import must_be_chosen, scorable_scenarios
from evalsite.challenges.uploads import is_too_large
from evalsite.submissions import intake
from evalsite.submissions.access import may_restore, may_withdraw, side_of, signed_in, visible_submission
from evalsite.submissions.bringing import Load, bring, loads_of
from evalsite.submissions.checking import Checked, check
from evalsite.submissions.forms import SubmissionForm, WithdrawalForm
from evalsite.submissions.models import Submission
from evalsite.submissions.tasks import enqueue
from evalsite.submissions.uploads import Upload, as_upload
from evalsite.wording import counted, duration, relative, size


@login_required
def submit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    entered = get_object_or_404(
        Phase.objects.select_related("task"),
        task__in=visible_tasks(request.user),
        task__slug=task,
        slug=phase,
    )
    page = _Page(request, entered)
    if request.method != "POST":
        return page.answer()
    arrived = timezone.now()  # the files have been read by now: this is when their last byte arrived
    if is_too_large(request):
        page.form.blame_size(_TOO_LARGE.format(size(settings.MAX_UPLOAD_BYTES)))
        return page.answer(413)
    if not page.form.is_valid():
        return page.answer(422)
    try:
        attempt = attempts.begin(signed_in(request), arrived)
    except attempts.TooManyAttempts as error:
        return _throttled(page, error)
    with as_upload(page.form.cleaned_data["files"]) as upload:
        answer = _take(page, upload, arrived)
    if answer.status_code == HTTPStatus.FOUND:
        attempt.delete()
    return answer


_TOO_LARGE = (
    "Your files are larger than {}, the most that one upload may have. Leave out what the layout does not name; "
    "single files become much smaller in a zip archive. What you typed is kept: choose the files again."
)


class _Page:
    """The page of a phase's upload form, as it is asked for or was sent."""

    def __init__(self, request: HttpRequest, phase: Phase) -> None:
        self.request = request
        self.phase = phase
        self.user = signed_in(request)
        self.offered = scorable_scenarios(phase)
        self.standings = intake.standings(phase, self.user, timezone.now())
        self.form = SubmissionForm(
            *((request.POST, request.FILES) if request.method == "POST" else ()),
            phase=phase,
            user=self.user,
            scenarios=self.offered,
            likely=self.standings[0].team if self.standings else None,
        )

    def answer(self, status: int = 200, checked: Sequence[Checked] = ()) -> HttpResponse:
        possible = [standing for standing in self.standings if not standing.reason]
        chosen = str(self.form["team"].value())
        context = {
            "phase": self.phase,
            "task": self.phase.task,
            "scenarios": self.offered,
            "form": self.form,
            "checked": checked,
            "standings": self.standings,
            "possible": possible,
            "chosen": chosen,
            "binds": intake.is_limited(self.phase) and not intake.teams_bound_to(self.phase, self.user),
            "fills_all": len(self.offered) > 1 and not must_be_chosen(self.offered),
            "max_bytes": settings.MAX_UPLOAD_BYTES,
            "max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        }
        return render(self.request, "submissions/submit.html", context, status=status)


def _throttled(page: _Page, error: attempts.TooManyAttempts) -> HttpResponse:
    window = settings.REFUSED_UPLOADS_WINDOW
    page.form.reject(
        f"{counted(error.n_refused, 'upload')} of yours in the last {duration(window)} could not be taken, so we look "
        f"at no more of them for now. Try again at {error.again:%H:%M:%S} UTC, {relative(error.again)}. "
        "Meanwhile you can check your files on your own machine, as is told on this page. What you typed is kept."
    )
    answer = page.answer(HTTPStatus.TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(max(1, ceil((error.again - timezone.now()).total_seconds())))
    return answer


def _take(page: _Page, upload: Upload, arrived: datetime) -> HttpResponse:
    form, phase, user = page.form, page.phase, page.user
    team, chosen = form.cleaned_data["team"], list(form.cleaned_data.get("scenarios", []))
    try:
        # What the site knows comes first: it costs nothing, and no mending of files would help.
        intake.admit(phase, team, user, upload.sha256, chosen, arrived=arrived)
        checked = check(phase, upload, page.offered, chosen)
        if any(part.problems for part in checked):
            return page.answer(422, checked)
        said = {name: form.cleaned_data[name] for name in ("method", "description", "link")}
        scenarios = [part.scenario for part in checked if part.scenario]
        submission = intake.submit(phase, team, user, upload, scenarios, arrived=arrived, **said)
    except intake.Rejection as rejection:
        form.reject(str(rejection), rejection.remedy)
        return page.answer(422)
    except intake.Repetition as repetition:
        messages.info(page.request, "Your team has uploaded exactly these files before. Here is what came of them.")
        return redirect(repetition.submission)
    enqueue(submission.scorings.values_list("pk", flat=True))
    return redirect(submission)


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


@login_required
def team_bring(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Which runs of one's own a member brings into the team; asked after joining, and whenever there are some."""
    user = signed_in(request)
    team = get_object_or_404(Team, pk=pk, members=user)
    loads = loads_of(user, team)
    if request.method == "POST":
        chosen = [load for load in loads if load.key in request.POST.getlist("bring")]
        _bring(request, team, chosen)
        return redirect(team)
    if not loads:
        return redirect(team)
    return render(request, "submissions/bring.html", {"team": team, "loads": loads})


def _bring(request: HttpRequest, team: Team, chosen: Sequence[Load]) -> None:
    if not chosen:
        messages.info(request, f"Nothing was brought into {team}. You find the way to it on this page.")
    for load in chosen:
        try:
            bring(signed_in(request), team, load)
        except TeamRuleError as error:
            messages.error(request, str(error))
        else:
            messages.success(
                request, f"{counted(load.n_runs, 'run')} of {load.task} went from {load.former} to {team}."
            )
