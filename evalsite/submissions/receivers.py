"""Removes the files of kept uploads with their rows, whichever way these go: used, forgotten, or with their account."""

from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from evalsite.submissions.models import KeptPart


@receiver(post_delete, sender=KeptPart)
def remove_file(sender: Any, instance: KeptPart, **kwargs: Any) -> None:
    storage, name = instance.file.storage, str(instance.file.name)
    transaction.on_commit(lambda: storage.delete(name))
