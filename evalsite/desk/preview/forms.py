"""Who is to look, and when."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Task
from evalsite.desk.preview.rendering import As

_PEOPLE = [
    (As.STRANGER, pgettext_lazy("who looks", "a stranger")),
    (As.PARTICIPANT, pgettext_lazy("who looks", "a participant")),
]


class PreviewForm(forms.Form):
    at = MomentField(label=gettext_lazy("At"))
    field_order = ("as", "at")

    def __init__(self, data: Any, *, task: Task, now: datetime) -> None:
        super().__init__(data or None, initial={"as": As.STRANGER, "at": now})
        self.fields["as"] = forms.ChoiceField(label=gettext_lazy("As"), choices=_PEOPLE)
        self.order_fields(self.field_order)
        self.fields["at"].set_zone(task.zone)  # type: ignore[attr-defined]
