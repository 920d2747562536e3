"""The pages of results: a submission with its numbers, files made of them, one unit, a team's history."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh, reswap, retarget

from evalsite.base.faults import fault_of
from evalsite.challenges.access import (
    Role,
    role_of,
    sees_against_gold,
    sees_own_scores,
    sees_own_steps,
    visible_phase,
    visible_task,
)
from evalsite.jobs.slots import Busy
from evalsite.results.page.detail import chosen_section, file_notes, sections_of
from evalsite.results.runs.choosing import compared, run_choices
from evalsite.results.runs.history import listing_of, own_submissions
from evalsite.results.stored import FileMissing, export, numbers_of, unit_of, units_of, visible_result
from evalsite.results.three_way.families import LAYERS, wrong_first
from evalsite.results.units.lists import count_in_words, page_filters, parse_unit_query
from evalsite.submissions.access import may_withdraw, side_of, signed_in, visible_submission, why_not_restored
from evalsite.submissions.forms import ChoiceForm, WithdrawalForm
from evalsite.submissions.lifecycle.polling import poll, poll_interval, stage
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.runs.choosing import NoChoice, choose
from evalsite.submissions.runs.describing import may_describe, sheet_of
from evalsite.submissions.runs.mending import Mend, open_mends
from evalsite.translating.engine import from_engine

PAGE = 100  # units of a list
RUNS = 50  # of a list of runs


@require_safe
@login_required
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    if answer := _answer_poll(request, pk):
        return answer
    run = visible_submission(request, pk)
    role = role_of(request.user, run.phase.task)
    context = _progress_of(request, run, role)
    if not request.htmx:
        return render(request, "results/submission.html", context | _rest_of_page(request, run, role, context))
    if not context["is_unfinished"]:
        return HttpResponseClientRefresh()
    context["has_changed"] = request.GET.get("seen") != context["seen"]
    return render(request, "results/_progress.html", context)


def _progress_of(request: HttpRequest, run: Submission, role: Role) -> dict[str, Any]:
    """Return what the states of a run's scenarios show, which a page that waits asks for alone."""
    sections = sections_of(run, role)
    return {
        "submission": run,
        "sections": sections,
        "section": chosen_section(sections, request.GET.get("scenario", "")),
        "sees_scores": sees_own_scores(role, run.phase),
        "is_organiser": role >= Role.VIEWER,
        "are_all_scored": all(section.is_scored for section in sections),
        "is_unfinished": any(section.scoring.is_unfinished for section in sections),
        "seen": "-".join(stage(section.scoring) for section in sections),
        "poll_after": _poll_after(section.scoring.created for section in sections),
    }


def _rest_of_page(request: HttpRequest, run: Submission, role: Role, progress: dict[str, Any]) -> dict[str, Any]:
    side, sections = side_of(request.user, run, role), progress["sections"]
    reason, withdrawable = why_not_restored(side, run), may_withdraw(side, run)
    # Organisers can make a withdrawal by the team their own.
    is_standing = run.withdrawn is None or (role >= Role.VIEWER and run.withdrawn_as != side)
    is_at_work = any(one.scoring.is_unfinished and not one.scoring.awaits_gold for one in sections)
    return {
        "phase": run.phase,
        "task": run.phase.task,
        "visitors_role": role,
        "sees_steps": sees_own_steps(role, run.phase),
        "sees_against_gold": sees_against_gold(role, run.phase),
        "may_withdraw": withdrawable,
        "may_restore": side is not None and not reason,
        "why_not_restored": reason,
        "withdrawal": WithdrawalForm(side=side),
        "may_describe": may_describe(side, run, sheet_of(run.phase.task)),
        "file_notes": file_notes(sections),
        "offers_withdrawal": withdrawable and is_standing and not is_at_work,
        "mend": _mend_of(run),
    }


