"""Celery tasks of the desk."""

from celery import shared_task

from evalsite.base.queues import LATE_AFTER
from evalsite.desk.waiting.mails import post_waiting as post


@shared_task(expires=LATE_AFTER)
def post_waiting() -> None:
    """Mail organisers what waits for them; told by beat."""
    post()
