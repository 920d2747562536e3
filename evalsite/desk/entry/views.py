"""How teams enter the task: the rules, those who wait for an answer, and what everybody has answered."""

from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Application, EntryRules, Task
from evalsite.challenges.taking_part import entering
from evalsite.challenges.taking_part.own_fields import OwnField, own_fields
from evalsite.desk.access import desk_page
from evalsite.desk.entry.export import as_csv
from evalsite.desk.entry.forms import ClosesForm, DeclineForm, QuestionsForm, SeriesForm, TermsForm, WayForm
from evalsite.desk.sections import Sections
from evalsite.submissions.access import signed_in

SECTIONS = [WayForm, ClosesForm, TermsForm, QuestionsForm, SeriesForm]
State = Application.State


@desk_page()
def entry(request: HttpRequest, task: Task) -> HttpResponse:
    EntryRules.objects.get_or_create(task=task)
    # The list has addresses, which viewers are not shown; and teams are an owner's to bring.
    least = {WayForm: Role.ORGANISER, SeriesForm: Role.OWNER}
    role = role_of(request.user, task)
    kinds = [each for each in SECTIONS if role >= least.get(each, Role.VIEWER)]
    sections = Sections(request, kinds, lambda: EntryRules.objects.select_related("task").get(task=task))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_entry", task.slug)
    return _page(request, task, sections, DeclineForm(), sections.status)


def _page(request: HttpRequest, task: Task, sections: Sections, form: DeclineForm, status: int) -> HttpResponse:
    rules = EntryRules.objects.get(task=task)
    asked = task.applications.exclude(state=State.ACCEPTED).select_related("team", "user")
    fields = own_fields(rules.questions)
    context = {
        "task": task,
        "sections": sections,
        "rules": rules,
        "link": request.build_absolute_uri(reverse("enter_by_link", args=[rules.secret, task.slug])),
        "applications": [(each, _answers_of(each, fields)) for each in asked],
        "counts": _counts(task),
        "decline_form": form,
    }
    return render(request, "desk/entry/entry.html", context, status=status)


def _answers_of(application: Application, fields: list[OwnField]) -> list[tuple[str, str]]:
    return [(field.text, field.in_words(application.answers.get(field.key))) for field in fields]


def _counts(task: Task) -> dict[str, int]:
    """Return how many teams have entered, have a run in some phase, and wait."""
    with_run = Q(team__submissions__phase__task=task)
    entered = task.participations.aggregate(
        entered=Count("pk", distinct=True), with_run=Count("pk", filter=with_run, distinct=True)
    )
    return entered | {"waiting": task.applications.filter(state=State.WAITING).count()}


@require_safe
@desk_page()
def answers(request: HttpRequest, task: Task) -> HttpResponse:
    """Send every team that has entered or asked to, with its answers; addresses for those who change the task."""
    content = as_csv(task, with_addresses=role_of(request.user, task) >= Role.ORGANISER)
    answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{task.slug}-entries.csv") or ""
    return answer


@require_POST
@desk_page()
def link(request: HttpRequest, task: Task) -> HttpResponse:
    rules, _ = EntryRules.objects.get_or_create(task=task)
    entering.renew_link(rules, by=signed_in(request))
    messages.success(request, gettext("There is a new link; the old one leads nowhere now."))
    return redirect("desk_entry", task.slug)


@require_POST
@desk_page()
def decide(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    """Approve a team, or decline it with a reason."""
    application = get_object_or_404(task.applications.select_related("team"), pk=pk)
    form = DeclineForm(request.POST)
    try:
        if "approve" in request.POST:
            entering.approve(application, by=signed_in(request))
            messages.success(request, gettext("%(team)s takes part now.") % {"team": application.team})
        elif form.is_valid():
            entering.decline(application, form.cleaned_data["reason"], by=signed_in(request))
            messages.success(request, gettext("%(team)s is declined, and reads why.") % {"team": application.team})
        else:
            messages.error(request, gettext("Not declined: say why, for the team reads it."))
    except entering.EntryError as error:
        messages.error(request, str(error))
    return redirect("desk_entry", task.slug)
