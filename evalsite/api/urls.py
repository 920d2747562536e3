"""Addresses of the API, of its reference, and of the page of one's tokens."""

from django.urls import path

from evalsite.api import judges, views
from evalsite.api.api import api

_JUDGES = "tasks/<slug:task>/organise/scenarios/judges/"

urlpatterns = [
    path(_JUDGES, judges.judges, name="desk_scenarios_judges"),
    path(f"{_JUDGES}token/", judges.token_create, name="desk_scenarios_judges_token"),
    path(f"{_JUDGES}<uuid:pk>/revoke/", judges.token_revoke, name="desk_scenarios_judges_revoke"),
    path("api/", views.reference, name="api_reference"),
    path("api/v1/", api.urls),
    path("profile/tokens/", views.tokens, name="tokens"),
    path("profile/tokens/new/", views.token_create, name="token_create"),
    path("profile/tokens/<uuid:pk>/revoke/", views.token_revoke, name="token_revoke"),
]
