"""The address of the page on the size of a test."""

from django.urls import path

from evalsite.contrib.power import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/size/", views.board_size, name="board_size"),
]
