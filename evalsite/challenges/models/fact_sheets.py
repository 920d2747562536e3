"""What teams are asked to tell of their runs, and until when they may change it."""

import uuid

from django.db import models
from django.utils.translation import gettext, gettext_lazy

from evalsite.base import moment
from evalsite.base.fields import MomentField
from evalsite.challenges.models.base import Versioned
from evalsite.challenges.models.phases import Phase
from evalsite.challenges.models.tasks import Task


class FactSheet(Versioned):
    """The organisers' own fields of a run, rows of taking_part.own_fields; a task without a row has none."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="fact_sheet")
    own = models.JSONField(gettext_lazy("fields"), default=list, blank=True)
    edited_until = MomentField(gettext_lazy("edited until"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("fact sheet"), gettext_lazy("fact sheets")

    def __str__(self) -> str:
        return gettext("What teams tell of their runs in %(task)s") % {"task": self.task}

    def is_open(self, phase: Phase) -> bool:
        """Return whether teams may change what they tell of runs of this phase."""
        if self.edited_until:
            return moment.now() < self.edited_until
        return not phase.is_released
