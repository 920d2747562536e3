"""Keeping a site: looking whether all is well, tidying, backup and restore."""

from django.apps import AppConfig

from evalsite.upkeep import upgrading, writable  # noqa: F401 - their checks are registered


class UpkeepConfig(AppConfig):
    name = "evalsite.upkeep"
