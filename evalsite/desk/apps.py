"""The organisers' pages: a task from nothing to its published board; an app without models."""

from importlib import import_module

from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "evalsite.desk"

    def ready(self) -> None:
        # By name, because handlers need the models, which exist only after this module was imported.
        import_module("evalsite.desk.entry.job")
        import_module("evalsite.desk.examples.replacing")
        import_module("evalsite.desk.gold.annotators")
        import_module("evalsite.desk.runs.job")
        import_module("evalsite.desk.scores.job")
