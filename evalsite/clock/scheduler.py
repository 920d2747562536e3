"""Celery's beat, of which any number may run: one tells the workers what is due, the others wait to take over.

The lead is a row of the database, which is there anyway, and not of Redis, which may forget everything at any time.
"""

import os
import secrets
import socket
from contextlib import suppress
from typing import Any

import structlog
from celery.beat import PersistentScheduler
from django.db import Error, close_old_connections, connection

from evalsite.clock.leading import lead, resign

log = structlog.get_logger()
SECONDS_BETWEEN_LOOKS = 5  # so a new one leads within the lease and this


class LeadingScheduler(PersistentScheduler):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self.leads = False
        super().__init__(*args, **kwargs)
        # The lease is kept by looking at the clock, which is to be done often enough also when nothing is due.
        self.max_interval = SECONDS_BETWEEN_LOOKS

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._leads():
            return SECONDS_BETWEEN_LOOKS
        self._forget_the_future()
        return float(super().tick(*args, **kwargs))

    def _forget_the_future(self) -> None:
        """A clock that was set back would tell nothing until it is again what it was, and still lead."""
        for entry in self.schedule.values():
            if entry.last_run_at > (now := entry.default_now()):
                log.warning("the clock was set back", job=entry.name, last=entry.last_run_at.isoformat())
                entry.last_run_at = now
                self._heap = None  # made anew by the tick

    def _leads(self) -> bool:
        close_old_connections()
        try:
            leads = lead(self.holder)
        except Error as error:
            log.warning("the database does not answer, so nobody knows who leads", error=str(error))
            connection.close()
            leads = False
        if leads != self.leads:
            log.info("this clock leads" if leads else "another clock leads", holder=self.holder)
        self.leads = leads
        return leads

    def close(self) -> None:
        if self.leads:
            with suppress(Error):
                resign(self.holder)
        super().close()
