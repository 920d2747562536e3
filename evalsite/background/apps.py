"""Long work in the background."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class BackgroundConfig(AppConfig):
    name = "evalsite.background"
    verbose_name = gettext_lazy("Background")
