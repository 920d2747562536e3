"""What is bound to the log lines of a request and of a task: one id leads from an upload to its scorings."""

from time import monotonic
from typing import Any

import structlog
from celery import bootsteps, signals
from django.contrib.auth import SESSION_KEY
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django_structlog.celery.receivers import CeleryReceiver
from django_structlog.celery.signals import bind_extra_task_metadata, modify_context_before_task_publish
from django_structlog.middlewares import RequestMiddleware as _RequestMiddleware
from django_structlog.signals import bind_extra_request_finished_metadata


class RequestMiddleware(_RequestMiddleware):
    """Stands first: redirects to HTTPS and refused requests have their lines too, and the time of all is measured."""

    def prepare(self, request: HttpRequest) -> None:
        request.began = monotonic()  # type: ignore[attr-defined]  # for the line at its end
        super().prepare(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        """The lines between begin and end say who it is, as soon as the session knows."""
        self.bind_user_id(request)

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """From the session or the token: without a query of its own."""
        token = getattr(request, "access_token", None)
        session = getattr(request, "session", None)
        user = token.user_id if token else session and session.get(SESSION_KEY)
        if user:
            structlog.contextvars.bind_contextvars(user_id=str(user))


@receiver(bind_extra_request_finished_metadata)
def _measure(
    sender: Any, request: HttpRequest, response: HttpResponse, log_kwargs: dict[str, Any], **kwargs: Any
) -> None:
    """By what it was asked for, how long the answer took and, where it does not come piece by piece, how long it is."""
    log_kwargs["user_agent"] = request.headers.get("User-Agent")
    log_kwargs["duration_ms"] = round(1000 * (monotonic() - request.began))  # type: ignore[attr-defined]
    if not response.streaming:
        log_kwargs["bytes"] = len(response.content)


_HANDED_ON = ("request_id", "user_id")
_OF_ONE_UPLOAD = ("evalsite.submissions.tasks.score",)


@receiver(modify_context_before_task_publish)
def _hand_on(sender: Any, context: dict[str, Any], **kwargs: Any) -> None:
    """A task's lines carry the id of the request that asked for it; the client's address stays with the request."""
    for name in [name for name in context if name not in _HANDED_ON]:
        del context[name]


@receiver(bind_extra_task_metadata)
def _belongs_to_nobody(sender: Any, task: Any, **kwargs: Any) -> None:
    """Work for all, such as making a board, is not the work of the request after which it happened to be sent."""
    if task.name not in _OF_ONE_UPLOAD:
        structlog.contextvars.unbind_contextvars(*_HANDED_ON)


class TaskLines(bootsteps.Step):
    """In a worker: each task begins with nothing bound, says when it began and ended, and how long it took.

    Sending is told of already, by the signals that the site connects in every process.
    """

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self._receiver = CeleryReceiver()  # kept, as signals hold it weakly
        signals.task_prerun.connect(self._receiver.receiver_task_prerun)
        signals.task_retry.connect(self._receiver.receiver_task_retry)
        signals.task_success.connect(self._receiver.receiver_task_success)
        signals.task_failure.connect(self._receiver.receiver_task_failure)
        signals.task_revoked.connect(self._receiver.receiver_task_revoked)
        signals.task_unknown.connect(self._receiver.receiver_task_unknown)
        signals.task_rejected.connect(self._receiver.receiver_task_rejected)
