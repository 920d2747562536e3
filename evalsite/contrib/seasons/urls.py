"""The address of the page on which a season begins."""

from django.urls import path

from evalsite.contrib.seasons import views

urlpatterns = [
    path("tasks/<slug:task>/organise/phases/<slug:phase>/season/", views.season, name="desk_phases_season"),
]
