"""The queues of background jobs, and their time limits.

Scorings shall not wait for boards, nor mail for either: on a server these two have workers of their own, and one with
several processes serves the other queues. Checks of uploads have no queue: children of web processes do them, while
their senders wait. A worker that is started without `-Q` serves all queues.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import structlog
from celery import Task, current_app
from kombu import Exchange, Queue

log = structlog.get_logger()

SCORINGS, BOARDS, MAIL, BACKGROUND, UPKEEP = "scorings", "boards", "mail", "background", "upkeep"
ALL = (SCORINGS, BOARDS, MAIL, BACKGROUND, UPKEEP)
# All other tasks are upkeep: reaping, tidying.
ROUTES = {
    "evalsite.submissions.tasks.score": {"queue": SCORINGS},
    "evalsite.leaderboard.tasks.*": {"queue": BOARDS},
    "evalsite.background.tasks.send": {"queue": MAIL},
    "evalsite.background.tasks.work": {"queue": BACKGROUND},
}
# Seconds after which a message of beat's is dropped. A late one does no harm, but thousands would heap up while no
# worker runs. It has to be hours: beat's machine computes the expiry and the worker's machine compares it, so within
# seconds all messages of a beat whose clock is a minute behind would be dropped.
LATE_AFTER = 6 * 3600
_TO_END = 30  # seconds for a job to clean up after its soft limit


def declared() -> list[Queue]:
    """Return the queues, each with an exchange of its own: by a common one a message would come to all of them."""
    return [Queue(name, Exchange(name), routing_key=name) for name in ALL]


def send_message(job: Task | str, *arguments: str | int, wait: float = 0) -> bool:
    """Send the job to a worker, `wait` seconds from now at the earliest; return whether the broker has taken it.

    `job` is a name where the sender must not import the job.

    No error here may reach the caller: the database has what is to be done, and beat finds what was not sent. Where a
    connection ends in the middle of a message, the broker's client raises all kinds of errors, such as AttributeError.
    """
    name = job if isinstance(job, str) else job.name
    apply_async = partial(current_app.send_task, job) if isinstance(job, str) else job.apply_async
    try:
        apply_async(arguments, countdown=wait or None)
    except Exception as error:
        log.warning("the broker does not answer", job=name, error=f"{type(error).__name__}: {error}")
        return False
    return True


@dataclass(frozen=True)
class TimeLimits:
    """Seconds by the clock that a job of each queue may take; an annotation of Celery's.

    A scoring's own limit is its child's, so this one ends only a worker that waits for something else.
    """

    scoring: int

    def of(self, queue: str) -> int:
        return {SCORINGS: self.scoring, BOARDS: 900, MAIL: 90, BACKGROUND: 900, UPKEEP: 900}[queue]

    @property
    def longest(self) -> int:
        return max(self.of(queue) for queue in ALL) + _TO_END

    def annotate(self, task: Any) -> dict[str, int]:
        soft = self.of(queue_of(task.name))
        return {"soft_time_limit": soft, "time_limit": soft + _TO_END}


def queue_of(task: str) -> str:
    """Return the queue of the job with this name."""
    return next((route["queue"] for pattern, route in ROUTES.items() if fnmatchcase(task, pattern)), UPKEEP)


def visibility_timeout(limits: TimeLimits) -> int:
    """Return the seconds after which the broker delivers an unacknowledged message again.

    A worker prefetches a message while it does another one, and acknowledges when that of the message itself has ended:
    the longest job twice, and a minute.
    """
    return 2 * limits.longest + 60
