"""Frees the scoring of a worker's killed process at once.

A worker knows which message a dead process had. So that it recognises the claim, too, and never takes one that another
worker has got meanwhile, the lease is made of the worker, the process and the message (`transitions.lease_of`).
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
    """A message in the hands of a worker's process, which is delivered again when the process has died."""

    def on_failure(self, exc_info: Any, *more: Any, **options: Any) -> Any:
        error = exc_info.exception
        if isinstance(getattr(error, "exc", error), WorkerLostError | SystemExit):
            self._release()
        return super().on_failure(exc_info, *more, **options)

    def _release(self) -> None:
        """Free the scoring before the message is delivered again, or its receiver would find it taken."""
        try:
            (pk,) = self.args
            is_free = release(uuid.UUID(pk), lease_of(self.id, self.worker_pid))
            log.warning("a process has died", scoring=pk, process=self.worker_pid, was_held=is_free)
        except (DatabaseError, InterfaceError) as error:
            log.warning("a process has died, and its lease has to end", error=str(error))
        finally:
            connection.close()  # no process that is forked later may have it too
