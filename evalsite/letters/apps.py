"""Mail that is on its way."""

from django.apps import AppConfig


class LettersConfig(AppConfig):
    name = "evalsite.letters"
