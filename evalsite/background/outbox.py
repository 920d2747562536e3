"""An outbox in the database: mails are stored as jobs, so nobody waits for the mail server and no mail is lost.

A mail is stored in the transaction that causes it, so that there are both or neither, and retried until the mail server
takes it. A worker that dies after the mail server has taken it, before its row is gone, sends it a second time: better
than never.
"""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.background.services import Postponed, ReportProgress, handles
from evalsite.background.tasks import enqueue
from evalsite.base.after_commit import after_commit

log = structlog.get_logger()
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(hours=1)
MOST_TRIES = 50  # which take two days


class Outbox(BaseEmailBackend):
    """The EMAIL_BACKEND of a site with a mail server, which is MAIL_TRANSPORT."""

    def __init__(self, fail_silently: bool = False, **kwargs: Any) -> None:
        super().__init__(fail_silently=fail_silently)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        mails = [_stored(message) for message in email_messages if message.recipients()]
        jobs = Job.objects.bulk_create(Job(kind=Job.MAIL, arguments=mail) for mail in mails)
        after_commit(send, [job.pk for job in jobs])
        return len(mails)


def send(pks: Sequence[uuid.UUID]) -> None:
    """Send the mails by a worker; at once where the broker is away, since somebody waits for the link in the mail."""
    if not enqueue(pks):
        for pk in pks:
            services.work(pk)


@handles(Job.MAIL)
def deliver(job: Job, report: ReportProgress) -> bool:
    """Hand the mail to the mail server, and delete its row, as its content is its reader's alone."""
    try:
        get_connection(settings.MAIL_TRANSPORT).send_messages([EmailMultiAlternatives(**job.arguments)])
    except SMTPRecipientsRefused as refused:
        is_final = all(code >= 500 for code, _ in refused.recipients.values())
        _postpone(job, refused, is_final=is_final)
    except ValueError as error:  # a header or an address that no mail can have
        _postpone(job, error, is_final=True)
    except OSError as error:  # smtplib's own are of this kind
        _postpone(job, error)
    job.leased.delete()
    return True


def _postpone(job: Job, error: Exception, *, is_final: bool = False) -> None:
    """Postpone the mail, or give it up."""
    tries = job.result.get("tries", 0) + 1
    if is_final or tries >= MOST_TRIES:
        log.error("a mail is given up", error=f"{type(error).__name__}: {error}", tries=tries)
        return
    pause = min(FIRST_PAUSE * 4 ** min(tries - 1, 10), LONGEST_PAUSE)
    raise Postponed(
        f"a mail could not be sent yet: {type(error).__name__}: {error}", pause, {"tries": tries}
    ) from error


def _stored(message: EmailMessage) -> dict[str, Any]:
    """Return the mail as JSON; mails of this site have no attachments."""
    alternatives = getattr(message, "alternatives", [])
    return {
        "subject": str(message.subject),
        "body": str(message.body),
        "from_email": message.from_email,
        "to": list(message.to),
        "cc": list(message.cc),
        "bcc": list(message.bcc),
        "reply_to": list(message.reply_to),
        "headers": {name: str(value) for name, value in message.extra_headers.items()},
        "alternatives": [[str(alternative[0]), str(alternative[1])] for alternative in alternatives],
    }
