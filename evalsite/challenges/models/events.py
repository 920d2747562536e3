"""The audit trail of tasks and teams."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from evalsite.accounts.models import Team, User
from evalsite.base.fields import MomentField
from evalsite.challenges.models.tasks import Task


class Event(models.Model):
    """One line of the audit trail of a task, or of a team: who did what to what. Rows are only ever added.

    What a team does with its name and members stands here once, however many tasks it has entered; their organisers
    see it.
    """

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, null=True, related_name="events"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.SET_NULL, null=True, related_name="events"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=gettext_lazy("actor"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    kind = models.CharField(gettext_lazy("kind"), max_length=40)
    subject = models.UUIDField(
        gettext_lazy("subject"),
        null=True,
        help_text=gettext_lazy("The submission, scoring, gold, phase or team that it is about."),
    )
    detail = models.JSONField(gettext_lazy("detail"), default=dict)
    created = MomentField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        verbose_name, verbose_name_plural = gettext_lazy("event"), gettext_lazy("events")
        indexes = (
            models.Index(fields=("task", "-created"), name="event_by_task"),
            models.Index(fields=("-created", "-id"), name="event_newest"),
            models.Index(fields=("kind", "-created", "-id"), name="event_by_kind"),
        )

    def __str__(self) -> str:
        return f"{self.created:%Y-%m-%d %H:%M} {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("An event is never changed.")
        super().save(*args, **kwargs)


Changes = Mapping[str, tuple[str, str]]  # {name of what changed: (old value, new value)}


def record(
    about: Task | Team,
    kind: str,
    *,
    actor: User | None = None,
    subject: uuid.UUID | None = None,
    changes: Changes | None = None,
    **detail: Any,
) -> None:
    """Add an Event to the audit trail of a task, or of a team; `detail` must be JSON-ready."""
    if changes:
        detail["changed"] = {name: list(values) for name, values in changes.items()}
    owner = {"team": about} if isinstance(about, Team) else {"task": about}
    Event.objects.create(**owner, kind=kind, actor=actor, subject=subject, detail=detail)
