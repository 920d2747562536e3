"""Runs the engine in child processes."""

from django.apps import AppConfig

from evalsite.jobs import checks  # noqa: F401


class JobsConfig(AppConfig):
    name = "evalsite.jobs"
