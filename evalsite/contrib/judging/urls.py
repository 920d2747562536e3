"""Addresses of the desk's page of a task's judges; those of the API are in `endpoints.py`."""

from django.urls import path

from evalsite.contrib.judging import views

_JUDGES = "tasks/<slug:task>/organise/scenarios/judges/"

urlpatterns = [
    path(_JUDGES, views.judges, name="desk_scenarios_judges"),
    path(f"{_JUDGES}token/", views.token_create, name="desk_scenarios_judges_token"),
    path(f"{_JUDGES}<uuid:pk>/revoke/", views.token_revoke, name="desk_scenarios_judges_revoke"),
]
