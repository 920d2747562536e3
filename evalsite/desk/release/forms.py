"""The forms for each step of a release: at once, or at a time; both ask about what speaks against it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.questions import Question, Times, about_phase
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Phase
from evalsite.desk.phases.forms import about_earlier_closing, last_download
from evalsite.desk.release.doubts import Doubt, about_gold, about_results
from evalsite.desk.release.steps import ending_of
from evalsite.desk.sections import MomentForm


class NowForm(forms.Form):
    """Asks for a tick if something speaks against the step; the tick confirms the kinds of doubts that were shown."""

    sure = forms.BooleanField(label=gettext_lazy("Do it anyway"), required=False)

    def __init__(self, *args: Any, doubts: Sequence[Doubt], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kinds = {doubt.kind for doubt in doubts}
        if self._kinds:
            self.fields["sure"].widget.attrs["value"] = " ".join(sorted(self._kinds))
        else:
            del self.fields["sure"]

    def clean(self) -> None:
        if self._kinds - set(self.data.get("sure", "").split()):
            self.add_error("sure", gettext("Nothing was changed: tick this if you are sure."))


class AtForm(MomentForm):
    """A step at a time; what speaks against it then, as far as that is known, is asked about."""

    heading = gettext_lazy("At a time")

    def asked_about_times(self, **changed: datetime | None) -> Iterator[Question]:
        """Yield the questions that the times of a phase raise."""
        before = Times(self.instance.opens, self.instance.closes, self.instance.results_released)
        after = replace(before, **changed)
        yield from about_phase(before, after, last_download(self.task), timezone.now())
        yield from about_earlier_closing(self.task, before, after)


class ClosingForm(AtForm):
    key, moment = "close", "closes"
    closes = MomentField(
        label=gettext_lazy("Closes"), required=False, help_text=gettext_lazy("Leave empty to keep the phase open.")
    )
    field_order = ("zone", "closes")

    class Meta:
        model = Phase
        fields = ("closes",)

    def questions_about(self, at: datetime | None) -> Iterable[Question]:
        return ((None, question) for _, question in self.asked_about_times(closes=at))


class ResultsForm(AtForm):
    key, moment = "results", "results_released"
    results_released = MomentField(
        label=gettext_lazy("Results are released"),
        required=False,
        help_text=gettext_lazy("Leave empty not to release them automatically."),
    )
    field_order = ("zone", "results_released")

    class Meta:
        model = Phase
        fields = ("results_released",)

    def questions_about(self, at: datetime | None) -> Iterable[Question]:
        yield from self.asked_about_times(released=at)
        if at is None:
            return
        is_asked = at < (self.instance.closes or self.instance.opens)  # already, as nobody has uploaded all by then
        for doubt in about_results(ending_of(self.instance), at):
            if not (is_asked and doubt.kind == "open"):
                yield None, doubt.text


class GoldForm(AtForm):
    key, moment = "gold", "gold_due"
    gold_due = MomentField(
        label=gettext_lazy("Gold is released"),
        required=False,
        help_text=gettext_lazy("Leave empty not to publish it automatically."),
    )
    field_order = ("zone", "gold_due")

    class Meta:
        model = Phase
        fields = ("gold_due",)

    def questions_about(self, at: datetime | None) -> Iterable[Question]:
        if at is None:
            return
        if at <= timezone.now():
            yield "gold_due", gettext("This time has passed, so the gold is released at once. Are you sure?")
        yield from ((None, doubt.text) for doubt in about_gold(ending_of(self.instance), at))
