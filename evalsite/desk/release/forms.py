"""Releasing the results of a phase at a time."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy

from evalsite.challenges.forms.questions import Question, Times, about_phase
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Phase
from evalsite.desk.sections import MomentForm


class ReleaseForm(MomentForm):
    key, heading, moment = "results", gettext_lazy("Release at a time"), "results_released"
    results_released = MomentField(
        label=gettext_lazy("Results are released"), required=False, help_text=gettext_lazy("Empty: not by themselves.")
    )
    field_order = ("zone", "results_released")

    class Meta:
        model = Phase
        fields = ("results_released",)

    def questions_about(self, at: datetime | None) -> Iterator[Question]:
        opens, closes = self.instance.opens, self.instance.closes
        before = Times(opens, closes, self.stored("results_released"))
        yield from about_phase(before, Times(opens, closes, at), None, timezone.now())
