"""Addresses of the boards."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from evalsite.board_pages.views import boards
from evalsite.leaderboard.combined_score import NAME


class BoardNumber(IntConverter):
    """The number of a scenario, or the word for the combined score, which has a board too."""

    regex = f"[0-9]+|{NAME}"

    def to_python(self, value: str) -> int | str:  # type: ignore[override]
        return value if value == NAME else super().to_python(value)


register_converter(BoardNumber, "board")
BOARD = "tasks/<slug:task>/<slug:phase>/board/<board:scenario>/"  # below which other rooms have pages, too

urlpatterns = [
    path(BOARD, boards.board, name="board"),
    path(f"{BOARD}board.<slug:suffix>", boards.board_export, name="board_export"),
    path("tasks/<slug:task>/<slug:phase>/board/", boards.board_overview, name="board_overview"),
    path("tasks/<slug:task>/<slug:phase>/board/powers/", boards.board_powers, name="board_powers"),
    # As links of earlier versions have it.
    path(
        "tasks/<slug:task>/<slug:phase>/board/combined.<slug:suffix>",
        require_safe(RedirectView.as_view(pattern_name="board_export", permanent=True)),
        {"scenario": NAME},
        name="combined_export",
    ),
    path("tasks/<slug:task>/<slug:phase>/entries/<uuid:pk>/", boards.entry, name="entry"),
]
