"""What teams tell of their runs: the fields, and until when."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from evalsite.challenges.models import FactSheet, Task
from evalsite.desk.access import desk_page
from evalsite.desk.fact_sheet.forms import FieldsForm, UntilForm
from evalsite.desk.sections import Sections

SECTIONS = [FieldsForm, UntilForm]


@desk_page()
def fact_sheet(request: HttpRequest, task: Task) -> HttpResponse:
    FactSheet.objects.get_or_create(task=task)
    sections = Sections(request, SECTIONS, lambda: FactSheet.objects.select_related("task").get(task=task))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_sheet", task.slug)
    context = {"task": task, "sections": sections}
    return render(request, "desk/fact_sheet/fact_sheet.html", context, status=sections.status)
