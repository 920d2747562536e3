"""Long work in the background."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class BackgroundConfig(AppConfig):
    name = "evalsite.background"
    verbose_name = gettext_lazy("Background")

    def ready(self) -> None:
        # By name, because the handler of mails needs the models, which exist only after this module was imported.
        import_module("evalsite.background.outbox")
