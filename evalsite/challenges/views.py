"""The list of tasks, a task's page, and the files that leave through a check."""

from http import HTTPStatus
from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.access import Role, role_of, sees_gold, sees_kept, visible_phase, visible_tasks
from evalsite.challenges.forms.entering import AgreeForm, EntryForm
from evalsite.challenges.forms.task_filter import TaskFilter
from evalsite.challenges.models import Download, EntryRules, Gold, Page, Picture, Scenario, Task
from evalsite.challenges.scenarios import sampled_scenarios
from evalsite.challenges.starter_kit import wheel
from evalsite.challenges.starter_kit.kit import kit_name, kit_of
from evalsite.challenges.starter_kit.samples import engine_archive, sample_of, sample_phase
from evalsite.challenges.storage import downloads
from evalsite.challenges.storage.files import archive_of
from evalsite.challenges.taking_part import entering
from evalsite.challenges.taking_part.teams import with_n_teams
from evalsite.challenges.task_page.citing import citation_of_task
from evalsite.challenges.task_page.overview import archived_tasks, listed_tasks, may_have_sample, overview_of
from evalsite.challenges.texts import pictures

_TO_TRY = ("open", "closed")  # phases against which files are checked, in the order in which they are offered


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    by_state = listed_tasks(request.user)
    public = [entry for entries in by_state.values() for entry in entries if entry.task.is_public]
    task_filter = TaskFilter(request.GET or None, listed=public, label_suffix="")
    listed = [entry for entry in public if task_filter.keeps(entry)]
    phases = [entry.phase for entry in listed if entry.phase and not entry.phase.is_for_members]
    context = {
        "tasks": {state: [entry for entry in listed if entry.state == state] for state in by_state},
        "drafts": [entry.task for entries in by_state.values() for entry in entries if not entry.task.is_public],
        "filter": task_filter,
        "n_archived": visible_tasks(request.user).exclude(archived=None).count(),
        "trial": next((phase for state in _TO_TRY for phase in phases if phase.state == state), None),
    }
    return render(request, "home.html", context)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    return render(request, "challenges/archive.html", {"tasks": {"archived": archived_tasks(request.user)}})


@require_safe
def task(request: HttpRequest, task: str) -> HttpResponse:
    tasks = with_n_teams(visible_tasks(request.user)).select_related("entry_rules").defer("entry_rules__listed")
    task_row = get_object_or_404(tasks, slug=task)
    overview = overview_of(task_row, request.user)
    citation = citation_of_task(task_row, overview.year, request.build_absolute_uri(request.path))
    return render(request, "challenges/task.html", {"task": task_row, "overview": overview, "citation": citation})


@require_safe
def task_page(request: HttpRequest, task: str, page: str) -> HttpResponse:
    pages = Page.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    page_row = get_object_or_404(pages, task__slug=task, slug=page)
    if page_row.is_for_members and not sees_kept(role_of(request.user, page_row.task), page_row):
        return for_members(request, page_row.task)
    return render(request, "challenges/page.html", {"task": page_row.task, "page": page_row})


def for_members(request: HttpRequest, task: Task) -> HttpResponse:
    """Answer somebody who asks for what is kept for the teams that take part, and does not."""
    return render(request, "challenges/members_only.html", {"task": task}, status=HTTPStatus.FORBIDDEN)


@require_safe
def picture(request: HttpRequest, task: str, name: str) -> HttpResponse:
    pictures_seen = Picture.objects.filter(task__in=visible_tasks(request.user))
    picture = get_object_or_404(pictures_seen, task__slug=task, name=name)
    try:
        return pictures.picture_response(picture)
    except OSError:
        raise Http404 from None


@require_safe
def example(request: HttpRequest, task: str, scenario: int) -> HttpResponse:
    """Send a small upload that the scenario's layout allows; once a phase is open, one valid for it."""
    scenarios = Scenario.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    scenario_row = get_object_or_404(scenarios, task__slug=task, number=scenario)
    if not scenario_row.takes_uploads and role_of(request.user, scenario_row.task) < Role.VIEWER:
        raise Http404
    phase = sample_phase(scenario_row, request.user, request.GET.get("phase", ""))
    answer = HttpResponse(archive_of(sample_of(scenario_row, phase)), content_type="application/zip")
    name = "-".join([task, *([phase.slug] if phase else []), f"scenario{scenario}", "example.zip"])
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def engine(request: HttpRequest) -> HttpResponse:
    """Send the engine of this site, to check and score runs with on one's own machine."""
    answer = HttpResponse(engine_archive(), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, f"scoring-{scoring.__version__}.zip")
    return answer