def _mend_of(run: Submission) -> Mend | None:
    """Return how the run may be mended; of most it is soon known that no gold that came later has refused them."""
    refused = run.scorings.filter(state=Scoring.State.REFUSED, gold__is_input=True)
    if run.phase.gold_released or not refused.exists():
        return None
    return next((mend for mend in open_mends(run.phase, [run.team], timezone.now()) if mend.run == run), None)


def _poll_after(queued: Iterable[datetime]) -> int:
    """Return milliseconds until the page asks again."""
    now = timezone.now()
    return round(1000 * poll_interval((now - max(queued, default=now)).total_seconds()))


def _answer_poll(request: HttpRequest, pk: UUID) -> HttpResponse | None:
    """Answer a page that asks whether it is out of date: that it is not, and when to ask again, or that it is to be
    loaded anew, as nothing waits any more. None where a state has changed, and for other requests.

    That is most of what is asked on the evening of a deadline, so it is answered before anything else is loaded.
    """
    if not request.htmx or "seen" not in request.GET:
        return None
    scorings = poll(request.user, pk)
    numbers = {scoring.number for scoring in scorings}
    # Where a scenario has a scoring for each of several golds, the page has to find out which of them counts.
    if not scorings or len(numbers) < len(scorings):
        return None
    if not any(scoring.is_unfinished for scoring in scorings):
        return HttpResponseClientRefresh()
    stages = "-".join(scoring.stage for scoring in scorings)
    if stages != request.GET["seen"]:
        return None
    number = request.GET.get("scenario", "")
    context = {
        "address": reverse("submission", args=[pk]),
        "seen": stages,
        "number": number if number.isascii() and number.isdigit() else "",
        "poll_after": _poll_after(scoring.queued for scoring in scorings),
        "places": [scoring for scoring in scorings if scoring.place and not scoring.attempts],
    }
    answer = render(request, "results/_asks.html", context)
    return reswap(retarget(answer, "#progress-asks"), "outerHTML")


