"""What a worker does when one of its processes is killed: the scoring that it held is free at once.

A worker knows which message a dead process had. So that it knows the claim, too, and never takes one that somebody
else has got meanwhile, its lease is made of this worker, the process and the message (`leases.lease_of`).
"""

import uuid
from typing import Any

import structlog
from celery.exceptions import WorkerLostError
from celery.worker.request import Request
from django.db import DatabaseError, InterfaceError, connection

from evalsite.submissions.lifecycle.transitions import lease_of, release

log = structlog.get_logger()


class ScoringRequest(Request):  # type: ignore[misc]
    """A message that a process of this worker has; it comes again when the process has died."""

    def on_failure(self, exc_info: Any, *more: Any, **options: Any) -> Any:
        error = exc_info.exception
        if isinstance(getattr(error, "exc", error), WorkerLostError | SystemExit):
            self._release()
        return super().on_failure(exc_info, *more, **options)

    def _release(self) -> None:
        """Before the message comes again, or whoever gets it would find the scoring taken."""
        try:
            (pk,) = self.args
            is_free = release(uuid.UUID(pk), lease_of(self.id, self.worker_pid))
            log.warning("a process has died", scoring=pk, process=self.worker_pid, was_held=is_free)
        except (DatabaseError, InterfaceError) as error:
            log.warning("a process has died, and its lease has to end", error=str(error))
        finally:
            connection.close()  # no process that is forked later may have it too
