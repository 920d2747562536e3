"""Deletes the files of kept uploads with their rows, and has runs scored on new gold."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.gold.services import gold_changed
from evalsite.challenges.models import Gold
from evalsite.submissions.lifecycle.candidates import runs_of, schedule_rescoring
from evalsite.submissions.lifecycle.collecting import wait_again
from evalsite.submissions.models import KeptUpload


@receiver(post_delete, sender=KeptUpload)
def remove_file(sender: Any, instance: KeptUpload, **kwargs: Any) -> None:
    delete_after_commit([instance.file])


@receiver(gold_changed)
def score_on_gold(sender: Any, gold: Gold, by: Any, **kwargs: Any) -> None:
    wait_again(gold)
    if runs_of(gold).exists():
        schedule_rescoring(gold, by=by)
