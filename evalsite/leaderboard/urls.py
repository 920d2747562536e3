"""Addresses of the boards."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from evalsite.leaderboard.combined_score import NAME
from evalsite.leaderboard.views import audit, board_size, boards, compare, decisions, drawer, mine, open_check


class BoardNumber(IntConverter):
    """The number of a scenario, or the word for the combined score, which has a board too."""

    regex = f"[0-9]+|{NAME}"

    def to_python(self, value: str) -> int | str:  # type: ignore[override]
        return value if value == NAME else super().to_python(value)


register_converter(BoardNumber, "board")

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/board/<board:scenario>/", boards.board, name="board"),
    path(
        "tasks/<slug:task>/<slug:phase>/board/<board:scenario>/board.<slug:suffix>",
        boards.board_export,
        name="board_export",
    ),
    path("tasks/<slug:task>/decisions/", decisions.decisions, name="decisions"),
    path("tasks/<slug:task>/decisions.csv", decisions.decisions_csv, name="decisions_csv"),
    path("tasks/<slug:task>/<slug:phase>/board/", boards.board_overview, name="board_overview"),
    # As links of earlier versions have it.
    path(
        "tasks/<slug:task>/<slug:phase>/board/combined.<slug:suffix>",
        require_safe(RedirectView.as_view(pattern_name="board_export", permanent=True)),
        {"scenario": NAME},
        name="combined_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/board/<board:scenario>/pairs/", boards.pairs, name="board_pairs"),
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
    path("tasks/<slug:task>/<slug:phase>/board/<board:scenario>/history/", boards.history, name="board_history"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/size/", board_size.board_size, name="board_size"),
    path("tasks/<slug:task>/<slug:phase>/entries/<uuid:pk>/", boards.entry, name="entry"),
    path(
        "tasks/<slug:task>/<slug:phase>/entries/<uuid:pk>/record.<slug:suffix>",
        boards.entry_record,
        name="entry_record",
    ),
    path("tasks/<slug:task>/teams/<uuid:pk>/drawer.zip", drawer.team_drawer, name="team_drawer"),
    path("tasks/<slug:task>/<slug:phase>/check/", open_check.open_check, name="open_check"),
    path("tasks/<slug:task>/<slug:phase>/board/<int:scenario>/atlas/", boards.atlas, name="board_atlas"),
    path("submissions/<uuid:pk>/place/<int:scenario>/", boards.run_place, name="run_place"),
    path("mine/", mine.mine, name="mine"),
    path("audit/", audit.audit, name="audit"),
    path("how-to-read/", boards.how_to_read, name="how_to_read"),
]
