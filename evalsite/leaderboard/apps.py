"""Reads results; stores nothing but the boards made from them."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LeaderboardConfig(AppConfig):
    name = "evalsite.leaderboard"
    verbose_name = gettext_lazy("Boards")

    def ready(self) -> None:
        # By name, because receivers need the models, which exist only after this module was imported.
        import_module("evalsite.leaderboard.receivers")
        import_module("evalsite.leaderboard.making.previews")
