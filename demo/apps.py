"""A site to try: made-up tasks, people and runs, and the command that starts everything."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "demo"
