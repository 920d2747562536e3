"""Views of one's profile and teams; a team that one is no member of is not found."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evalsite.accounts import language, services
from evalsite.accounts.adapter import LONGEST_ADDRESS
from evalsite.accounts.forms import ProfileForm, TeamForm
from evalsite.accounts.models import Team, User


@csrf_exempt  # the form stands on cached pages of strangers too, who have no token: browsers say where it was sent from
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Return to the page from which the visitor came, in the language that was chosen there."""
    if _is_sent_from_elsewhere(request):
        raise PermissionDenied
    chosen = request.POST.get("language", "")
    if not language.is_available(chosen):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    response = redirect(_previous_page(request))
    language.set_language_cookie(response, chosen)
    if request.user.is_authenticated:
        language.store_choice(request.user, chosen)
    return response


def _is_sent_from_elsewhere(request: HttpRequest) -> bool:
    """Return whether another site sent the form, by Sec-Fetch-Site, or by Origin if the browser is older than that."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site != "same-origin"
    origin = request.headers.get("Origin")
    return origin not in (None, f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS)


def _previous_page(request: HttpRequest) -> str:
    asked = request.POST.get("next", "")
    hosts = {request.get_host()}
    is_ours = len(asked) <= LONGEST_ADDRESS and url_has_allowed_host_and_scheme(
        asked, allowed_hosts=hosts, require_https=request.is_secure()
    )
    return asked if is_ours else reverse("home")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    # A copy, so that a refused name does not show in the page's header.
    form = ProfileForm(request.POST or None, instance=User.objects.get(pk=request.user.pk))
    if form.is_valid():
        form.save()
        messages.success(request, gettext("Your profile was saved."))
        return redirect("profile")
    context = {
        "form": form,
        "has_second_factor": is_mfa_enabled(request.user),
        "memberships": request.user.memberships.select_related("team").order_by("team__name"),
    }
    return render(request, "accounts/profile.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def teams(request: HttpRequest) -> HttpResponse:
    memberships = (
        request.user.memberships.select_related("team")
        .annotate(n_members=Count("team__memberships", distinct=True))
        .annotate(n_tasks=Count("team__participations", distinct=True))
        .order_by("team__name")
    )
    return render(request, "accounts/teams.html", {"memberships": memberships})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team_create(request: HttpRequest) -> HttpResponse:
    form = TeamForm(request.POST or None, user=request.user)
    if form.is_valid():
        made = services.create_team(request.user, form.cleaned_data["name"], form.cleaned_data["affiliation"])
        messages.success(request, gettext("The team was created. Send the link below to the people who belong to it."))
        return redirect(made)
    return render(request, "accounts/team_form.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@login_required
def team(request: HttpRequest, pk: UUID) -> HttpResponse:
    team = _own_team(request, pk)
    members = list(team.memberships.select_related("user").order_by("-is_owner", "joined"))
    public = Q(task__is_published=True) | Q(task__publish_at__lte=timezone.now())
    context = {
        "team": team,
        "members": members,
        "is_owner": any(member.is_owner for member in members if member.user == request.user),
        "invitation": request.build_absolute_uri(reverse("team_join", args=[team.invitation])),
        "participations": team.participations.filter(public).select_related("task"),
        "has_submissions": services.has_submissions(team),
    }
    return render(request, "accounts/team.html", context)


def _own_team(request: HttpRequest, pk: UUID) -> Team:
    return get_object_or_404(Team, pk=pk, members=request.user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    owned = _owned_team(request, pk)
    form = TeamForm(request.POST or None, instance=owned, user=request.user)
    if form.is_valid():
        try:
            name, affiliation = form.cleaned_data["name"], form.cleaned_data["affiliation"]
            services.rename(Team.objects.get(pk=pk), name, affiliation, by=request.user)
        except services.TeamRuleError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, gettext("The team was saved."))
            return redirect(owned)
    context = {"form": form, "team": Team.objects.get(pk=pk)}
    return render(request, "accounts/team_form.html", context, status=422 if form.errors else 200)


def _owned_team(request: HttpRequest, pk: UUID) -> Team:
    team = _own_team(request, pk)
    if not team.memberships.filter(user=request.user, is_owner=True).exists():
        raise PermissionDenied
    return team


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team_join(request: HttpRequest, invitation: str) -> HttpResponse:
    invited = get_object_or_404(Team, invitation=invitation)
    if invited.memberships.filter(user=request.user).exists():
        return redirect(invited)
    if request.method == "POST":
        try:
            services.join(invited, request.user)
        except services.TeamRuleError as error:
            messages.error(request, str(error))
            return redirect("team_join", invitation)
        messages.success(request, gettext("You are now a member of %(team)s.") % {"team": invited})
        return redirect(invited)
    members = invited.memberships.select_related("user").order_by("-is_owner", "joined")
    return render(request, "accounts/team_join.html", {"team": invited, "members": members})


@require_POST
@login_required
def team_invitation(request: HttpRequest, pk: UUID) -> HttpResponse:
    owned = _owned_team(request, pk)
    services.renew_invitation(owned, by=request.user)
    messages.success(request, gettext("There is a new link. The old one no longer works."))
    return redirect(owned)


@require_POST
@login_required
def team_remove(request: HttpRequest, pk: UUID, user: UUID) -> HttpResponse:
    owned = _owned_team(request, pk)
    member = get_object_or_404(owned.members, pk=user)
    done = gettext("%(member)s is no longer a member. The invitation link has changed.") % {"member": member}
    _make_change(request, done, partial(services.remove_member, by=request.user), owned, member)
    return redirect(owned)


def _make_change(request: HttpRequest, done: str, change: Callable[..., None], *args: Any) -> bool:
    """Make the change and return True, unless a rule of teams forbids it; the person is told either way."""
    try:
        change(*args)
    except services.TeamRuleError as error:
        messages.error(request, str(error))
        return False
    messages.success(request, done)
    return True


@require_POST
@login_required
def team_hand_over(request: HttpRequest, pk: UUID, user: UUID) -> HttpResponse:
    owned = _owned_team(request, pk)
    successor = get_object_or_404(owned.members, pk=user)
    done = gettext("%(member)s now owns the team.") % {"member": successor}
    _make_change(request, done, services.hand_over, owned, request.user, successor)
    return redirect(owned)


@require_POST
@login_required
def team_leave(request: HttpRequest, pk: UUID) -> HttpResponse:
    left = _own_team(request, pk)
    gone = _make_change(
        request, gettext("You have left %(team)s.") % {"team": left}, services.leave, left, request.user
    )
    return redirect("teams") if gone else redirect(left)


@require_POST
@login_required
def team_delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    owned = _owned_team(request, pk)
    gone = _make_change(request, gettext("%(team)s was deleted.") % {"team": owned}, services.delete, owned)
    return redirect("teams") if gone else redirect(owned)
