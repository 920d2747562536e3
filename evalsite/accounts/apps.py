"""Who: people and teams."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class AccountsConfig(AppConfig):
    name = "evalsite.accounts"
    verbose_name = gettext_lazy("People and teams")

    def ready(self) -> None:
        # By name, because allauth needs the models, which exist only after this module was imported.
        import_module("evalsite.accounts.rates").outlive_faults()
