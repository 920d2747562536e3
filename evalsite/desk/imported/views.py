"""The page on which organisers bring rows of a board that was elsewhere, after a preview, and remove them again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.imported.forms import ImportForm
from evalsite.desk.imported.reading import Table, read_table
from evalsite.leaderboard.imported import imported_names, remove_table, store_rows
from evalsite.leaderboard.models import ImportedTable
from evalsite.submissions.access import signed_in
from evalsite.wording import amount

SHOWN = 10  # rows of a preview

EXAMPLE = """\
name,F1,Recall,date,source
Rules 1.0,61.2,58.9,2014-06-01,https://example.org/paper
BiLSTM,66.4,,2016,
"""


@desk_page()
def imported(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Show what a table would bring, with all its problems; store it once that was seen."""
    found = phase_of(task, phase)
    scenarios = _scenarios(found)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(*sent, scenarios=list(scenarios.values()))
    context: dict[str, Any] = {"phase": found, "form": form, "scenarios": scenarios, "example": EXAMPLE}
    if form.is_valid():
        scenario = scenarios[form.cleaned_data["scenario"]]
        text = form.cleaned_data["table"]
        table = read_table(text, imported_names(found, scenario))
        if not table.problems and "import" in request.POST:
            if _is_stored(request, found, scenario, table):
                return redirect("desk_runs_imported", task.slug, found.slug)
            table = read_table(text, imported_names(found, scenario))  # somebody else was faster
        initial = {"scenario": scenario.number, "table": text}
        context["form"] = ImportForm(initial=initial, scenarios=list(scenarios.values()))
        context |= {"problems": table.problems, "table": table, "scenario": scenario, "shown": table.rows[:SHOWN]}
    context["tables"] = ImportedTable.objects.filter(phase=found).select_related("scenario", "created_by")
    is_wrong = form.errors or context.get("problems")
    return render(request, "desk/imported/imported.html", context, status=422 if is_wrong else 200)


def _scenarios(phase: Phase) -> dict[int, Scenario]:
    """Return the scenarios by number of which the phase has a board: the ones that have gold."""
    return {scenario.number: scenario for scenario in golds_in_force(phase)}


def _is_stored(request: HttpRequest, phase: Phase, scenario: Scenario, table: Table) -> bool:
    if not store_rows(phase, scenario, table.columns, table.rows, by=signed_in(request)):
        return False
    n = len(table.rows)
    words = ngettext("%(n)s row stands below the board.", "%(n)s rows stand below the board.", n)
    messages.success(request, words % {"n": amount(n)})
    return True


@require_POST
@desk_page()
def remove(request: HttpRequest, task: Task, phase: str, pk: UUID) -> HttpResponse:
    found = phase_of(task, phase)
    table = get_object_or_404(ImportedTable.objects.select_related("scenario"), phase=found, pk=pk)
    table.phase = found
    remove_table(table, by=signed_in(request))
    messages.success(request, gettext("All rows of this import were removed."))
    return redirect("desk_runs_imported", task.slug, found.slug)
