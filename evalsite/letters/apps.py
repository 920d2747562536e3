"""Mail that is on its way."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LettersConfig(AppConfig):
    name = "evalsite.letters"
    verbose_name = gettext_lazy("Mail")

    def ready(self) -> None:
        # By name, because receivers need the models, which exist only after this module was imported.
        import_module("evalsite.letters.receivers")
