"""Addresses of uploads."""

from django.urls import path

from evalsite.submissions.views import receipts, runs, submit

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/submit/", submit.submit, name="submit"),
    path("teams/<uuid:pk>/bring/", runs.team_bring, name="team_bring"),
    path("submissions/<uuid:pk>/file/", runs.submission_file, name="submission_file"),
    path("submissions/<uuid:pk>/receipt.json", receipts.submission_receipt, name="submission_receipt"),
    path("receipts/", receipts.receipts, name="receipts"),
    path("receipts/<str:day>.txt", receipts.receipts_of_day, name="receipts_of_day"),
    path("submissions/<uuid:pk>/describe/", runs.submission_describe, name="submission_describe"),
    path("submissions/<uuid:pk>/cancel/", runs.submission_cancel, name="submission_cancel"),
    path("submissions/<uuid:pk>/withdraw/", runs.submission_withdraw, name="submission_withdraw"),
    path("submissions/<uuid:pk>/restore/", runs.submission_restore, name="submission_restore"),
]
