"""From upload to stored result."""

from django.apps import AppConfig

# Imported here so that the web process, too, has the Celery application with our settings.
from evalsite.celery import app as celery_app  # noqa: F401


class SubmissionsConfig(AppConfig):
    name = "evalsite.submissions"
