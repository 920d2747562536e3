"""Keeping a site: looking whether all is well, tidying, backup and restore."""

from django.apps import AppConfig


class UpkeepConfig(AppConfig):
    name = "evalsite.upkeep"
