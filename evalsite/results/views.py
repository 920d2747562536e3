"""The pages of results: a submission with its numbers, files made of them, one unit, a team's history."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evalsite.challenges.access import Role, role_of, sees_against_gold, sees_own_scores, visible_tasks
from evalsite.challenges.models import Task
from evalsite.results.detail import file_notes, sections_of
from evalsite.results.history import histories
from evalsite.results.stored import Gone, counted_result, export, unit_of
from evalsite.submissions.access import may_restore, may_withdraw, side_of, signed_in, visible_submission
from evalsite.submissions.forms import WithdrawalForm
from evalsite.submissions.models import Result


@require_safe
@login_required
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    found = visible_submission(request, pk)
    role = role_of(request.user, found.phase.task)
    side = side_of(request.user, found)
    context = {
        "submission": found,
        "phase": found.phase,
        "task": found.phase.task,
        "sections": sections_of(found, is_organiser=role == Role.ORGANISER),
        "sees_scores": sees_own_scores(role, found.phase),
        "sees_against_gold": sees_against_gold(role, found.phase),
        "is_organiser": role == Role.ORGANISER,
        "may_withdraw": may_withdraw(side, found),
        "may_restore": may_restore(side, found),
        "withdrawal": WithdrawalForm(side=side),
    }
    context["file_notes"] = file_notes(context["sections"])
    context["is_unfinished"] = any(section.scoring.is_unfinished for section in context["sections"])
    context["seen"] = "-".join(section.scoring.state for section in context["sections"])
    # Organisers can make a withdrawal by the team their own.
    is_standing = found.withdrawn is None or (role == Role.ORGANISER and found.withdrawn_as != side)
    context["offers_withdrawal"] = context["may_withdraw"] and is_standing and not context["is_unfinished"]
    if not request.htmx:
        return render(request, "results/submission.html", context)
    if context["is_unfinished"]:
        context["has_changed"] = request.GET.get("seen") != context["seen"]
        return render(request, "results/_progress.html", context)
    return HttpResponseClientRefresh()


@require_safe
@login_required
def submission_scores(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """Scores, intervals, counts and signature of the result that counts, as JSON."""
    result, role = _result(request, pk, scenario)
    names = ("scores", "intervals", "interval_methods", "counts", "signature", "gold_digest")
    numbers = {name: getattr(result, name) for name in names}
    numbers["warnings"] = result.warnings_for(is_organiser=role == Role.ORGANISER)
    answer = JsonResponse(numbers, json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="scores-{str(pk)[:8]}-scenario{scenario}.json"'
    return answer


def _result(request: HttpRequest, pk: UUID, scenario: int) -> tuple[Result, Role]:
    """The result of a scenario that counts, if the visitor sees its scores."""
    found = visible_submission(request, pk)
    role = role_of(request.user, found.phase.task)
    counted = counted_result(found, scenario)
    if counted is None or not sees_own_scores(role, found.phase):
        raise Http404
    return counted, role


@require_safe
@login_required
def submission_export(request: HttpRequest, pk: UUID, scenario: int, name: str) -> HttpResponse:
    """A file that the family makes of the result's tables, such as a spreadsheet."""
    result, role = _result(request, pk, scenario)
    phase = result.scoring.submission.phase
    try:
        content = export(result, name, against_gold=sees_against_gold(role, phase))
    except Gone:
        return render(request, "results/gone.html", {"submission": result.scoring.submission}, status=410)
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, f"{str(pk)[:8]}-scenario{scenario}-{name}")
    return answer


@require_safe
@login_required
def submission_unit(request: HttpRequest, pk: UUID, scenario: int, unit: str) -> HttpResponse:
    """One unit of the result that counts, gold and system side by side."""
    result, role = _result(request, pk, scenario)
    submission = result.scoring.submission
    if not sees_against_gold(role, submission.phase):
        raise Http404
    try:
        found = unit_of(result, unit)
    except Gone:
        return render(request, "results/gone.html", {"submission": submission}, status=410)
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
        "layouts": [f"results/unit/{family}.html", "results/unit/any.html"],
    }
    return render(request, "results/unit.html", context)


@require_safe
@login_required
def submissions(request: HttpRequest, task: str) -> HttpResponse:
    found: Task = get_object_or_404(visible_tasks(request.user), slug=task)
    context: dict[str, Any] = {"task": found, "histories": histories(found, signed_in(request))}
    return render(request, "results/history.html", context)
