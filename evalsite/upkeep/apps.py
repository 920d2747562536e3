"""Keeping a site: looking whether all is well, tidying, backup and restore."""

from django.apps import AppConfig

from evalsite.upkeep import writable  # noqa: F401 - its check is registered


class UpkeepConfig(AppConfig):
    name = "evalsite.upkeep"
