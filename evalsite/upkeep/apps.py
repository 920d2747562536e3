"""Keeps a site running: health checks, tidying, backup and restore."""

from django.apps import AppConfig

from evalsite.upkeep import upgrading, writable  # noqa: F401 - their checks are registered


class UpkeepConfig(AppConfig):
    name = "evalsite.upkeep"
