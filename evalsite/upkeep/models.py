"""Records when periodic work was last done."""

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models.functions import Now

BEAT_LATE = timedelta(minutes=2)  # it sends a pulse twice a minute


class Pulse(models.Model):
    """The last run of periodic work that nobody would miss at once."""

    class Name(models.TextChoices):
        BEAT = "beat"  # a message of the scheduler went through the broker to a worker
        TIDY = "tidy"
        BACKUP = "backup"

    name = models.CharField(max_length=10, primary_key=True, choices=Name)
    last = models.DateTimeField()
    detail = models.JSONField(default=dict)  # facts about it, such as how many files were removed

    def __str__(self) -> str:
        return f"{self.name}, last {self.last:%Y-%m-%d %H:%M:%S}"


def note(name: Pulse.Name, **detail: Any) -> None:
    """Record that it was done now."""
    Pulse.objects.update_or_create(name=name, defaults={"last": Now(), "detail": detail})
