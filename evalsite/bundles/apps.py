"""Tasks as bundles: documented zip archives, in and out."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class BundlesConfig(AppConfig):
    name = "evalsite.bundles"
    verbose_name = gettext_lazy("bundles")

    def ready(self) -> None:
        import_module("evalsite.bundles.importing")  # registers the handler, which needs the models