@require_safe
@login_required
def submission_scores(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """Return scores, intervals, counts and signature of the result that counts, as JSON."""
    result, role = visible_result(request, pk, scenario)
    answer = JsonResponse(numbers_of(result, role), json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="scores-{str(pk)[:8]}-scenario{scenario}.json"'
    return answer


@require_safe
@login_required
def submission_export(request: HttpRequest, pk: UUID, scenario: int, name: str) -> HttpResponse:
    """Download a file that the family makes of the result's tables, such as a spreadsheet."""
    result, role = visible_result(request, pk, scenario)
    try:
        content = export(result, name, role)
    except FileMissing as error:
        return unreadable(request, error, {"submission": result.scoring.submission})
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, f"{str(pk)[:8]}-scenario{scenario}-{name}")
    return answer


@require_safe
@login_required
def submission_unit(request: HttpRequest, pk: UUID, scenario: int, unit: str) -> HttpResponse:
    """Show one unit of the result that counts, gold and system side by side."""
    result, role = visible_result(request, pk, scenario)
    submission = result.scoring.submission
    if not sees_against_gold(role, submission.phase):
        raise Http404
    try:
        shown = unit_of(result, unit, parse_unit_query(request.GET))
    except (FileMissing, Busy) as error:
        return unreadable(request, error, {"submission": submission})
    if shown is None:
        raise Http404
    family = result.scoring.scenario.family
    context = {
        "unit_query": shown.query,
        "behind": count_in_words(shown.query.cell, result.scoring.scenario.engine_family),
        "submission": submission,
        "phase": submission.phase,
        "task": submission.phase.task,
        "scenario": result.scoring.scenario,
        "unit": shown,
        "show": request.GET.get("show", ""),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
        "layers": SimpleLazyObject(lambda: wrong_first(LAYERS[family](shown.record))),  # for pages made of them
        "layouts": [f"results/unit/{family}.html", f"results/unit/{'layers' if family in LAYERS else 'any'}.html"],
    }
    return render(request, "results/unit.html", context)


@require_safe
@login_required
def submission_units(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """List the units behind a count of the result, or all of them, the worst first; each leads to its page."""
    result, role = visible_result(request, pk, scenario)
    submission, family = result.scoring.submission, result.scoring.scenario.engine_family
    if not sees_against_gold(role, submission.phase) or family.views.unit_record is None:
        raise Http404
    query = parse_unit_query(request.GET)
    try:
        listed = units_of(result, query)
    except (FileMissing, Busy) as error:
        return unreadable(request, error, {"submission": submission})
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    texts = family.views.unit_texts(result.tables)
    context = {
        "submission": submission,
        "phase": submission.phase,
        "task": submission.phase.task,
        "scenario": result.scoring.scenario,
        "unit_names": [from_engine(noun) for noun in result.scoring.scenario.unit],
        "noun": from_engine(result.scoring.scenario.unit[len(listed) != 1]),
        "unit_query": query,
        "behind": count_in_words(query.cell, family),
        "shown": {name: value or None for name, value in page_filters(query.cell, family).items()},
        "headline": from_engine(result.scoring.scenario.score_titles[result.scoring.scenario.headline]),
        "page": page,
        "units": [(unit, texts.get(unit.name, "")) for unit in page],
        "n_units": len(listed),
        "n_items": sum(unit.number or 0 for unit in listed),
    }
    return render(request, "results/units.html", context)


def unreadable(request: HttpRequest, error: Exception, context: dict[str, Any]) -> HttpResponse:
    """Say that files are gone, or that others are being read just now.

    Where it is a fault of the machine that they cannot be read, that is raised, as it passes.
    """
    if isinstance(error, FileMissing):
        cause = error.__cause__
        if cause and not isinstance(cause, FileNotFoundError) and fault_of(cause):
            raise cause
        return render(request, "results/gone.html", context, status=410)
    busy = render(request, "results/busy.html", context, status=503)
    busy["Retry-After"] = "5"
    return busy


@require_safe
@login_required
def submissions(request: HttpRequest, task: str) -> HttpResponse:
    task_row = visible_task(request.user, task)
    role = role_of(request.user, task_row)
    page = Paginator(own_submissions(task_row, signed_in(request)), RUNS).get_page(request.GET.get("page"))
    listing = listing_of(task_row, role, page, are_all=page.paginator.num_pages == 1)
    choices = run_choices(((group.phase, group.team) for group in listing.groups), task_row)
    context = {"task": task_row, "visitors_role": role, "page": page, "listing": listing, "run_choices": choices}
    context["teams"] = dict.fromkeys(group.team for group in listing.groups)
    return render(request, "results/history.html", context)


@require_POST
@login_required
def submissions_choose(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """Choose the run that counts for a team of one's own, where the phase leaves that to teams."""
    phase_row = visible_phase(request.user, task, phase)
    user = signed_in(request)
    form = ChoiceForm(request.POST, phase=phase_row, teams=user.teams.all())
    if not form.is_valid():
        messages.error(request, gettext("Nothing was changed: this run is not one of those to choose from."))
        return redirect("submissions", task)
    try:
        data = form.cleaned_data
        is_new = choose(phase_row, data["scenario"], data["team"], *form.chosen, by=user)
    except NoChoice as error:
        messages.error(request, str(error))
    else:
        if is_new:
            messages.success(request, gettext("Chosen. The board shows it in a moment."))
    return redirect("submissions", task)


@require_safe
@login_required
def submissions_compare(request: HttpRequest, task: str) -> HttpResponse:
    """Redirect from two ticked runs to the page that compares them, in a scenario of both."""
    task_row = visible_task(request.user, task)
    pair = compared(task_row, signed_in(request), request.GET.getlist("run"))
    if isinstance(pair, str):
        messages.info(request, pair)
        return redirect("submissions", task_row.slug)
    phase, scenario, runs = pair
    address = reverse("board_compare", args=[task_row.slug, phase.slug, scenario.number])
    return redirect(f"{address}?{urlencode(dict(zip('ab', runs, strict=True)))}")
