"""Removes the files of kept uploads with their rows, whichever way these go; sees that new gold gets its results.

And that nothing waits for a clock that was set back.
"""

from typing import Any

from django.conf import settings
from django.db.models.functions import Now
from django.db.models.signals import post_delete
from django.dispatch import receiver

from evalsite.after_commit import delete_after_commit
from evalsite.challenges.models import Gold
from evalsite.challenges.signals import gold_changed
from evalsite.clock.leading import clock_set_back, forget_the_future
from evalsite.submissions.candidates import look_after, runs_of
from evalsite.submissions.models import FaultMail, KeptPart, Scoring


@receiver(post_delete, sender=KeptPart)
def remove_file(sender: Any, instance: KeptPart, **kwargs: Any) -> None:
    delete_after_commit([instance.file])


@receiver(gold_changed)
def score_on_gold(sender: Any, gold: Gold, by: Any, **kwargs: Any) -> None:
    if runs_of(gold).exists():
        look_after(gold, by=by)


@receiver(clock_set_back)
def follow_clock(sender: Any, **kwargs: Any) -> None:
    forget_the_future(Scoring.objects.filter(state__in=Scoring.UNFINISHED), settings.LEASE)
    FaultMail.objects.filter(sent__gt=Now()).update(sent=Now())
