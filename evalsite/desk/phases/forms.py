"""The parts of a phase's page, and the form of a new phase."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.questions import Question, Times, about_phase, implausible
from evalsite.challenges.forms.windows import WindowField
from evalsite.challenges.forms.zones import MomentField, in_zone
from evalsite.challenges.models import Download, Phase, Task
from evalsite.challenges.wording import public_gold, uploads_allowed
from evalsite.desk.sections import SectionForm, ZonedForm

# Pages of the task have these addresses.
TAKEN = {"decisions", "enter", "new", "organise", "pages", "pictures", "scenarios"}
_ADDRESS = gettext_lazy("In /tasks/…/address/. The former address still leads here.")


def free_address(slug: str) -> str:
    if slug in TAKEN:
        raise forms.ValidationError(gettext("Pages of the task use this address. Choose another one."))
    return slug


class NamesForm(SectionForm):
    key, heading, markdown = "names", gettext_lazy("Name and description"), "description"

    class Meta:
        model = Phase
        fields = ("name", "slug", "description", "doi")
        labels = {"slug": gettext_lazy("Address")}
        help_texts = {"slug": _ADDRESS, "description": gettext_lazy("Markdown. It is shown below the name.")}
        widgets = {"description": forms.Textarea(attrs={"rows": 4})}

    @property
    def stored_summary(self) -> str:
        return str(self.stored("name"))

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug != self.stored("slug"):
            free_address(slug)
        if self.instance.task.phases.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(gettext("Another phase of this task has this address."))
        return slug


class TimesForm(ZonedForm):
    key, heading = "times", gettext_lazy("Times")
    template = "desk/phases/_times.html"
    opens = MomentField(label=gettext_lazy("Opens"))
    closes = MomentField(
        label=gettext_lazy("Closes"), required=False, help_text=gettext_lazy("Leave empty to keep the phase open.")
    )
    field_order = ("zone", "opens", "closes")

    class Meta:
        model = Phase
        fields = ("opens", "closes")

    @property
    def stored_summary(self) -> str:
        opens, closes = self.stored("opens"), self.stored("closes")
        if closes is None:
            return gettext("from %(opens)s") % {"opens": in_zone(opens, self.task.zone)}
        values = {"opens": in_zone(opens, self.task.zone), "closes": in_zone(closes, self.task.zone)}
        return gettext("%(opens)s to %(closes)s") % values

    def questions(self) -> Iterator[Question]:
        changed = [name for name in ("opens", "closes") if name in self.changed_data]
        if not changed:
            return
        yield from implausible({name: self.cleaned_data[name] for name in changed})
        released = self.instance.results_released
        before = Times(self.stored("opens"), self.stored("closes"), released)
        after = Times(self.cleaned_data["opens"], self.cleaned_data["closes"], released)
        for _, question in about_phase(before, after, last_download(self.task), timezone.now()):
            yield None, question
        yield from about_earlier_closing(self.task, before, after)
        if self.instance.gold_released:
            yield from _about_public_gold(self.instance, after.opens)


def about_earlier_closing(task: Task, before: Times, after: Times) -> Iterator[Question]:
    """Ask whether a phase is meant to close before the time that participants have been told."""
    if task.is_public and after.closes_earlier_than(before) and not before.is_closed(timezone.now()):
        yield None, _about_earlier(before.closes, after.closes, task.zone)


def _about_earlier(earlier: datetime | None, closes: datetime, zone: str) -> str:
    if earlier is None:
        asked = gettext(
            "Participants have been told that the phase stays open, and now it closes on %(closes)s. Are you sure?"
        )
        return asked % {"closes": in_zone(closes, zone)}
    asked = gettext(
        "Participants have been told that the phase closes on %(told)s; %(closes)s is earlier. Are you sure?"
    )
    return asked % {"told": in_zone(earlier, zone), "closes": in_zone(closes, zone)}


def last_download(task: Task) -> datetime | None:
    last: datetime | None = Download.objects.filter(task=task).aggregate(last=Max("available_from"))["last"]
    return last


def _about_public_gold(phase: Phase, opens: datetime) -> Iterator[Question]:
    if opens > timezone.now() and phase.golds.exists():
        yield None, public_gold(phase.name, opens)


class LimitsForm(SectionForm):
    key, heading = "limits", gettext_lazy("Limits")
    template = "desk/phases/_limits.html"
    window = WindowField(label=gettext_lazy("in"), help_text="")

    class Meta:
        model = Phase
        fields = ("window_limit", "window", "year_limit", "year", "total_limit", "upload_megabytes")
        labels = {
            "window_limit": gettext_lazy("Uploads of a team"),
            "year_limit": gettext_lazy("Uploads a year"),
            "year": gettext_lazy("A year is a"),
            "total_limit": gettext_lazy("In all"),
        }
        help_texts = {
            "window_limit": gettext_lazy(
                "Leave empty for no limit. Hidden gold could be reconstructed with many runs; 5 a day are usual."
            ),
            "year_limit": gettext_lazy("For a phase that stays open. Leave empty for no limit."),
            "total_limit": gettext_lazy("Leave empty for no limit."),
            "upload_megabytes": gettext_lazy(
                "The most that one upload may have. Leave empty for the site's usual limit."
            ),
        }

    @property
    def stored_summary(self) -> str:
        stored = {name: self.stored(name) for name in ("window_limit", "window", "year_limit", "year", "total_limit")}
        return uploads_allowed(Phase(**stored))


class VisibilityForm(SectionForm):
    key, heading = "sight", gettext_lazy("Who sees what")

    class Meta:
        model = Phase
        fields = (
            *("board_audience", "is_anonymous", "shows_scores", "is_ladder", "detail", "members_only", "gold_released"),
        )
        labels = {
            "board_audience": gettext_lazy("Before the release, the board is seen by"),
            "members_only": gettext_lazy("Data for members only"),
        }
        help_texts = {
            "is_anonymous": gettext_lazy(
                "Until the results are released, the board shows “Team 7” instead of the name."
            ),
            "shows_scores": gettext_lazy("Off: until the release only organisers see scores, on boards too."),
            "is_ladder": gettext_lazy(
                "For boards that stay open: a team sees only whether a run is better than its best by more than "
                "noise and, if so, a rounded score. All scores are shown when the results are released."
            ),
            "detail": gettext_lazy(
                "While the gold is hidden. By default, the site shows as much as it can while half of the gold "
                "stays hidden. See below how much the uploads of a team can reveal."
            ),
            "members_only": gettext_lazy(
                "The data of the phase are for teams that take part: its files, starter kit, samples, checks and, once "
                "it is released, the gold."
            ),
            "gold_released": gettext_lazy("Everybody can download the gold, as in a development phase."),
        }

    @property
    def stored_summary(self) -> str:
        return gettext("The board is for: %(whom)s") % {"whom": self.instance.get_board_audience_display()}

    def questions(self) -> Iterator[Question]:
        if self.cleaned_data["gold_released"] and "gold_released" in self.changed_data:
            yield from _about_public_gold(self.instance, self.instance.opens)


class NewPhaseForm(ZonedForm):
    """The fields that a phase needs; the rest has values that usually fit."""

    key, heading = "new", gettext_lazy("New phase")
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=50,
        help_text=gettext_lazy("Leave empty to derive it from the name."),
    )
    opens = MomentField(label=gettext_lazy("Opens"))
    closes = MomentField(
        label=gettext_lazy("Closes"), required=False, help_text=gettext_lazy("Leave empty to keep the phase open.")
    )
    field_order = ("name", "slug", "zone", "opens", "closes")

    class Meta:
        model = Phase
        fields = ("name", "slug", "opens", "closes")
        help_texts = {"name": gettext_lazy("For example development, evaluation or post-evaluation.")}

    def clean_slug(self) -> str:
        return free_address(self.cleaned_data["slug"])

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            self.instance.slug = cleaned["slug"] = self._address(cleaned)  # type: ignore[index]
        return cleaned

    def _address(self, cleaned: Any) -> str:
        """Return the address as typed, or made from the name; it is refused if another phase has it."""
        slug = cleaned["slug"] or slugify(cleaned["name"])[:50] or "phase"
        if slug in TAKEN or self.task.phases.filter(slug=slug).exists():
            self.add_error("slug", gettext("The address %(slug)s is taken. Choose another one.") % {"slug": slug})
        return slug

    def questions(self) -> Iterator[Question]:
        times = {name: self.cleaned_data[name] for name in ("opens", "closes")}
        yield from implausible(times)
        yield from about_phase(None, Times(**times, released=None), last_download(self.task), timezone.now())


class PauseForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Participants read it on the task's page and on the upload form."),
    )
