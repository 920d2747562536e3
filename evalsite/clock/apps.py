"""The clock of the site: several run, one leads."""

from django.apps import AppConfig


class ClockConfig(AppConfig):
    name = "evalsite.clock"
