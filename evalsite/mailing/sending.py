"""Sends the copies of a letter, each at most once.

SMTP lets nobody know whether a server has taken a mail whose answer was lost. The copy is therefore marked as handed
over between the server's consent to take the text and the text itself: whoever dies before that has sent nothing, and
the copy is sent by the next one; whoever dies later may have sent it, and the copy stays "unknown" and is never sent
again. Between mark and text nothing happens but a write to an open connection.
"""

import smtplib
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.utils import DNS_NAME
from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.background.outbox import FIRST_PAUSE, LONGEST_PAUSE, MOST_TRIES
from evalsite.background.requesting import request_job
from evalsite.background.services import Postponed, ReportProgress, handles
from evalsite.challenges.models import Task
from evalsite.mailing.models import Delivery, Letter
from evalsite.mailing.switches import switch_address

log = structlog.get_logger()
SENDING = "letter"  # kind of job
STEP = 20.0  # seconds for which one step of the job sends
State = Delivery.State


class AlreadyHanded(Exception):
    """Another process has handed the copy over."""


class HandingBackend(EmailBackend):
    """Django's SMTP, which calls `hand_over` when the server waits for the text."""

    hand_over: Callable[[], None]

    @property
    def connection_class(self) -> Any:
        backend = self

        class Handing(super().connection_class):  # type: ignore[misc]  # chosen by the settings
            def send(self, s: Any) -> None:
                if isinstance(s, bytes):  # commands are text
                    backend.hand_over()
                super().send(s)

        return Handing


@handles(SENDING)
def send_some(job: Job, report: ReportProgress) -> bool:
    """Send copies of the letter for some seconds; return whether none waits any more."""
    letter = Letter.objects.select_related("task").filter(pk=job.subject or job.pk).first()
    if letter is None:
        return True
    copies = Delivery.objects.filter(letter=letter)
    # Whoever held the job before has died right after the text went out, or while it waited for the answer.
    waiting = copies.filter(state=State.QUEUED)
    waiting.filter(handed__isnull=False).update(state=State.UNKNOWN, text="", error="")
    end, total = monotonic() + STEP, copies.count()
    connection, n_taken = _connection(), 0  # by this connection: servers take so many and hang up
    try:
        while monotonic() < end and (copy := _due(copies).first()):
            try:
                _send(connection, letter, copy)
            except OSError as error:  # smtplib's own are of this kind
                connection.close()
                if not n_taken:
                    _retry_later(job, error)
                n_taken = 0
            else:
                n_taken += 1
                job.leased.renew(done=total - waiting.count(), total=total, attempts=0, result={})
    finally:
        connection.close()
    if _due(copies).exists():
        return False
    if again := waiting.aggregate(again=Min("not_before"))["again"]:
        raise Postponed("copies of a letter rest", max(again - timezone.now(), timedelta(seconds=1)), {})
    return True


def resume() -> None:
    """Request the job of letters with copies that wait and no job that sends them, as after a job that has failed."""
    at_work = Job.objects.filter(kind=SENDING, subject=OuterRef("pk"), state__in=Job.ACTIVE)
    waiting = Letter.objects.filter(pk__in=Delivery.objects.filter(state=State.QUEUED).values("letter"))
    for letter in waiting.exclude(Exists(at_work)).select_related("task"):
        request_job(SENDING, subject=letter.pk, task=letter.task, by=None)


def _connection() -> Any:
    """Return a connection that tells when a text goes out, or what the settings name where mail goes by no server."""
    is_smtp = settings.MAIL_TRANSPORT == "django.core.mail.backends.smtp.EmailBackend"
    # An answer to the text may take long, and is worth waiting for.
    return HandingBackend(timeout=4 * settings.EMAIL_TIMEOUT) if is_smtp else get_connection(settings.MAIL_TRANSPORT)


def _due(copies: QuerySet[Delivery]) -> QuerySet[Delivery]:
    is_due = Q(not_before=None) | Q(not_before__lte=Now())
    return copies.filter(is_due, state=State.QUEUED, handed=None).order_by("tries", "pk")


def _send(connection: Any, letter: Letter, copy: Delivery) -> None:
    """Send a copy, and note what became of it; raise OSError where the server takes no mail at all."""

    def hand_over() -> None:
        if not Delivery.objects.filter(pk=copy.pk, state=State.QUEUED, handed=None).update(handed=Now()):
            raise AlreadyHanded
        copy.handed = timezone.now()

    try:
        message = _message(letter, copy)
        if isinstance(connection, HandingBackend):
            connection.hand_over = hand_over
            connection.open()
        else:
            hand_over()
        connection.send_messages([message])
    except AlreadyHanded:
        connection.close()
    except ValueError as error:  # an address that no mail can have
        _end(copy, State.REJECTED, error)
    except smtplib.SMTPRecipientsRefused as refused:
        [(code, answer)] = refused.recipients.values()
        _record_refusal(copy, code, answer)
    except smtplib.SMTPDataError as refused:
        _record_refusal(copy, refused.smtp_code, refused.smtp_error)
    except OSError as error:
        if not copy.handed:
            raise
        connection.close()
        _end(copy, State.UNKNOWN, error)
    else:
        _end(copy, State.SENT)


def _message(letter: Letter, copy: Delivery) -> EmailMessage:
    headers, reply_to = headers_of(letter.task, copy.user_id, letter.kind)
    headers["Message-ID"] = f"<{copy.pk}@{DNS_NAME}>"
    return EmailMessage(copy.subject, copy.text, to=[copy.email], reply_to=reply_to, headers=headers)


def headers_of(task: Task, user: UUID, kind: str) -> tuple[dict[str, str], list[str]]:
    """Return the headers by which a mail program switches the kind off (RFC 8058), and whom an answer goes to."""
    headers = {
        "List-Unsubscribe": f"<{switch_address(user, kind)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return headers, [task.contact] if task.contact else []


def _record_refusal(copy: Delivery, code: int, answer: bytes | str) -> None:
    """Record that the server has said no: for ever by 5xx, for now by 4xx.

    It has not taken the text.
    """
    words = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    if code >= 500 or copy.tries + 1 >= MOST_TRIES:
        _end(copy, State.REJECTED, f"{code} {words}")
        return
    copy.tries += 1
    again = {"tries": copy.tries, "not_before": Now() + _pause(copy.tries), "handed": None}
    Delivery.objects.filter(pk=copy.pk, state=State.QUEUED).update(error=f"{code} {words}"[:500], **again)


def _end(copy: Delivery, state: State, error: object = "") -> None:
    # One that another process has given up as unknown may be known after all.
    ends = Delivery.objects.filter(pk=copy.pk, state__in=(State.QUEUED, State.UNKNOWN))
    ends.update(state=state, error=str(error)[:500], text="")


def _retry_later(job: Job, error: OSError) -> None:
    """Let all copies wait for a mail server that does not answer, and give up after two days."""
    tries = job.result.get("tries", 0) + 1
    if tries >= MOST_TRIES:
        log.error("a letter is given up", error=f"{type(error).__name__}: {error}")
        waiting = Delivery.objects.filter(letter=job.subject, state=State.QUEUED, handed=None)
        waiting.update(state=State.REJECTED, error=f"{type(error).__name__}: {error}"[:500], text="")
    why = f"a letter could not be sent yet: {type(error).__name__}: {error}"
    raise Postponed(why, _pause(tries), {"tries": tries}) from error


def _pause(tries: int) -> timedelta:
    return min(FIRST_PAUSE * 4 ** min(tries - 1, 10), LONGEST_PAUSE)
