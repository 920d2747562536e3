"""Addresses of submissions with their numbers."""

from django.urls import path

from evalsite.results import views

urlpatterns = [
    path("tasks/<slug:task>/submissions/", views.submissions, name="submissions"),
    path("tasks/<slug:task>/<slug:phase>/choose/", views.submissions_choose, name="submissions_choose"),
    path("tasks/<slug:task>/submissions/compare/", views.submissions_compare, name="submissions_compare"),
    path("submissions/<uuid:pk>/", views.submission, name="submission"),
    path("submissions/<uuid:pk>/scores/<int:scenario>/", views.submission_scores, name="submission_scores"),
    path("submissions/<uuid:pk>/scores/<int:scenario>/units/", views.submission_units, name="submission_units"),
    path(
        "submissions/<uuid:pk>/scores/<int:scenario>/units/<path:unit>/", views.submission_unit, name="submission_unit"
    ),
    path("submissions/<uuid:pk>/scores/<int:scenario>/<str:name>", views.submission_export, name="submission_export"),
]
