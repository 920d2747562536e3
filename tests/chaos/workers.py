"""The site's Celery application, whose clock can jump."""

from celery.signals import beat_init, celeryd_init, worker_process_init

from evalsite.celery import app
from tests.chaos.jumping import follow_clock

__all__ = ("app",)


@beat_init.connect
@celeryd_init.connect
@worker_process_init.connect
def begin_to_follow_clock(**kwargs: object) -> None:
    follow_clock()
