"""The page of the rows below a phase's boards, which are never ranked, where organisers remove them."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.challenges.models import Task
from evalsite.desk.access import desk_page, phase_of
from evalsite.leaderboard.imported import remove_table
from evalsite.leaderboard.models import ImportedTable
from evalsite.submissions.access import signed_in


@require_safe
@desk_page()
def tables(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    shown = phase_of(task, phase)
    stored = ImportedTable.objects.filter(phase=shown).select_related("scenario", "created_by")
    return render(request, "desk/gold/rows_below.html", {"phase": shown, "tables": stored})


@require_POST
@desk_page()
def remove(request: HttpRequest, task: Task, phase: str, pk: UUID) -> HttpResponse:
    of_phase = phase_of(task, phase)
    table = get_object_or_404(ImportedTable.objects.select_related("scenario"), phase=of_phase, pk=pk)
    table.phase = of_phase
    remove_table(table, by=signed_in(request))
    messages.success(request, gettext("These rows were removed."))
    return redirect("desk_runs_imported", task.slug, of_phase.slug)
