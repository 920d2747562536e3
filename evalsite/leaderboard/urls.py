"""Addresses of the boards."""

from django.urls import path

from evalsite.leaderboard import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/", views.board, name="board"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/board.<slug:suffix>",
        views.board_export,
        name="board_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/", views.board_overview, name="board_overview"),
]
