"""When something that should happen again and again has last happened."""

from typing import Any

from django.db import models
from django.db.models.functions import Now


class Pulse(models.Model):
    """The last time that something happened which nobody sees when it stops happening."""

    class Name(models.TextChoices):
        BEAT = "beat"  # a message of the scheduler went through the broker to a worker
        TIDY = "tidy"
        BACKUP = "backup"

    name = models.CharField(max_length=10, primary_key=True, choices=Name)
    last = models.DateTimeField()
    detail = models.JSONField(default=dict)  # what there is to say of it, such as how many files went

    def __str__(self) -> str:
        return f"{self.name}, last {self.last:%Y-%m-%d %H:%M:%S}"


def note(name: Pulse.Name, **detail: Any) -> None:
    """Note that it has happened now."""
    Pulse.objects.update_or_create(name=name, defaults={"last": Now(), "detail": detail})
