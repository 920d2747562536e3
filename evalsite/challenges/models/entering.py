"""How teams enter a task: the organisers' rules, the teams that have asked, and what they have agreed to."""

import uuid
from typing import Any

from django.db import models
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import Team, User, new_invitation
from evalsite.base import moment
from evalsite.base.fields import CountField, MarkdownField, MomentField
from evalsite.challenges.models.base import Versioned
from evalsite.challenges.models.tasks import Task


class EntryRules(Versioned):
    """Who may enter a task, until when, on which terms, and what is asked; a task without a row is open to everybody.

    `questions` are rows of evalsite.challenges.taking_part.own_fields. `terms_version` counts the texts of the terms,
    and stays when they are removed.
    """

    class Way(models.TextChoices):
        OPEN = "open", pgettext_lazy("who may enter", "everybody")
        LINK = "link", pgettext_lazy("who may enter", "anyone with the link")
        LISTED = "listed", pgettext_lazy("who may enter", "people with a listed address or domain")
        APPROVAL = "approval", pgettext_lazy("who may enter", "teams that the organisers approve")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="entry_rules")
    way = models.CharField(gettext_lazy("who may enter"), max_length=10, choices=Way, default=Way.OPEN)
    secret = models.CharField(max_length=64, unique=True, default=new_invitation, editable=False)
    listed = models.TextField(gettext_lazy("addresses and domains"), blank=True)
    closes = MomentField(gettext_lazy("entries close"), null=True, blank=True)
    terms = MarkdownField(gettext_lazy("terms"), blank=True, help_text="Markdown.")
    terms_version = CountField(default=0, editable=False)
    questions = models.JSONField(gettext_lazy("questions"), default=list, blank=True)
    entered_with = models.ForeignKey(
        Task,
        verbose_name=gettext_lazy("entered with"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="rules_of_series",
        help_text=gettext_lazy("Whoever enters that task by its form enters this one too."),
    )

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("rules of entering"), gettext_lazy("rules of entering")

    def __str__(self) -> str:
        return gettext("How teams enter %(task)s") % {"task": self.task}

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Count the text of the terms, if it is a new one."""
        before = type(self).objects.filter(pk=self.pk).values_list("terms", flat=True).first()
        if self.terms and self.terms != before:
            self.terms_version += 1
            if (fields := kwargs.get("update_fields")) is not None:
                kwargs["update_fields"] = {*fields, "terms_version"}
        super().save(*args, **kwargs)

    @property
    def is_over(self) -> bool:
        return self.closes is not None and self.closes <= moment.now()

    @property
    def needs_form(self) -> bool:
        """Return whether teams enter by the form, and not by their first upload alone."""
        return bool(self.way != self.Way.OPEN or self.terms or self.questions)


class Application(models.Model):
    """A team that has sent the form of entering a task, with its answers; what was declined stays, with the reason."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("of an application", "waiting")
        ACCEPTED = "accepted", pgettext_lazy("of an application", "accepted")
        DECLINED = "declined", pgettext_lazy("of an application", "declined")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="applications"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.CASCADE, related_name="applications"
    )
    user = models.ForeignKey(
        User, verbose_name=gettext_lazy("user"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    answers = models.JSONField(gettext_lazy("answers"), default=dict, blank=True)
    state = models.CharField(gettext_lazy("state"), max_length=10, choices=State)
    reason = LineField(gettext_lazy("reason"), max_length=300, blank=True)
    decided_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("decided by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created = MomentField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ("created", "pk")
        constraints = (models.UniqueConstraint(fields=("task", "team"), name="one_application_per_team"),)
        verbose_name, verbose_name_plural = gettext_lazy("application"), gettext_lazy("applications")

    def __str__(self) -> str:
        return gettext("%(team)s in %(task)s") % {"team": self.team, "task": self.task}


class Agreement(models.Model):
    """The terms to which a member has agreed for the team: the text as it was then, its number, and the time."""

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="agreements"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.CASCADE, related_name="agreements"
    )
    user = models.ForeignKey(
        User, verbose_name=gettext_lazy("user"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    version = CountField(gettext_lazy("version"))
    text = MarkdownField(gettext_lazy("text"))
    created = MomentField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ("created", "pk")
        constraints = (models.UniqueConstraint(fields=("task", "team", "version"), name="one_agreement_per_version"),)
        verbose_name, verbose_name_plural = gettext_lazy("agreement"), gettext_lazy("agreements")

    def __str__(self) -> str:
        return gettext("%(team)s, terms of %(task)s, version %(version)s") % {
            "team": self.team,
            "task": self.task,
            "version": self.version,
        }
