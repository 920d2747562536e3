"""The life of a mail: written with what it tells of, sent by one process at a time, tried again until it is taken.

What time it is says the database, as the clocks of workers may differ.
"""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.db.models import F
from django.db.models.functions import Now

from evalsite.letters.models import Letter

log = structlog.get_logger()
ATTEMPT = timedelta(minutes=2)  # longer than the mail server may take: after it the sender is taken for dead
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=2)


def post(message: EmailMessage) -> Letter:
    """Keep the mail until it is sent; in the transaction of what it tells of, so that there are both or neither."""
    return Letter.objects.create(message=_stored(message), next_attempt=Now())


def deliver(pk: int) -> bool:
    """Hand the mail to the mail server; False where that did not work, or another process is at it.

    Whoever dies between the mail server's yes and the end of the row has it sent a second time: better than never.
    """
    letter = _claimed(pk)
    if letter is None:
        return False
    try:
        get_connection(settings.MAIL_TRANSPORT).send_messages([EmailMultiAlternatives(**letter.message)])
    except SMTPRecipientsRefused as refused:
        return _put_back(letter, refused, is_final=all(code >= 500 for code, _ in refused.recipients.values()))
    except ValueError as error:  # a header or an address that no mail can have
        return _put_back(letter, error, is_final=True)
    except OSError as error:  # smtplib's own are of this kind
        return _put_back(letter, error)
    letter.delete()
    return True


def due() -> list[int]:
    """Mails that should have been sent by now, the oldest first."""
    return list(Letter.objects.filter(next_attempt__lte=Now()).order_by("created").values_list("pk", flat=True)[:500])


def forget_the_future() -> None:
    """After the database's clock was set back: no mail waits longer than a sender may take."""
    Letter.objects.filter(next_attempt__gt=Now() + ATTEMPT).update(next_attempt=Now() + ATTEMPT)


def _claimed(pk: int) -> Letter | None:
    waiting = Letter.objects.filter(pk=pk, next_attempt__lte=Now())
    claimed = waiting.update(attempts=F("attempts") + 1, next_attempt=Now() + ATTEMPT)
    return Letter.objects.filter(pk=pk).first() if claimed else None


def _put_back(letter: Letter, error: Exception, *, is_final: bool = False) -> bool:
    own = Letter.objects.filter(pk=letter.pk)
    if is_final or own.filter(created__lt=Now() - GIVEN_UP_AFTER).exists():
        log.error("a mail is given up", error=f"{type(error).__name__}: {error}", attempts=letter.attempts)
        letter.delete()
        return False
    log.warning("a mail could not be sent yet", error=f"{type(error).__name__}: {error}", attempts=letter.attempts)
    pause = min(FIRST_PAUSE * 4 ** min(letter.attempts - 1, 10), LONGEST_PAUSE)
    own.update(next_attempt=Now() + pause)
    return False


def _stored(message: EmailMessage) -> dict[str, Any]:
    """What makes the same mail again, as JSON; mails of this site have no attachments."""
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
        "alternatives": [[str(each[0]), str(each[1])] for each in alternatives],
    }
