from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ArchivesConfig(AppConfig):
    name = "evalsite.archives"
    verbose_name = gettext_lazy("archives")

    def ready(self) -> None:
        # By name, because a handler needs the models, which exist only after this module was imported.
        import_module("evalsite.archives.job")
