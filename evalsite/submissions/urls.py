"""Addresses of uploads."""

from django.urls import path

from evalsite.submissions import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/submit/", views.submit, name="submit"),
    path("teams/<uuid:pk>/bring/", views.team_bring, name="team_bring"),
    path("submissions/<uuid:pk>/file/", views.submission_file, name="submission_file"),
    path("submissions/<uuid:pk>/cancel/", views.submission_cancel, name="submission_cancel"),
    path("submissions/<uuid:pk>/withdraw/", views.submission_withdraw, name="submission_withdraw"),
    path("submissions/<uuid:pk>/restore/", views.submission_restore, name="submission_restore"),
]
