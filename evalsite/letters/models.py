"""Mail between whoever wrote it and the mail server."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """A mail that the mail server has not taken yet; its row goes when it has."""

    message = models.JSONField()  # subject, text, sender and so on, as django.core.mail takes them
    created = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveIntegerField(default=0)
    next_attempt = models.DateTimeField(db_index=True)  # before it nobody tries to send the mail again

    class Meta:
        verbose_name, verbose_name_plural = _("letter"), _("letters")

    def __str__(self) -> str:
        return f"Mail {self.pk}, written {self.created:%Y-%m-%d %H:%M:%S}"
