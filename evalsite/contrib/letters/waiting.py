"""Tells organisers of letters that some of their readers did not get."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from evalsite.base.contrib import Waiting
from evalsite.base.moment import database_now
from evalsite.challenges.models import Task
from evalsite.mailing.models import Delivery, Kind, Letter
from evalsite.wording import amount

RECENT = timedelta(days=7)  # for which a letter that was not delivered is to be seen to


def not_delivered(tasks: QuerySet[Task]) -> Iterator[Waiting]:
    """Yield the letters of the last days of which copies were rejected."""
    rejected = Count("deliveries", filter=Q(deliveries__state=Delivery.State.REJECTED))
    recent = Letter.objects.filter(kind=Kind.LETTER, task__in=tasks, created__gt=database_now() - RECENT)
    for letter in recent.annotate(n_rejected=rejected).filter(n_rejected__gt=0).select_related("task"):
        words = ngettext(
            "%(n)s reader did not get your letter “%(letter)s”.",
            "%(n)s readers did not get your letter “%(letter)s”.",
            letter.n_rejected,
        )
        words %= {"n": amount(letter.n_rejected), "letter": letter}
        address = reverse("desk_letters_one", args=[letter.task.slug, letter.pk])
        yield Waiting(letter.task_id, "desk_letters", 1, words, gettext("See who"), address)
