"""Background jobs of the mail."""

from celery import shared_task

from evalsite.letters import services
from evalsite.queues import LATE_AFTER, tell_broker


def send(pk: int) -> None:
    """By a worker; at once where the broker cannot tell one, since somebody waits for the link in the mail."""
    if not tell_broker(deliver, pk):
        services.deliver(pk)


@shared_task
def deliver(pk: int) -> None:
    services.deliver(pk)


@shared_task(expires=LATE_AFTER)
def deliver_due() -> None:
    """What the mail server did not take at first, and what the broker has forgotten."""
    for pk in services.due():
        services.deliver(pk)
