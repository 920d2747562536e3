"""Celery tasks of uploads: each takes a key and calls one service."""

import os
import uuid
from functools import partial

from celery import Task, shared_task

from evalsite.base.queues import LATE_AFTER
from evalsite.submissions import notices
from evalsite.submissions.lifecycle import candidates, scorer, thinning, waiting
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.lifecycle.scorer import with_retries
from evalsite.submissions.lifecycle.transitions import lease_of
from evalsite.submissions.receiving import kept_uploads


@shared_task(expires=LATE_AFTER)
def post_notices() -> None:
    """Post the notices whose time has come; told by beat."""
    notices.post_due()


@shared_task(expires=LATE_AFTER)
def let_ranked_parts_decide() -> None:
    """Let the ranked part of a gold decide once its phase is over and its results are out; told by beat."""
    candidates.let_ranked_parts_decide()


class ScoringTask(Task):
    """Releases what a killed process has held; by name, as the web processes have no worker's classes."""

    Request = "evalsite.submissions.lifecycle.lost_processes:ScoringRequest"


@shared_task(bind=True, base=ScoringTask)
def score(self: Task, pk: str) -> None:
    scoring = uuid.UUID(pk)
    # The reaper enqueues what is to be retried, after a pause.
    scorer.score_upload(scoring, lease_of(self.request.id, os.getpid()))
    enqueue(with_retries(partial(waiting.next_of_person, scoring)))


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    enqueue(waiting.reap())


@shared_task(expires=LATE_AFTER)
def drop_expired() -> None:
    """Drop uploads that were kept for their hour; what else nobody owns is removed once a day (evalsite.upkeep)."""
    kept_uploads.drop_expired()


@shared_task(expires=LATE_AFTER)
def thin() -> None:
    thinning.thin()
