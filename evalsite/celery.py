"""The Celery application: `celery -A evalsite.celery worker` and `beat`."""

import os

from celery import Celery
from celery.signals import worker_process_init

from evalsite import queues
from evalsite.jobs import limited

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")

app = Celery("evalsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def load_engine(**kwargs: object) -> None:
    """So that the first scoring of a worker's process need not wait for it; others start it when they need it."""
    if queues.SCORINGS in app.amqp.queues.consume_from:
        limited.start()
