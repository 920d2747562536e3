"""Addresses of what the page of a run asks about boards."""

from django.urls import path

from evalsite.own_runs import views

urlpatterns = [
    path("submissions/<uuid:pk>/place/<int:scenario>/", views.run_place, name="run_place"),
]
