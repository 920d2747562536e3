"""Addresses of bundles, on the organisers' desk."""

from django.urls import path

from evalsite.contrib.bundles import views

urlpatterns = [
    path("organise/bundle/", views.import_task, name="organise_bundle"),
    path("organise/bundle/<uuid:pk>/", views.import_progress, name="organise_bundle_job"),
    path("tasks/<slug:task>/organise/bundle/", views.export, name="desk_bundle"),
]
