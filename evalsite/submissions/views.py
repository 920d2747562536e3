"""The pages of uploads: the form, the life and the numbers of a submission, a team's history."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, role_of, sees_against_gold, sees_own_scores, visible_tasks
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.challenges.services import scorable_scenarios
from evalsite.challenges.uploads import is_too_large
from evalsite.submissions import intake
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.checking import Checked, check
from evalsite.submissions.detail import sections_of
from evalsite.submissions.forms import SubmissionForm
from evalsite.submissions.history import histories
from evalsite.submissions.models import Result, Submission
from evalsite.submissions.stored import Gone, export, newest_result, unit_of
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
        submission = intake.submit(phase, team, _user(request), upload, scenarios, arrived=arrived, **said)
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
        "quotas": [(team, intake.quota(phase, team, now)) for team in _user(request).teams.all()],
        "max_bytes": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "submissions/submit.html", context, status=status)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # behind login_required
    return request.user


@require_safe
@login_required
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    found = _visible(request, pk)
    role = role_of(request.user, found.phase.task)
    context = {
        "submission": found,
        "phase": found.phase,
        "task": found.phase.task,
        "sections": sections_of(found, is_organiser=role == Role.ORGANISER),
        "sees_scores": sees_own_scores(role, found.phase),
        "sees_against_gold": sees_against_gold(role, found.phase),
        "is_organiser": role == Role.ORGANISER,
    }
    context["is_unfinished"] = any(section.scoring.is_unfinished for section in context["sections"])
    if not request.htmx:
        return render(request, "submissions/submission.html", context)
    if context["is_unfinished"]:
        return render(request, "submissions/_progress.html", context)
    return HttpResponseClientRefresh()


def _visible(request: HttpRequest, pk: UUID) -> Submission:
    related = ("phase__task", "team", "uploader")
    return get_object_or_404(visible_submissions(request.user).select_related(*related), pk=pk)


@require_safe
@login_required
def submission_file(request: HttpRequest, pk: UUID) -> FileResponse:
    found = _visible(request, pk)
    return FileResponse(
        found.file.open(),
        as_attachment=True,
        filename=found.file_name,
        content_type="application/octet-stream",
    )


@require_safe
@login_required
def submission_scores(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """Scores, intervals, counts and signature of the newest result, as JSON."""
    result, role = _result(request, pk, scenario)
    names = ("scores", "intervals", "interval_methods", "counts", "signature", "gold_digest")
    numbers = {name: getattr(result, name) for name in names}
    numbers["warnings"] = result.warnings_for(is_organiser=role == Role.ORGANISER)
    answer = JsonResponse(numbers, json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="scores-{str(pk)[:8]}-scenario{scenario}.json"'
    return answer


def _result(request: HttpRequest, pk: UUID, scenario: int) -> tuple[Result, Role]:
    """The newest result of a scenario, if the visitor sees its scores."""
    found = _visible(request, pk)
    role = role_of(request.user, found.phase.task)
    newest = newest_result(found, scenario)
    if newest is None or not sees_own_scores(role, found.phase):
        raise Http404
    return newest, role


@require_safe
@login_required
def submission_export(request: HttpRequest, pk: UUID, scenario: int, name: str) -> HttpResponse:
    """A file that the family makes of the newest result's tables, such as a spreadsheet."""
    result, role = _result(request, pk, scenario)
    phase = result.scoring.submission.phase
    try:
        content = export(result, name, against_gold=sees_against_gold(role, phase))
    except Gone:
        return render(request, "submissions/gone.html", {"submission": result.scoring.submission}, status=410)
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, f"{str(pk)[:8]}-scenario{scenario}-{name}")
    return answer


@require_safe
@login_required
def submission_unit(request: HttpRequest, pk: UUID, scenario: int, unit: str) -> HttpResponse:
    """One unit of the newest result, gold and system side by side."""
    result, role = _result(request, pk, scenario)
    submission = result.scoring.submission
    if not sees_against_gold(role, submission.phase):
        raise Http404
    try:
        found = unit_of(result, unit)
    except Gone:
        return render(request, "submissions/gone.html", {"submission": submission}, status=410)
    if found is None:
        raise Http404
    family = result.scoring.scenario.family
    context = {
        "submission": submission,
        "phase": submission.phase,
        "task": submission.phase.task,
        "scenario": result.scoring.scenario,
        "unit": found,
        "show": request.GET.get("show", ""),
        "layouts": [f"submissions/units/{family}.html", "submissions/units/any.html"],
    }
    return render(request, "submissions/unit.html", context)


@require_POST
@login_required
def submission_cancel(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    cancelled = intake.cancel(_visible(request, pk), by=_user(request))
    if cancelled:
        messages.success(request, "Cancelled. It does not count towards the limits.")
    else:
        messages.info(request, "There was nothing left to cancel: its scoring had begun.")
    return redirect("submission", pk)


def _changing(change: Callable[..., None], words: str) -> Callable[[HttpRequest, UUID], HttpResponseRedirect]:
    @require_POST
    @login_required
    def view(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
        change(_visible(request, pk), by=_user(request))
        messages.success(request, words)
        return redirect("submission", pk)

    return view


submission_withdraw = _changing(intake.withdraw, "Withdrawn. It is no longer on the board; you can restore it here.")
submission_restore = _changing(intake.restore, "Restored. The board shows it again in a moment.")


@require_safe
@login_required
def submissions(request: HttpRequest, task: str) -> HttpResponse:
    found: Task = get_object_or_404(visible_tasks(request.user), slug=task)
    context: dict[str, Any] = {"task": found, "histories": histories(found, _user(request))}
    return render(request, "submissions/history.html", context)
