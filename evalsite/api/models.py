"""Personal access tokens, by which programs act for a person."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.models import User
from evalsite.challenges.models import Task


class AccessToken(models.Model):
    """A token of a person. Only its digest is stored: 256 random bits need no slow hash."""

    class Scope(models.TextChoices):
        READ = "read", _("Read: tasks, boards, and your own runs and scores")
        UPLOAD = "read upload", _("Read and upload: also check, upload, withdraw and restore runs")
        READ_ALL = "read organise", _("Read as an organiser: also all runs and scores of the tasks that you organise")
        ORGANISE = (
            "read upload organise",
            _("Read and upload as an organiser: also withdraw and restore these runs"),
        )
        JUDGE = "judge", _("Score runs of one task: list them, fetch their files, post scores")
        JUDGE_GOLD = "judge gold", _("Score runs of one task, and read the gold of these runs")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="access_tokens")
    task = models.ForeignKey(
        Task,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="judge_tokens",
        help_text=_("Of a judge's token: the one task whose runs it scores, and all that it opens."),
    )
    name = models.CharField(max_length=60)
    scopes = models.CharField(max_length=20, choices=Scope, default=Scope.READ)
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text=_("SHA-256 of the token."))
    prefix = models.CharField(max_length=12, editable=False, help_text=_("By which its owner recognises it."))
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, help_text=_("Empty: never."))
    last_used = models.DateTimeField(null=True, editable=False, help_text=_("To the minute."))
    revoked = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("access token"), _("access tokens")
        ordering = ("-created",)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def may_upload(self) -> bool:
        return "upload" in self.scopes.split()

    @property
    def may_organise(self) -> bool:
        """Return whether it has its owner's rights as an organiser; else it acts as a participant, whoever owns it."""
        return "organise" in self.scopes.split()

    @property
    def may_read(self) -> bool:
        return "read" in self.scopes.split()

    @property
    def may_judge(self) -> bool:
        """Return whether it scores runs of its task, and opens nothing else."""
        return "judge" in self.scopes.split() and self.task_id is not None

    @property
    def may_read_gold(self) -> bool:
        return self.may_judge and "gold" in self.scopes.split()

    @property
    def has_expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()
