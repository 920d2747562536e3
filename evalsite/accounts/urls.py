"""Addresses of profiles and teams."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import email
from django.http import Http404
from django.urls import path
from django.views.defaults import page_not_found

from evalsite.accounts import views

urlpatterns = [
    # allauth asks for the password only once the new address has been typed, and then forgets it.
    path("accounts/email/", reauthentication_required(email), name="account_email"),
    # allauth has it also where nobody logs in by a code.
    path("accounts/login/code/confirm/", page_not_found, {"exception": Http404()}, name="account_confirm_login_code"),
    path("language/", views.choose_language, name="choose_language"),
    path("profile/", views.profile, name="profile"),
    path("teams/", views.teams, name="teams"),
    path("teams/new/", views.team_create, name="team_create"),
    path("teams/join/<str:invitation>/", views.team_join, name="team_join"),
    path("teams/<uuid:pk>/", views.team, name="team"),
    path("teams/<uuid:pk>/edit/", views.team_edit, name="team_edit"),
    path("teams/<uuid:pk>/invitation/", views.team_invitation, name="team_invitation"),
    path("teams/<uuid:pk>/leave/", views.team_leave, name="team_leave"),
    path("teams/<uuid:pk>/delete/", views.team_delete, name="team_delete"),
    path("teams/<uuid:pk>/members/<uuid:user>/remove/", views.team_remove, name="team_remove"),
    path("teams/<uuid:pk>/members/<uuid:user>/hand-over/", views.team_hand_over, name="team_hand_over"),
]
