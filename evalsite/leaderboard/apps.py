"""Reads results; stores nothing but the boards made from them."""

from importlib import import_module

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "evalsite.leaderboard"

    def ready(self) -> None:
        # By name, because receivers need the models, which exist only after this module was imported.
        import_module("evalsite.leaderboard.receivers")
