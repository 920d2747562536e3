"""Background jobs: what is to be done, how far it is, who holds it."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.models import User
from evalsite.base.file_names import stored_name
from evalsite.base.leases import Queued
from evalsite.challenges.models import Task


def job_path(job: "Job", name: str) -> str:
    return f"background/{job.pk}/{stored_name('job', name)}"


class Job(Queued):
    """Work that takes longer than a request. The row is the truth: killed workers and lost messages lose nothing.

                       claim              handler: True
        queued ----------------> running ---------------> done
          ^                      |     |
          |   handler: False,    |     |  third attempt fails
          |   Postponed, reaped  |     v
          +----------------------+   failed

    One job of a kind and subject is active at a time; further requests for it are counted in `asked`. Mails have no
    subject, so that there is any number of them, and are deleted when they are sent (evalsite.background.outbox).
    """

    MAIL = "mail"  # a kind

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    ACTIVE = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=30, help_text=_("By which its handler is known."))
    task = models.ForeignKey(Task, verbose_name=_("task"), on_delete=models.CASCADE, null=True, related_name="jobs")
    subject = models.UUIDField(null=True, help_text=_("What it is about, such as a gold."))
    arguments = models.JSONField(default=dict)
    result = models.JSONField(default=dict, help_text=_("What it has to tell when it is done, and on the way there."))
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.QUEUED)
    asked = models.PositiveIntegerField(default=1, help_text=_("How often it was asked for before it had ended."))
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    file = models.FileField(_("file"), upload_to=job_path, blank=True)
    error = models.TextField(_("error"), blank=True)
    made_by = models.ForeignKey(User, verbose_name=_("made by"), on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("job"), _("jobs")
        ordering = ("-created",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "subject"), condition=Q(state__in=("queued", "running")), name="one_active_job"
            ),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease__isnull=False), name="a_running_job_has_a_lease"
            ),
        )
        indexes = (
            models.Index(fields=("created",), name="active_job", condition=Q(state__in=("queued", "running"))),
            models.Index(fields=("kind", "subject", "-created"), name="job_by_subject"),
        )

    def __str__(self) -> str:
        return f"{self.kind}, {self.get_state_display()}"

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE
