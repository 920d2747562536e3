"""The context of log lines: one request id leads from an upload to its scorings."""

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
    """Logs all requests, redirects to HTTPS and refusals too, and measures their whole time: it stands first."""

    def prepare(self, request: HttpRequest) -> None:
        request.began = monotonic()  # type: ignore[attr-defined]  # for the line at its end
        super().prepare(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        """Bind the user's id as soon as the session knows it."""
        self.bind_user_id(request)

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Bind the id from the session or the token, without a query."""
        token = getattr(request, "access_token", None)
        session = getattr(request, "session", None)
        user = token.user_id if token else session and session.get(SESSION_KEY)
        if user:
            structlog.contextvars.bind_contextvars(user_id=str(user))


@receiver(bind_extra_request_finished_metadata)
def _measure(
    sender: Any, request: HttpRequest, response: HttpResponse, log_kwargs: dict[str, Any], **kwargs: Any
) -> None:
    """Add user agent, duration and length to the line at the end of a request; a stream has no length."""
    log_kwargs["user_agent"] = request.headers.get("User-Agent")
    log_kwargs["duration_ms"] = round(1000 * (monotonic() - request.began))  # type: ignore[attr-defined]
    if not response.streaming:
        log_kwargs["bytes"] = len(response.content)


_HANDED_ON = ("request_id", "user_id")
_OF_ONE_UPLOAD = ("evalsite.submissions.tasks.score",)


@receiver(modify_context_before_task_publish)
def _hand_on(sender: Any, context: dict[str, Any], **kwargs: Any) -> None:
    """Pass the request's id and user on to the task; the client's address stays with the request."""
    for name in [name for name in context if name not in _HANDED_ON]:
        del context[name]


@receiver(bind_extra_task_metadata)
def _belongs_to_nobody(sender: Any, task: Any, **kwargs: Any) -> None:
    """Unbind the request's context in work for everybody, such as making a board."""
    if task.name not in _OF_ONE_UPLOAD:
        structlog.contextvars.unbind_contextvars(*_HANDED_ON)


class TaskLines(bootsteps.Step):
    """Clears the context at each task of a worker, and logs its begin, end and duration.

    The site's processes log the sending of tasks already.
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
