"""Addresses of the boards."""

from django.urls import path

from evalsite.leaderboard.views import all_pairs, board, compare_two, guide, history

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/", board.board, name="board"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/board.<slug:suffix>",
        board.board_export,
        name="board_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/", board.board_overview, name="board_overview"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/pairs/", all_pairs.pairs, name="board_pairs"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/", compare_two.compare, name="board_compare"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/history/", history.history, name="board_history"),
    path("how-to-read/", guide.how_to_read, name="how_to_read"),
]
