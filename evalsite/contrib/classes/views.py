"""The page of a class: the setting, targets, the list of students with its preview, and marks."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import EntryRules, Phase, Task, record
from evalsite.challenges.taking_part.entering import rules_of
from evalsite.contrib.classes.forms import ClassForm, ListForm, TargetForm
from evalsite.contrib.classes.marks import as_csv
from evalsite.contrib.classes.models import Student, Target
from evalsite.contrib.classes.reading import Line, read_students
from evalsite.contrib.classes.services import CannotImport, import_students, plan_for, remove_student
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.sections import Sections
from evalsite.submissions.access import signed_in
from evalsite.wording import amount, listed

A_PAGE = 50


@desk_page()
def students(request: HttpRequest, task: Task) -> HttpResponse:
    sections = Sections(request, [ClassForm], lambda: Task.objects.get(pk=task.pk))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_class", task.slug)
    context = {
        "task": task,
        "sections": sections,
        "is_open": rules_of(task).way == EntryRules.Way.OPEN,
        "targets": [(phase, TargetForm(phase=phase, initial=_initial(phase))) for phase in task.phases.all()],
        "page": Paginator(_listed(request, task), A_PAGE).get_page(request.GET.get("page")),
        "n_students": Student.objects.filter(task=task).count(),
    }
    return render(request, "contrib/classes/students.html", context, status=sections.status)


def _listed(request: HttpRequest, task: Task) -> QuerySet[Student]:
    """Return the list for those who may change the task: it has addresses."""
    may_read = role_of(request.user, task) >= Role.ORGANISER
    return Student.objects.filter(task=task) if may_read else Student.objects.none()


def _initial(phase: Phase) -> dict[str, Any]:
    target = Target.objects.filter(phase=phase).first()
    return {"run": target.run_id if target else None}


@desk_page()
def import_list(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what a list would do, with all its problems; take it over once that was seen."""
    form = ListForm(request.POST, request.FILES) if request.method == "POST" else ListForm()
    context: dict[str, Any] = {"task": task, "form": form}
    if form.is_valid():
        text = form.cleaned_data["students"]
        read = read_students(text)
        context["problems"] = read.problems
        context |= {"repeated": read.repeated, "repeated_lines": listed([amount(line) for line in read.repeated])}
        context["form"] = ListForm(initial={"students": text})
        if not context["problems"] and "import" not in request.POST:
            context["plan"] = plan_for(task, read.students)
        elif not context["problems"]:
            try:
                return _imported(request, task, read.students)
            except CannotImport as error:
                context["problems"] = [str(error)]
    is_wrong = form.errors or context.get("problems")
    return render(request, "contrib/classes/list.html", context, status=422 if is_wrong else 200)


def _imported(request: HttpRequest, task: Task, lines: Sequence[Line]) -> HttpResponse:
    n = len(import_students(task, lines, by=signed_in(request)).new)
    words = ngettext("%(n)d new student gets an e-mail.", "%(n)d new students get an e-mail each.", n)
    messages.success(request, words % {"n": n})
    return redirect("desk_class", task.slug)


@require_POST
@desk_page()
def remove(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    remove_student(get_object_or_404(task.students, pk=pk), by=signed_in(request))
    messages.success(request, gettext("Removed from the list."))
    return redirect("desk_class", task.slug)


@require_POST
@desk_page()
def target(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    form = TargetForm(request.POST, phase=phase_row)
    if form.is_valid():
        _set_target(phase_row, form.cleaned_data["run"], by=signed_in(request))
        messages.success(request, gettext("Saved."))
    else:
        messages.error(request, gettext("This run is no baseline of the phase any more. Nothing was changed."))
    return redirect("desk_class", task.slug)


def _set_target(phase: Phase, run: Any, *, by: User) -> None:
    if run is None:
        Target.objects.filter(phase=phase).delete()
    else:
        Target.objects.update_or_create(phase=phase, defaults={"run": run})
    record(phase.task, "target set", actor=by, subject=phase.pk, phase=phase.name, method=run.method if run else "")


@require_safe
@desk_page()
def marks(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Send the marks; they have addresses, so that viewers get none."""
    if role_of(request.user, task) < Role.ORGANISER:
        return render(request, "403.html", status=403)
    phase_row = phase_of(task, phase)
    answer = HttpResponse(as_csv(phase_row), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{task.slug}-{phase_row.slug}-marks.csv") or ""
    return answer
