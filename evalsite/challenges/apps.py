"""What one can submit to: tasks, scenarios, phases and their gold."""

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    name = "evalsite.challenges"
    verbose_name = "Tasks"
