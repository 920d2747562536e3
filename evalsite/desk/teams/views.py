"""The teams of a task, and one of them with what it was given."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from evalsite.accounts.models import Team
from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Task
from evalsite.desk.access import desk_page
from evalsite.desk.sections import Sections
from evalsite.desk.teams.export import as_csv
from evalsite.desk.teams.forms import AllowanceForm, BanForm, FreezeForm, UnrankForm
from evalsite.desk.teams.listing import listed, teams_of
from evalsite.results.runs.choosing import run_choices
from evalsite.submissions.access import signed_in
from evalsite.submissions.forms import ChoiceForm
from evalsite.submissions.models import Allowance
from evalsite.submissions.quotas import end_allowance, grant_allowance
from evalsite.submissions.receiving.refusals import refused_in
from evalsite.submissions.runs.banning import ban, bring_back
from evalsite.submissions.runs.choosing import NoChoice, choose
from evalsite.submissions.runs.unranking import show_unranked

_REFUSED = 20  # teams whose uploads were refused last


@desk_page()
def teams(request: HttpRequest, task: Task) -> HttpResponse:
    sections = Sections(request, [FreezeForm], lambda: Task.objects.get(pk=task.pk))
    if sections.is_saved:
        messages.success(request, _("Saved."))
        return redirect("desk_teams", task.slug)
    words, without_run = _filter_of(request)
    matching = teams_of(task, without_run=without_run, words=words)
    page, lines = listed(task, matching, request.GET.get("page"))
    context = {"task": task, "page": page, "lines": lines, "words": words, "without_run": without_run}
    context["sections"] = sections
    if page.number == 1 and not words:
        context["refused"] = refused_in(task)[:_REFUSED]
    return render(request, "desk/teams/teams.html", context, status=sections.status)


def _filter_of(request: HttpRequest) -> tuple[str, bool]:
    return request.GET.get("q", "")[:200], request.GET.get("without") == "run"


@require_safe
@desk_page()
def teams_csv(request: HttpRequest, task: Task) -> HttpResponse:
    """Send the teams that the page lists; addresses are for those who may change the task."""
    words, without_run = _filter_of(request)
    matching = teams_of(task, without_run=without_run, words=words)
    with_addresses = role_of(request.user, task) >= Role.ORGANISER
    answer = HttpResponse(as_csv(task, matching, with_addresses=with_addresses), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{task.slug}-teams.csv") or ""
    return answer


@desk_page()
def team(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    team = get_object_or_404(Team, pk=pk, participations__task=task)
    form = AllowanceForm(request.POST or None, task=task)
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        given = {"reason": fields["reason"], "until": fields["until"], "by": signed_in(request)}
        grant_allowance(fields["phase"], team, fields["uploads"], **given)
        messages.success(request, _("Granted. The team can read the reason next to its uploads."))
        return redirect("desk_teams_one", task.slug, team.pk)
    _page, [line] = listed(task, Team.objects.filter(pk=team.pk), None)
    found_ballots = run_choices(((phase, team) for phase in task.phases.order_by("opens")), task)
    ballots = [(use.phase, found_ballots.get((use.phase.pk, team.pk), [])) for use in line.uses]
    context = {
        "task": task,
        "line": line,
        "form": form,
        "ban_form": BanForm(),
        "unrank_form": UnrankForm(initial={"reason": line.entered.unranked_reason}),
        "refused": refused_in(task).filter(team=team),
        "ballots": [pair for pair in ballots if pair[1]],
    }
    return render(request, "desk/teams/team.html", context, status=422 if form.errors else 200)


@require_POST
@desk_page()
def team_ban(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    team = get_object_or_404(Team, pk=pk, participations__task=task)
    form = BanForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Not banned. %(reason)s") % {"reason": " ".join(form.errors["reason"])})
    elif ban(task, team, form.cleaned_data["reason"], by=signed_in(request)):
        messages.success(request, _("Banned. Its runs are off the boards in a moment."))
    return redirect("desk_teams_one", task.slug, team.pk)


@require_POST
@desk_page()
def team_unrank(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    """Show the team without a rank, for a reason, or rank it again."""
    team = get_object_or_404(Team, pk=pk, participations__task=task)
    form = UnrankForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(form.errors["reason"]))
    elif show_unranked(task, team, form.cleaned_data["reason"], by=signed_in(request)):
        messages.success(request, _("Saved. The boards show it in a moment."))
    return redirect("desk_teams_one", task.slug, team.pk)


@require_POST
@desk_page()
def team_bring_back(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    team = get_object_or_404(Team, pk=pk, participations__task=task)
    if bring_back(task, team, by=signed_in(request)):
        messages.success(request, _("The team takes part again. The boards show its runs in a moment."))
    return redirect("desk_teams_one", task.slug, team.pk)


@require_POST
@desk_page()
def team_choose(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    """Choose which run of a team counts, also after the phase has closed."""
    phase_row = get_object_or_404(task.phases, slug=phase)
    form = ChoiceForm(request.POST, phase=phase_row, teams=Team.objects.filter(participations__task=task))
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: this run is not one of those to choose from."))
        return redirect("desk_teams", task.slug)
    fields = form.cleaned_data
    try:
        choose(phase_row, fields["scenario"], fields["team"], *form.chosen, by=signed_in(request), side="organisers")
    except NoChoice as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Chosen. The board shows it in a moment."))
    return redirect("desk_teams_one", task.slug, fields["team"].pk)


@require_POST
@desk_page()
def allowance_end(request: HttpRequest, task: Task, pk: int) -> HttpResponse:
    allowance = get_object_or_404(Allowance, pk=pk, phase__task=task)
    if end_allowance(allowance, by=signed_in(request)):
        messages.success(request, _("Unused uploads were taken back."))
    return redirect("desk_teams_one", task.slug, allowance.team_id)
