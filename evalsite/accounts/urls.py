"""Addresses of profiles and teams."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import email
from django.http import Http404
from django.urls import path
from django.views.defaults import page_not_found

from evalsite.accounts import views
from evalsite.accounts.sign_in import views as sign_in

urlpatterns = [
    # allauth asks for the password only once the new address has been typed, and then forgets it.
    path("accounts/email/", reauthentication_required(email), name="account_email"),
    # allauth has it also where nobody logs in by a code.
    path("accounts/login/code/confirm/", page_not_found, {"exception": Http404()}, name="account_confirm_login_code"),
    # allauth's own answer with an error where the server has no keys, and read less carefully.
    path("accounts/orcid/login/", sign_in.orcid_login, name="orcid_login"),
    path("accounts/orcid/login/callback/", sign_in.orcid_callback, name="orcid_callback"),
    path("accounts/github/login/", sign_in.github_login, name="github_login"),
    path("accounts/github/login/callback/", sign_in.github_callback, name="github_callback"),
    path("accounts/oidc/<str:provider_id>/login/callback/", sign_in.openid_callback, name="openid_connect_callback"),
    path("accounts/3rdparty/", sign_in.connections, name="socialaccount_connections"),
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
