"""Mails about what could not be scored: one for each cause and hour, however many scorings meet it.

The cache remembers that one was sent. So while the cache is away no mail is sent, as nobody could tell the second from
the first, and after it was emptied one may be sent twice.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage, get_connection
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from evalsite.accounts.language import by_language
from evalsite.accounts.models import User
from evalsite.accounts.organisers import ADMINISTERS
from evalsite.base.faults import ADVICE, FILE_FAULTS, Fault
from evalsite.challenges.access import CHANGING, acting_organisers
from evalsite.challenges.models import Organiser, Task
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
PAUSE = timedelta(hours=1)  # between two mails about one cause
PAUSE_OF_FILES = timedelta(days=1)  # between two mails about lost files, which may be lost for good
_AGAIN = timedelta(minutes=5)  # after a mail that did not go out
State = Scoring.State


def mail_failure(scoring: Scoring, fault: Fault, error: str) -> None:
    """Mail the organisers of the task about a scoring that has failed for good."""
    task = scoring.submission.phase.task
    of_cause = Scoring.objects.filter(submission__phase__task=task, state=State.FAILED, fault=fault)
    context = {"scoring": scoring, "submission": scoring.submission}
    _mail_once(fault, task, lambda: acting_organisers(task), "failed", context | {"error": error, "n": of_cause.count})


def mail_machine_fault(fault: Fault, error: str) -> None:
    """Mail the administrators, and the organisers of the tasks whose scorings wait, about a fault of the machine."""
    waiting = Scoring.objects.filter(state=State.QUEUED, fault=fault)
    _mail_once(fault, None, lambda: _responsible(waiting), "resting", {"error": error, "n": waiting.count})


def _responsible(waiting: QuerySet[Scoring]) -> Iterable[User]:
    """Return these people; where there are none, all organisers: somebody has to know."""
    changing = Organiser.objects.filter(role__in=CHANGING)
    of_waiting = changing.filter(task__in=waiting.values("submission__phase__task"))
    people = User.objects.filter(is_active=True)
    concerned = people.filter(ADMINISTERS | Q(organiser_rows__in=of_waiting)).distinct()
    return concerned if concerned.exists() else people.filter(organiser_rows__in=changing).distinct()


def _mail_once(
    fault: Fault, task: Task | None, people: Callable[[], Iterable[User]], template: str, context: dict[str, Any]
) -> None:
    """Send the mail unless one about this cause was sent lately; a mail server that is away changes nothing for the
    scoring.
    """
    key = f"told-{fault}-{task.pk if task else ''}".replace(" ", "-")
    pause = PAUSE_OF_FILES if fault in FILE_FAULTS else PAUSE
    # Some caches say that they have added a key while they are away, and do not find it.
    if not (cache.add(key, value=True, timeout=pause.total_seconds()) and cache.get(key)):
        return
    context |= {"fault": fault, "advice": ADVICE[fault], "n": context["n"]()}
    try:
        _send(people(), f"submissions/email/{template}.txt", context, lambda: _subject(fault))
    except OSError:
        log.exception("nobody could be told by mail", fault=fault)
        cache.set(key, value=True, timeout=_AGAIN.total_seconds())


def _subject(fault: Fault) -> str:
    return gettext("Could not be scored: %(fault)s") % {"fault": fault.label}


def _send(people: Iterable[User], template: str, context: dict[str, Any], subject_of: Callable[[], str]) -> None:
    """Send one mail to each reader, in the reader's language and so that addresses stay private."""
    mails = []
    for language, readers in by_language(people):
        with override(language):
            text = render_to_string(template, context)
            subject = subject_of()
        mails += [EmailMessage(f"[{settings.SITE_NAME}] {subject}", text, to=[reader.email]) for reader in readers]
    get_connection().send_messages(mails)
