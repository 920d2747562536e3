"""Addresses of the boards."""

from django.urls import path

from evalsite.leaderboard import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/", views.board, name="board"),
]
