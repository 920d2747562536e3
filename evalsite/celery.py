"""The Celery application: `celery -A evalsite.celery worker` and `beat`."""

import os

from celery import Celery
from celery.signals import worker_process_init

from evalsite.jobs import limited
from evalsite.log_context import TaskLines

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")

app = Celery("evalsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(TaskLines)


@worker_process_init.connect
def load_engine(**kwargs: object) -> None:
    """So that the first scoring of a worker's process need not wait for it."""
    limited.start()
