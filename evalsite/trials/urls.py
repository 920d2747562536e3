"""Addresses of what visitors may try without an account."""

from django.urls import path

from evalsite.trials import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/check/", views.open_check, name="open_check"),
]
