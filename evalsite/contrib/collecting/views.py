"""The desk's page of a phase that collects runs before there is gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template import Context
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.background.models import Job
from evalsite.challenges.audit_trail import change
from evalsite.challenges.gold.inputs import may_collect
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.challenges.storage.downloads import file_or_error_page
from evalsite.contrib.collecting import pools
from evalsite.contrib.collecting.forms import InputForm, MendingForm, PoolForm
from evalsite.desk.access import desk_page, phase_of
from evalsite.submissions.access import signed_in
from evalsite.submissions.lifecycle.collecting import tell_unscorable, unscorable, waiting_on
from evalsite.submissions.models import Scoring
from evalsite.wording import amount


@dataclass(frozen=True)
class Collected:
    """A scenario whose runs wait for gold, or have waited."""

    scenario: Scenario
    golds: Golds
    n_waiting: int
    unscorable: Sequence[Scoring]  # that the candidate refuses, and whose teams have not been told
    pool: Job | None
    work: Job | None

    @property
    def may_be_pooled(self) -> bool:
        return pools.may_be_pooled(self.scenario)

    @property
    def has_section(self) -> bool:
        """Return whether there is more to say of it than that it has gold."""
        return bool(self.golds.in_force.is_input or self.unscorable or self.may_be_pooled)


def link(context: Context) -> dict[str, Any]:
    """Return what the desk's list of gold says of a phase: whether it collects runs, or may do so."""
    cells = context["row"].cells
    return {
        "phase": context["row"].phase,
        "collects": any(gold.is_input for cell in cells for gold in cell.current),
        "may_begin": any(not cell.current and may_collect(cell.scenario) for cell in cells),
    }


@desk_page()
def collecting(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Show what waits, take the input of scenarios without gold, and set how long runs may be mended."""
    phase_row = phase_of(task, phase)
    golds = golds_of([phase_row.pk])
    scenarios = list(task.scenarios.order_by("number"))
    offered = [one for one in scenarios if (phase_row.pk, one.pk) not in golds and may_collect(one)]
    sent = (request.POST, request.FILES) if "input" in request.POST else ()
    inputs = InputForm(*sent, phase=phase_row, offered=offered, user=signed_in(request))
    mending = MendingForm(request.POST if "mending" in request.POST else None, instance=phase_row)
    if _saved(request, phase_row, inputs, mending):
        return redirect("desk_gold_collect", task.slug, phase_row.slug)
    of_input = [(one, golds.get((phase_row.pk, one.pk))) for one in scenarios]
    collected = [_collected(one, versions) for one, versions in of_input if versions]
    sections = [one for one in collected if one.has_section]
    context = {
        "task": task,
        "phase": phase_row,
        "offered": offered,
        "left_out": [one for one, versions in of_input if versions is None and one not in offered],
        "inputs": inputs,
        "mending": mending,
        "collected": sections,
        "without_pool": [one.scenario for one in sections if not one.may_be_pooled],
        "scored": [one.scenario for one in collected if not one.has_section],
        "pooling": PoolForm(),
    }
    status = 422 if inputs.errors or mending.errors else 200
    return render(request, "contrib/collecting/page.html", context, status=status)


def _saved(request: HttpRequest, phase: Phase, inputs: InputForm, mending: MendingForm) -> bool:
    if mending.is_bound and mending.is_valid():
        change(Phase.objects.get(pk=phase.pk), {"mend_days": mending.cleaned_data["mend_days"]}, by=signed_in(request))
        messages.success(request, gettext("Saved."))
        return True
    if inputs.is_bound and inputs.is_valid():
        golds = inputs.save()
        for gold in golds:
            words = ngettext(
                "%(scenario)s now accepts runs; each is checked against the %(n)s item of the input.",
                "%(scenario)s now accepts runs; each is checked against the %(n)s items of the input.",
                gold.n_units,
            )
            messages.success(request, words % {"scenario": gold.scenario, "n": amount(gold.n_units)})
        return bool(golds)
    return False


def _collected(scenario: Scenario, golds: Golds) -> Collected:
    refused = unscorable(golds.candidate).select_related("submission__team") if golds.candidate else []
    n_waiting = waiting_on(golds.in_force).count() if golds.in_force.is_input else 0
    of_gold = golds.in_force
    return Collected(scenario, golds, n_waiting, list(refused), pools.pool_of(of_gold), pools.work_of(of_gold))


@require_POST
@desk_page()
def tell(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Tell teams which of their runs the candidates cannot score."""
    phase_row = phase_of(task, phase)
    candidates = [golds.candidate for golds in golds_of([phase_row.pk]).values() if golds.candidate]
    for gold in candidates:
        gold.phase.task = task
    n = sum(tell_unscorable(gold, by=signed_in(request)) for gold in candidates)
    words = ngettext("The team of %(n)s run was notified.", "The teams of %(n)s runs were notified.", n)
    messages.success(request, words % {"n": amount(n)})
    return redirect("desk_gold_collect", task.slug, phase_row.slug)


@require_POST
@desk_page()
def make_pool(request: HttpRequest, task: Task, phase: str, number: int) -> HttpResponse:
    """Have a pool made in the background."""
    phase_row, golds = _golds(task, phase, number)
    form = PoolForm(request.POST)
    if not form.is_valid():
        messages.error(request, gettext("Nothing was started: both numbers have to be 1 or more."))
    elif pools.start(golds.in_force, **form.cleaned_data, by=signed_in(request)) is None:
        messages.info(request, gettext("The pool is being made already."))
    return redirect("desk_gold_collect", task.slug, phase_row.slug)


@require_safe
@desk_page()
def pool(request: HttpRequest, task: Task, phase: str, number: int) -> HttpResponseBase:
    phase_row, golds = _golds(task, phase, number)
    made = pools.pool_of(golds.in_force)
    if made is None:
        raise Http404
    return file_or_error_page(request, made.file, f"{task.slug}-{phase_row.slug}-scenario{number}-pool.tsv")


def _golds(task: Task, phase: str, number: int) -> tuple[Phase, Golds]:
    phase_row, scenario = phase_of(task, phase), get_object_or_404(task.scenarios, number=number)
    golds = golds_of([phase_row.pk]).get((phase_row.pk, scenario.pk))
    if golds is None or not pools.may_be_pooled(scenario):
        raise Http404
    golds.in_force.phase = phase_row
    return phase_row, golds
