"""Mail that is on its way."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LettersConfig(AppConfig):
    name = "evalsite.letters"
    verbose_name = gettext_lazy("Mail")
