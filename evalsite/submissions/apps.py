"""Everything from upload to stored result."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy

# Imported here so that the web process, too, has the Celery application with our settings.
from evalsite.celery import app as celery_app  # noqa: F401


class SubmissionsConfig(AppConfig):
    name = "evalsite.submissions"
    verbose_name = gettext_lazy("Submissions")

    def ready(self) -> None:
        # By name, because receivers need the models, which exist only after this module was imported.
        import_module("evalsite.submissions.receivers")
        import_module("evalsite.submissions.lifecycle.worker_start")
