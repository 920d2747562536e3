"""The address of a team's drawer."""

from django.urls import path

from evalsite.drawer import views

urlpatterns = [
    path("tasks/<slug:task>/teams/<uuid:pk>/drawer.zip", views.team_drawer, name="team_drawer"),
]
