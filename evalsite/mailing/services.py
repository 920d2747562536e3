"""Writes letters: a copy for each reader, in the reader's language, queued all at once."""

from collections.abc import Callable, Iterable

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from evalsite.accounts.language import by_language, in_language_of
from evalsite.accounts.models import User
from evalsite.accounts.names import cleaned
from evalsite.background.requesting import start_job
from evalsite.challenges.models import Task
from evalsite.mailing.models import Delivery, Kind, Letter
from evalsite.mailing.sending import SENDING, headers_of
from evalsite.mailing.switches import switch_address, willing

Words = Callable[[User], tuple[str, str]]  # subject and text for a reader, in the language that is active


def post(letter: Letter, readers: Iterable[User], words: Words) -> int | None:
    """Queue a new letter for those who want its kind, and return how many they are.

    None: a letter with this key, or a notice with this mark, was queued before; nobody gets another one.
    """
    copies = []
    for language, people in by_language(willing(letter.kind, readers)):
        with override(language):
            copies += [_copy(letter, reader, *words(reader)) for reader in people]
    try:
        with transaction.atomic():
            letter.save(force_insert=True)
            Delivery.objects.bulk_create(copies)
            if copies:
                start_job(SENDING, subject=letter.pk, task=letter.task, arguments={}, by=letter.by)
    except IntegrityError:
        return None
    return len(copies)


def notify(task: Task, kind: str, readers: Iterable[User], words: Words, *, mark: str = "") -> int | None:
    """Queue a notice about the task; of those with one `mark` one is queued."""
    return post(Letter(task=task, kind=kind, mark=mark), readers, words)


def _copy(letter: Letter, reader: User, subject: str, text: str) -> Delivery:
    line, whole = framed(letter.task, letter.kind, reader, subject, text)
    return Delivery(letter=letter, user=reader, email=reader.email, subject=line, text=whole)


def framed(task: Task, kind: str, reader: User, subject: str, text: str) -> tuple[str, str]:
    """Return the subject and the text as they are sent: with the task, and how to get no more of the kind.

    A subject is one line without control characters, or it could add headers.
    """
    context = {
        "task": task,
        "text": "\n".join(text.replace("\0", "").splitlines()).strip(),
        "is_letter": kind == Kind.LETTER,
        "is_for_organisers": kind == Kind.WAITING,
        "address": settings.SITE_URL + task.get_absolute_url(),
        "switch": switch_address(reader.pk, kind),
        "all_switches": settings.SITE_URL + reverse("mail_switches"),
    }
    return cleaned(f"[{task.title}] {subject}")[:250], render_to_string("mailing/email/frame.txt", context)


def send_test(task: Task, reader: User, subject: str, text: str) -> None:
    """Send the letter to its author alone."""
    with in_language_of(reader):
        line, whole = framed(task, "letter", reader, subject, text)
    headers, reply_to = headers_of(task, reader.pk, "letter")
    EmailMessage(line, whole, to=[reader.email], reply_to=reply_to, headers=headers).send()
