"""Tasks, scenarios, phases and their gold."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ChallengesConfig(AppConfig):
    name = "evalsite.challenges"
    verbose_name = gettext_lazy("Tasks")

    def ready(self) -> None:
        # Imported by name, because receivers need the models, which are loaded after this module.
        import_module("evalsite.challenges.receivers")
        import_module("evalsite.challenges.revisions")
