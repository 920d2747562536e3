"""Addresses of badges and tables: of the board as it is, or as it was at the end of a day."""

from datetime import date

from django.urls import path, register_converter

from evalsite.board_pages.urls import BOARD
from evalsite.contrib.badges import views


class Day:
    """A day as 2026-11-20."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(Day, "day")

urlpatterns = [
    path(f"{BOARD}badge/", views.board_badges, name="board_badges"),
    path(f"{BOARD}badge.svg", views.badge, name="board_badge"),
    path(f"{BOARD}badge-<day:day>.svg", views.badge, name="board_badge_of_day"),
    path(f"{BOARD}badge/<uuid:pk>.svg", views.badge, name="entry_badge"),
    path(f"{BOARD}badge/<uuid:pk>-<day:day>.svg", views.badge, name="entry_badge_of_day"),
    path(f"{BOARD}embed/", views.embed, name="board_embed"),
    path(f"{BOARD}embed/<day:day>/", views.embed, name="board_embed_of_day"),
]
