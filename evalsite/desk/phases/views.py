"""Phases on a task's desk: as a timeline, each with a page of its parts, a new one, and one that goes."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

import scoring
from evalsite.challenges import services
from evalsite.challenges.gold.shared import sources_of, take_gold_over
from evalsite.challenges.models import Gold, Phase, Task
from evalsite.challenges.task_page.timeline import timeline
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.phases.forms import (
    LimitsForm,
    NamesForm,
    NewPhaseForm,
    PauseForm,
    TimesForm,
    VisibilityForm,
)
from evalsite.desk.phases.reading import reading_of
from evalsite.desk.phases.rules import CountsForm, DecidesForm, LateForm
from evalsite.desk.phases.visibility import columns, visibility_of
from evalsite.desk.sections import Sections, created
from evalsite.submissions.access import signed_in

SECTIONS = [NamesForm, TimesForm, LateForm, LimitsForm, CountsForm, DecidesForm, VisibilityForm]


@require_safe
@desk_page()
def phases(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/phases/phases.html", {"bars": timeline(task.phases.all())})


@desk_page()
def phase_add(request: HttpRequest, task: Task) -> HttpResponse:
    form = NewPhaseForm(request.POST or None, instance=Phase(task=task, counts_is_usual=True))
    if request.method == "POST" and form.is_valid():
        created(form, by=request.user)
        messages.success(request, gettext("The phase was added. Check its limits and who sees what."))
        return redirect("desk_phases_one", task.slug, form.instance.slug)
    return render(request, "desk/phases/add.html", {"form": form}, status=422 if form.errors else 200)


@desk_page()
def phase(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    sections = Sections(request, SECTIONS, lambda: _row(phase_row))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        row = _row(phase_row)
        if row.counts_is_usual and row.counts != phase_row.counts:
            words = gettext("For each team, %(what)s now counts, as is usual for such a phase: see “What counts”.")
            messages.info(request, words % {"what": row.get_counts_display()})
        return redirect("desk_phases_one", task.slug, row.slug)
    sources = sources_of(phase_row)
    context = {
        "phase": phase_row,
        "sections": sections,
        "columns": columns(),
        "visibility": visibility_of(phase_row),
        "reading": reading_of(phase_row),
        "pause": PauseForm(initial={"reason": phase_row.pause_reason}),
        "is_unused": services.is_unused(phase_row),
        "sources": sources,
        "lacks_gold": any(source.lacking for source in sources),
    }
    return render(request, "desk/phases/phase.html", context, status=sections.status)


@require_POST
@desk_page()
def phase_gold(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Take over the gold of another phase of the task, as evaluation and post-evaluation share it."""
    phase_row, source = phase_of(task, phase), get_object_or_404(task.phases, slug=request.POST.get("source", ""))
    try:
        added = take_gold_over(phase_row, source, by=signed_in(request))
    except (scoring.GoldError, OSError) as error:
        messages.error(request, gettext("Nothing was copied: %(reason)s") % {"reason": error})
    else:
        messages.success(request, _taken_over(added))
    return redirect("desk_phases_one", task.slug, phase_row.slug)


def _taken_over(golds: Sequence[Gold]) -> str:
    """Return what has become of gold that was taken over: it ranks, or waits as candidates."""
    n_waiting = sum(gold.state == Gold.State.CANDIDATE for gold in golds)
    ranking = ngettext(
        "Gold of %(n)s scenario was copied.",
        "Gold of %(n)s scenarios was copied.",
        len(golds) - n_waiting,
    )
    waiting = ngettext(
        "Gold of %(n)s scenario was added as a candidate: nothing changes until you publish it.",
        "Gold of %(n)s scenarios was added as candidates: nothing changes until you publish them.",
        n_waiting,
    )
    counted = [(ranking, len(golds) - n_waiting), (waiting, n_waiting)]
    return " ".join(words % {"n": n} for words, n in counted if n) or gettext("Nothing was copied.")


@require_POST
@desk_page()
def phase_pause(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row, form = phase_of(task, phase), PauseForm(request.POST)
    if "resume" in request.POST:
        services.resume(phase_row, by=request.user)
        messages.success(request, gettext("The phase accepts uploads again."))
    elif form.is_valid():
        services.pause(phase_row, form.cleaned_data["reason"], by=request.user)
        messages.success(request, gettext("The phase is paused. Its page says why."))
    else:
        messages.error(request, gettext("Nothing was changed: the reason is longer than 200 characters."))
    return redirect("desk_phases_one", task.slug, phase_row.slug)


@desk_page()
def phase_delete(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    is_unused = services.is_unused(phase_row)
    if request.method == "POST" and is_unused:
        services.delete_phase(phase_row, by=request.user)
        messages.success(request, gettext("%(phase)s was deleted.") % {"phase": phase_row.name})
        return redirect("desk_phases", task.slug)
    context = {"phase": phase_row, "is_unused": is_unused, "n_golds": phase_row.golds.count()}
    return render(request, "desk/phases/delete.html", context, status=200 if is_unused else 409)


def _row(phase: Phase) -> Phase:
    """Return the phase as it is stored now."""
    return Phase.objects.select_related("task").get(pk=phase.pk)
