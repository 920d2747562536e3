"""Addresses of uploads and submissions."""

from django.urls import path

from evalsite.submissions import views

urlpatterns = [
    path("tasks/<slug:task>/submissions/", views.submissions, name="submissions"),
    path("tasks/<slug:task>/<slug:phase>/submit/", views.submit, name="submit"),
    path("submissions/<uuid:pk>/", views.submission, name="submission"),
    path("submissions/<uuid:pk>/file/", views.submission_file, name="submission_file"),
    path("submissions/<uuid:pk>/scores/<int:scenario>/", views.submission_scores, name="submission_scores"),
    path(
        "submissions/<uuid:pk>/scores/<int:scenario>/units/<path:unit>/", views.submission_unit, name="submission_unit"
    ),
    path("submissions/<uuid:pk>/scores/<int:scenario>/<str:name>", views.submission_export, name="submission_export"),
    path("submissions/<uuid:pk>/cancel/", views.submission_cancel, name="submission_cancel"),
    path("submissions/<uuid:pk>/withdraw/", views.submission_withdraw, name="submission_withdraw"),
    path("submissions/<uuid:pk>/restore/", views.submission_restore, name="submission_restore"),
]
