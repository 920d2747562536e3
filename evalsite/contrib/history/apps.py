"""The history of a board: how its best score grew."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import BoardPage, ContribConfig, Trait


class HistoryConfig(ContribConfig):
    name = "evalsite.contrib.history"
    board_pages = (BoardPage("board_history", gettext_lazy("History"), "evalsite.contrib.history.views.is_open"),)
    addresses = {"board_history": {Trait.KEPT, Trait.PREVIEWED, Trait.STATIC_PAGE}}