@require_safe
def engine_package(request: HttpRequest, name: str) -> HttpResponse:
    """Send the engine as a wheel, which pip installs from this address; other versions are not found."""
    if name != wheel.NAME:
        raise Http404
    answer = HttpResponse(wheel.engine_wheel(), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
@cache_control(private=True)
def kit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """Send the starter kit of a phase; while the gold is hidden it is for people with an account."""
    phase_row = visible_phase(request.user, task, phase)
    if phase_row.state == "upcoming" or not sampled_scenarios(phase_row):
        raise Http404
    role = role_of(request.user, phase_row.task)
    if not sees_kept(role, phase_row):
        return for_members(request, phase_row.task)
    if not may_have_sample(phase_row, request.user, role):
        return redirect_to_login(request.get_full_path())
    answer = HttpResponse(kit_of(phase_row, request.build_absolute_uri("/"), role), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, kit_name(phase_row))
    return answer


@require_safe
@cache_control(private=True)
def download(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    offered = Download.objects.filter(task__in=visible_tasks(request.user)).select_related("task", "phase")
    download = get_object_or_404(offered, pk=pk)
    role = role_of(request.user, download.task)
    if not download.is_available and role < Role.VIEWER:
        raise Http404
    if not sees_kept(role, download):
        return for_members(request, download.task)
    return downloads.file_or_error_page(request, download.file, download.download_name)


@require_safe
@cache_control(private=True)
def gold(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    visible = Gold.objects.filter(phase__task__in=visible_tasks(request.user))
    gold = get_object_or_404(visible.select_related("phase__task", "scenario"), pk=pk)
    role = role_of(request.user, gold.phase.task)
    if not sees_gold(role, gold):
        if sees_gold(Role.PARTICIPANT, gold):
            return for_members(request, gold.phase.task)
        raise Http404
    return downloads.file_or_error_page(request, gold.file, gold.download_name)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def enter(request: HttpRequest, task: str, secret: str = "") -> HttpResponse:
    """Enter a task with a team, or agree to terms that have changed; `secret` is that of the organisers' link."""
    task_row = get_object_or_404(visible_tasks(request.user).select_related("entry_rules"), slug=task)
    user, rules = cast(User, request.user), entering.rules_of(task_row)
    user_teams = entering.own_teams(rules, user)
    refusal = entering.refusal(rules, user, secret)
    teams, kind = (user_teams.must_agree, AgreeForm) if user_teams.must_agree else (user_teams.outside, EntryForm)
    form = None
    if teams and (user_teams.must_agree or not refusal):
        form = kind(request.POST if request.method == "POST" else None, rules=rules, teams=teams)
    if form and form.is_valid():
        try:
            messages.success(request, _store_form(form, task_row, user, secret))
        except entering.EntryError as error:
            rules = EntryRules.objects.filter(task=task_row).first() or rules
            form.reject(str(error), rules)
        else:
            return redirect(task_row)
    context = {"task": task_row, "rules": rules, "own": user_teams, "refusal": refusal, "form": form}
    context["series"] = (
        [part.task for part in entering.rules_of_series(task_row)] if isinstance(form, EntryForm) else []
    )
    return render(request, "challenges/enter.html", context, status=422 if form and form.errors else 200)


def _store_form(form: AgreeForm, task: Task, user: User, secret: str) -> str:
    """Store what a valid form says, and return what is done."""
    team, version = form.cleaned_data["team"], form.version
    if not isinstance(form, EntryForm):
        entering.agree(task, team, user, version)
        return gettext("%(team)s has agreed to the terms.") % {"team": team}
    sent = entering.enter(task, team, user, form.answers, terms_version=version, secret=secret)
    if sent.state == sent.State.WAITING:
        words = gettext("%(team)s has asked to take part. The organisers will decide and e-mail you.")
        return words % {"team": team}
    return gettext("%(team)s takes part now.") % {"team": team}
