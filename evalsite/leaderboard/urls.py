"""Addresses of the boards."""

from django.urls import path

from evalsite.leaderboard.views import (
    all_pairs,
    atlas,
    board,
    board_size,
    compare_two,
    compare_units,
    guide,
    history,
    mine,
    open_check,
    own_runs,
)

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/", board.board, name="board"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/board.<slug:suffix>",
        board.board_export,
        name="board_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/", board.board_overview, name="board_overview"),
    path("tasks/<slug:task>/<slug:phase>/board/combined.<slug:suffix>", board.combined_export, name="combined_export"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/pairs/", all_pairs.pairs, name="board_pairs"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/", compare_two.compare, name="board_compare"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/units/",
        compare_units.changed,
        name="board_compare_units",
    ),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/units/<path:unit>/",
        compare_units.unit,
        name="board_compare_unit",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/history/", history.history, name="board_history"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/size/", board_size.board_size, name="board_size"),
    path("tasks/<slug:task>/<slug:phase>/check/", open_check.open_check, name="open_check"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/atlas/", atlas.atlas, name="board_atlas"),
    path("submissions/<uuid:pk>/place/<int:scenario>/", own_runs.run_place, name="run_place"),
    path("mine/", mine.mine, name="mine"),
    path("how-to-read/", guide.how_to_read, name="how_to_read"),
]
