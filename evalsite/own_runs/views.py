"""Says where a run stands on its board, for its page, which asks until the board has it."""

from http import HTTPStatus
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseStopPolling, reswap

from evalsite.challenges.access import role_of, sees_own_scores
from evalsite.own_runs.position import Coming, coming
from evalsite.results.page.detail import chosen_section, sections_of
from evalsite.submissions.access import visible_submission


@require_safe
@login_required
def run_place(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """Answer with nothing until the board has the run, which is all that most of these requests ask."""
    state = coming(request.user, pk, scenario)
    if state == Coming.SOON:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if state == Coming.LATE:
        return reswap(HttpResponseStopPolling(), "none")
    submission = visible_submission(request, pk)
    role = role_of(request.user, submission.phase.task)
    section = chosen_section(sections_of(submission, role), str(scenario))
    if section is None or not sees_own_scores(role, submission.phase):
        raise Http404
    return render(request, "results/_place.html", {"submission": submission, "section": section, "visitors_role": role})
