"""Django's way of sending mail, by way of the database: nobody waits for a mail server, and nothing is lost with it."""

from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from evalsite.after_commit import after_commit
from evalsite.letters import services, tasks


class Outbox(BaseEmailBackend):
    """The EMAIL_BACKEND of a site with a mail server, which is MAIL_TRANSPORT."""

    def __init__(self, fail_silently: bool = False, **kwargs: Any) -> None:
        super().__init__(fail_silently=fail_silently)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        posted = [services.post(message) for message in email_messages if message.recipients()]
        for letter in posted:
            after_commit(tasks.send, letter.pk)
        return len(posted)
