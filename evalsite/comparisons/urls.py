"""Addresses of the pages that compare entries of a board."""

from django.urls import path

from evalsite.board_pages.urls import BOARD
from evalsite.comparisons.views import boards, compare

urlpatterns = [
    path(f"{BOARD}pairs/", boards.pairs, name="board_pairs"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/", compare.compare, name="board_compare"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/units/",
        compare.changed,
        name="board_compare_units",
    ),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<int:scenario>/compare/units/<path:unit>/",
        compare.unit,
        name="board_compare_unit",
    ),
    path("how-to-read/", boards.how_to_read, name="how_to_read"),
]
