"""The address of the error atlas."""

from django.urls import path

from evalsite.contrib.atlas import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/atlas/", views.atlas, name="board_atlas"),
]
