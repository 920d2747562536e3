"""Addresses of the boards."""

from django.urls import path

from evalsite.leaderboard import closer_views, views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/", views.board, name="board"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/board.<slug:suffix>",
        views.board_export,
        name="board_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/", views.board_overview, name="board_overview"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/pairs/", closer_views.pairs, name="board_pairs"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/", closer_views.compare, name="board_compare"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/history/", closer_views.history, name="board_history"),
    path("how-to-read/", closer_views.how_to_read, name="how_to_read"),
]
