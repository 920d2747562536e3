"""The forms for publishing now, and for publishing at a time."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.questions import Question
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Task
from evalsite.desk.publish.checklist import Item, checklist, warnings
from evalsite.desk.sections import MomentForm
from evalsite.wording import enumerated


class NowForm(forms.Form):
    """Asks for a confirmation if something is missing."""

    sure = forms.BooleanField(label=gettext_lazy("Publish it anyway"), required=False)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.doubts = doubts(task)
        if self.doubts:
            self.fields["sure"].required = True
            self.fields["sure"].error_messages["required"] = gettext("Not published: tick this if you are sure.")
        else:
            del self.fields["sure"]


def doubts(task: Task) -> list[str]:
    """Return what speaks against publishing the task as it is."""
    items = checklist(task)
    missing = [item.text for item in items if item.is_needed and not item.is_done]
    text = gettext("Missing: %(what)s.")
    return [*(text % {"what": what} for what in missing), *_of_example(items), *warnings(task)]


def _of_example(items: list[Item]) -> list[str]:
    """Return a doubt about what the example has brought, if there is any."""
    unchanged = [item.text[:1].lower() + item.text[1:] for item in items if item.is_of_example]
    return [gettext("Still the example's: %(what)s.") % {"what": enumerated(unchanged)}] if unchanged else []


class AtForm(MomentForm):
    key, heading, moment = "at", gettext_lazy("Publish at a time"), "publish_at"
    publish_at = MomentField(
        label=gettext_lazy("From"),
        required=False,
        help_text=gettext_lazy("Leave empty not to publish it automatically."),
    )
    field_order = ("zone", "publish_at")

    class Meta:
        model = Task
        fields = ("publish_at",)

    def questions_about(self, at: datetime | None) -> Iterator[Question]:
        if at is None:
            return
        if at <= timezone.now():
            yield "publish_at", gettext("This time has passed, so the task becomes public at once. Are you sure?")
        for doubt in doubts(self.task):
            yield None, doubt
