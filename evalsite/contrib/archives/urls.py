"""Addresses of the archive of a task, below the desk's page of its end."""

from django.urls import path

from evalsite.contrib.archives import views

_ARCHIVE = "tasks/<slug:task>/organise/end/archive/"

urlpatterns = [
    path(_ARCHIVE, views.archive, name="desk_ending_archive"),
    path(f"{_ARCHIVE}job/<slug:name>/", views.archive_job, name="desk_ending_archive_job"),
    path(f"{_ARCHIVE}archive.zip", views.archive_file, name="desk_ending_archive_file"),
    path(f"{_ARCHIVE}pages.zip", views.static_pages, name="desk_ending_archive_pages"),
]
