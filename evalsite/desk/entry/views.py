"""How teams enter the task: the rules, those who wait for an answer, and what everybody has answered."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Application, EntryRules, Task
from evalsite.challenges.taking_part import entering
from evalsite.challenges.taking_part.own_fields import OwnField, own_fields
from evalsite.desk.access import desk_page
from evalsite.desk.entry.answering import Answer, answer_all, applications_in
from evalsite.desk.entry.export import as_csv
from evalsite.desk.entry.forms import ClosesForm, DeclineForm, QuestionsForm, SeriesForm, TermsForm, WayForm
from evalsite.desk.entry.job import MAX_IN_REQUEST, enqueue, shown_job
from evalsite.desk.sections import Sections
from evalsite.submissions.access import signed_in
from evalsite.wording import amount

A_PAGE = 100  # teams that wait
SECTIONS = [WayForm, ClosesForm, TermsForm, QuestionsForm, SeriesForm]
State = Application.State


@desk_page()
def entry(request: HttpRequest, task: Task) -> HttpResponse:
    EntryRules.objects.get_or_create(task=task)
    # The list has addresses, which viewers are not shown; and teams are an owner's to bring.
    least = {WayForm: Role.ORGANISER, SeriesForm: Role.OWNER}
    role = role_of(request.user, task)
    kinds = [section for section in SECTIONS if role >= least.get(section, Role.VIEWER)]
    sections = Sections(request, kinds, lambda: EntryRules.objects.select_related("task").get(task=task))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_entry", task.slug)
    return _page(request, task, sections, DeclineForm(), sections.status)


def _page(request: HttpRequest, task: Task, sections: Sections, form: DeclineForm, status: int) -> HttpResponse:
    rules = EntryRules.objects.get(task=task)
    asked = task.applications.select_related("team", "user")
    waiting = asked.filter(state=State.WAITING)
    page = Paginator(waiting, A_PAGE).get_page(request.GET.get("page"))
    fields = own_fields(rules.questions)
    context = {
        "task": task,
        "sections": sections,
        "rules": rules,
        "link": request.build_absolute_uri(reverse("enter_by_link", args=[rules.secret, task.slug])),
        "page": page,
        "waiting": _with_answers(page, fields),
        "newest": waiting.last(),
        "declined": _with_answers(asked.filter(state=State.DECLINED), fields),
        "counts": _counts(task),
        "decline_form": form,
        **_of_job(task),
    }
    return render(request, "desk/entry/entry.html", context, status=status)


def _with_answers(
    applications: Iterable[Application], fields: list[OwnField]
) -> list[tuple[Application, list[tuple[str, str]]]]:
    return [(application, _answers_of(application, fields)) for application in applications]


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
    messages.success(request, gettext("There is a new link. The old one no longer works."))
    return redirect("desk_entry", task.slug)


@require_POST
@desk_page()
def decide(request: HttpRequest, task: Task) -> HttpResponse:
    """Approve the chosen teams, or decline them with a reason; those that cannot be answered so are named."""
    applications = applications_in(task, request.POST)
    form = DeclineForm(request.POST)
    if not applications:
        messages.error(request, gettext("No team was chosen. Tick the teams first."))
    elif "approve" in request.POST:
        _answer(request, task, applications)
    elif form.is_valid():
        _answer(request, task, applications, declined_for=form.cleaned_data["reason"])
    else:
        messages.error(request, gettext("No team was declined: give a reason, which the teams will read."))
    return redirect("desk_entry", task.slug)


def _answer(request: HttpRequest, task: Task, applications: list[Application], declined_for: str = "") -> None:
    by = signed_in(request)
    if len(applications) <= MAX_IN_REQUEST:
        answer = answer_all(applications, declined_for, by=by)
        if answer.n_teams:
            messages.success(request, _in_words(answer, declined_for))
        for refusal in _refusals_in_words(answer):
            messages.error(request, refusal)
    elif enqueue(task, applications, declined_for, by=by) is None:
        messages.warning(request, gettext("Nothing was changed: the previous answer is still being given."))


def _in_words(answer: Answer, declined_for: str) -> str:
    if declined_for:
        words = ngettext(
            "%(teams)s was declined, and can read why.", "%(n)s teams were declined, and can read why.", answer.n_teams
        )
    else:
        words = ngettext("%(teams)s takes part now.", "%(n)s teams take part now.", answer.n_teams)
    return words % {"n": amount(answer.n_teams), "teams": answer.team}


def _refusals_in_words(answer: Answer) -> list[str]:
    if not answer.n_more:
        return list(answer.refusals)
    words = ngettext("The same holds for %(n)s more team.", "The same holds for %(n)s more teams.", answer.n_more)
    return [*answer.refusals, words % {"n": amount(answer.n_more)}]


@require_safe
@desk_page()
def progress(request: HttpRequest, task: Task) -> HttpResponse:
    """Answer the polling of a waiting page, which is to reload once nothing is at work."""
    context = {"task": task, **_of_job(task)}
    answer = render(request, "desk/entry/_job.html", context)
    if not (context["job"] and context["job"].is_active):
        answer["HX-Refresh"] = "true"
    return answer


def _of_job(task: Task) -> dict[str, Any]:
    job = shown_job(task)
    if job is None:
        return {"job": None}
    answer, declined_for = Answer(**job.result), job.arguments["declined_for"]
    words = _in_words(answer, declined_for) if answer.n_teams else ""
    return {"job": job, "answered": words, "refusals": _refusals_in_words(answer)}
