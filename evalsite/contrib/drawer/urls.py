"""Addresses of the drawer of a task, below the desk's page of its end, and of that of a team."""

from django.urls import path

from evalsite.contrib.drawer import views

urlpatterns = [
    path("tasks/<slug:task>/organise/end/job/", views.making, name="desk_ending_job"),
    path("tasks/<slug:task>/organise/end/drawer.zip", views.task_drawer, name="desk_ending_drawer"),
    path("tasks/<slug:task>/teams/<uuid:pk>/drawer.zip", views.team_drawer, name="team_drawer"),
]
