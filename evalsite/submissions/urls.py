"""Addresses of uploads."""

from django.urls import path

from evalsite.submissions.views import runs, submit

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/submit/", submit.submit, name="submit"),
    path("submissions/<uuid:pk>/file/", runs.submission_file, name="submission_file"),
    path("submissions/<uuid:pk>/describe/", runs.submission_describe, name="submission_describe"),
    path("submissions/<uuid:pk>/cancel/", runs.submission_cancel, name="submission_cancel"),
    path("submissions/<uuid:pk>/withdraw/", runs.submission_withdraw, name="submission_withdraw"),
    path("submissions/<uuid:pk>/restore/", runs.submission_restore, name="submission_restore"),
]
