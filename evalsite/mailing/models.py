"""Letters, what became of each copy, and the kinds that somebody has switched on or off."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evalsite.accounts.models import User
from evalsite.challenges.models import Task


class Kind(models.TextChoices):
    """What a letter is about. Each kind is switched by itself; mail about one's own account is none of them."""

    LETTER = "letter", pgettext_lazy("kind of mail", "Letters of organisers")
    OPENS = "opens", pgettext_lazy("kind of mail", "A phase opens")
    CLOSES = "closes", pgettext_lazy("kind of mail", "A phase closes within a day, and your team has no run in it")
    MOVED = "moved", pgettext_lazy("kind of mail", "A deadline is moved")
    RESULTS = "results", pgettext_lazy("kind of mail", "Results are released")
    GOLD = "gold", pgettext_lazy("kind of mail", "The gold is changed: your scores before and after")
    SCORED = "scored", pgettext_lazy("kind of mail", "A run of yours is scored")
    REFUSED = "refused", pgettext_lazy("kind of mail", "A run of yours is refused after it was queued")
    WITHDRAWN = "withdrawn", pgettext_lazy("kind of mail", "The organisers withdraw a run of your team")
    WAITING = (
        "waiting",
        pgettext_lazy("kind of mail", "Something is waiting for you as an organiser (at most once a day)"),
    )


OFF_AT_FIRST = {Kind.SCORED}


class Letter(models.Model):
    """One text to many, from the organisers or from the site."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, verbose_name=_("task"), on_delete=models.CASCADE, related_name="letters")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.LETTER)
    mark = models.CharField(
        max_length=100, blank=True, help_text=_("Of a notice: what it is about, so that one goes out.")
    )
    subject = models.CharField(_("subject"), max_length=200, blank=True)
    text = models.TextField(_("text"), blank=True)
    audience = models.CharField(max_length=60, blank=True, help_text=_("To whom the organisers wrote it."))
    by = models.ForeignKey(User, verbose_name=_("by"), on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ("-created",)
        verbose_name, verbose_name_plural = _("letter"), _("letters")
        constraints = (
            models.UniqueConstraint(fields=("kind", "mark"), condition=~Q(mark=""), name="one_notice_of_a_mark"),
        )
        indexes = (models.Index(fields=("task", "kind", "-created"), name="letter_by_task"),)

    def __str__(self) -> str:
        return self.subject or str(self.get_kind_display())


class Delivery(models.Model):
    """The copy of a letter for one reader.

        queued → sent       the mail server has taken it
        queued → rejected   it never will: there is no such address, or two days are over
        queued → unknown    it was handed over, and the answer is not known: it is not sent again

    `handed` is set right before the text goes out, and only once for each attempt that the server has not refused. So
    whatever is killed, nobody gets a letter twice.
    """

    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("letter", "waits")
        SENT = "sent", pgettext_lazy("letter", "sent")
        REJECTED = "rejected", pgettext_lazy("letter", "rejected")
        UNKNOWN = "unknown", pgettext_lazy("letter", "handed over without an answer")

    NOT_SENT: ClassVar = (State.REJECTED, State.UNKNOWN)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    letter = models.ForeignKey(Letter, on_delete=models.CASCADE, related_name="deliveries")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="deliveries")
    email = models.EmailField(_("e-mail address"))
    subject = models.CharField(max_length=300)
    text = models.TextField(help_text=_("As the reader gets it; empty once it is sent."))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.QUEUED)
    error = models.CharField(_("error"), max_length=500, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True)
    handed = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("copy of a letter"), _("copies of letters")
        constraints = (models.UniqueConstraint(fields=("letter", "user"), name="one_copy_for_a_reader"),)
        indexes = (models.Index(fields=("letter",), name="copies_that_wait", condition=Q(state="queued")),)

    def __str__(self) -> str:
        return f"{self.letter}, {self.get_state_display()}"


class Switch(models.Model):
    """A kind of mail that somebody has switched on or off."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mail_switches")
    kind = models.CharField(max_length=10, choices=Kind)
    is_on = models.BooleanField()

    class Meta:
        verbose_name, verbose_name_plural = _("switch of a kind of mail"), _("switches of kinds of mail")
        constraints = (models.UniqueConstraint(fields=("user", "kind"), name="one_switch_of_a_kind"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"
