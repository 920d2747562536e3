"""Mails organisers what waits for them: at most once a day for a task, and nothing twice."""

import hashlib
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.base.contrib import Waiting
from evalsite.base.moment import database_now
from evalsite.challenges.access import acting_organisers
from evalsite.challenges.models import Task, published
from evalsite.desk.waiting.kinds import by_task, waiting_in
from evalsite.mailing.models import Kind, Letter
from evalsite.mailing.services import Words, notify

A_DAY = timedelta(days=1)


def post_waiting() -> None:
    """Post to the organisers of each public task what waits there, unless they have read the same, or today.

    The times in the sentences are left out of what is compared: that something waits for one more day is no news.
    """
    now = database_now()
    tasks = Task.objects.filter(published(now), archived=None)
    notices = Letter.objects.filter(kind=Kind.WAITING)
    today = set(notices.filter(created__gt=now - A_DAY).values_list("task", flat=True))
    for key, waiting in by_task(waiting_in(tasks)).items():
        if key not in today:
            task = Task.objects.get(pk=key)
            mark = f"{key}:{_digest(waiting)}"
            notify(task, Kind.WAITING, acting_organisers(task), _words(task), mark=mark)


def _digest(waiting: Sequence[Waiting]) -> str:
    lines = "\n".join(f"{item.section} {item.address} {item.n}" for item in waiting)
    return hashlib.sha256(lines.encode()).hexdigest()[:32]


def _words(task: Task) -> Words:
    """Return the function that writes the mail in its reader's language, which is active then."""

    def words(reader: User) -> tuple[str, str]:
        waiting = waiting_in(Task.objects.filter(pk=task.pk))
        lines = "\n\n".join(f"{item.text}\n{settings.SITE_URL}{item.address}" for item in waiting)
        return gettext("What waits for you"), lines

    return words
