"""Addresses of what visitors may try without an account."""

from django.urls import path

from evalsite.trials.views import audit, open_check

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/check/", open_check.open_check, name="open_check"),
    path("audit/", audit.audit, name="audit"),
]
