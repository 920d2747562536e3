"""Addresses of a task's decisions."""

from django.urls import path

from evalsite.contrib.decisions import views

urlpatterns = [
    path("tasks/<slug:task>/decisions/", views.decisions, name="decisions"),
    path("tasks/<slug:task>/decisions.csv", views.decisions_csv, name="decisions_csv"),
]
