"""The parts of the page of entering: who may enter, until when, on which terms, and what is asked."""

from collections.abc import Iterator

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.base.fields import LONGEST_TEXT
from evalsite.challenges.forms.own_fields import OwnFieldsField
from evalsite.challenges.forms.questions import Question
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Application, Changes, EntryRules, Organiser, Task
from evalsite.challenges.taking_part.entering import MOST_LISTED, listed_in, rules_of
from evalsite.desk.sections import MomentForm, SectionForm

LONGEST_LIST = 500_000  # characters
_SHOWN = 5  # words of a list that are neither address nor domain


class WayForm(SectionForm):
    key, heading = "way", gettext_lazy("Who may enter")
    listed = forms.CharField(
        label=gettext_lazy("Addresses and domains"),
        required=False,
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy(
            "Needed only for a list. Paste it as it is: ana@uni.example, or uni.example for everybody there. "
            "Only confirmed addresses count."
        ),
    )

    class Meta:
        model = EntryRules
        fields = ("way", "listed")
        help_texts = {
            "way": gettext_lazy(
                "Teams that have entered stay. Everybody sees the task; what is marked “members only” is for teams "
                "that take part."
            )
        }

    @property
    def stored_summary(self) -> str:
        way = EntryRules.Way(self.stored("way"))
        if way != EntryRules.Way.LISTED:
            return str(way.label)
        n = len(str(self.stored("listed")).split())
        return f"{way.label}: {ngettext('%(n)d entry', '%(n)d entries', n) % {'n': n}}"

    @property
    def changes(self) -> Changes:
        """Return the changes for the log, which has no addresses: viewers read it."""
        changes = dict(super().changes)
        if "listed" in changes:
            before, after = changes["listed"]
            changes["listed"] = (str(len(before.split())), str(len(after.split())))
        return changes

    def clean_listed(self) -> str:
        names, wrong = listed_in(self.cleaned_data["listed"])
        if wrong:
            words = ngettext(
                "%(n)d word is neither an address nor a domain: %(words)s. Write them as ana@uni.example or "
                "uni.example.",
                "%(n)d words are neither addresses nor domains: %(words)s. Write them as ana@uni.example or "
                "uni.example.",
                len(wrong),
            )
            shown = ", ".join(f"“{word[:60]}”" for word in wrong[:_SHOWN]) + ("…" if len(wrong) > _SHOWN else "")
            raise ValidationError(words % {"n": len(wrong), "words": shown})
        if len(names) > MOST_LISTED:
            words = gettext("The list has %(n)d entries, and at most %(most)d are possible. List domains instead.")
            raise ValidationError(words % {"n": len(names), "most": MOST_LISTED})
        return "\n".join(names)

    def questions(self) -> Iterator[Question]:
        if self.cleaned_data["way"] == EntryRules.Way.LISTED and not self.cleaned_data["listed"]:
            yield "listed", gettext("The list is empty, so nobody can enter. Are you sure?")


class ClosesForm(MomentForm):
    key, heading, moment = "closes", gettext_lazy("Until when"), "closes"
    closes = MomentField(
        label=gettext_lazy("Teams enter until"),
        required=False,
        help_text=gettext_lazy("Empty: at any time. Teams that have entered can keep uploading."),
    )
    field_order = ("zone", "closes")

    class Meta:
        model = EntryRules
        fields = ("closes",)


class TermsForm(SectionForm):
    key, heading, markdown = "terms", gettext_lazy("Terms"), "terms"

    class Meta:
        model = EntryRules
        fields = ("terms",)
        widgets = {"terms": forms.Textarea(attrs={"rows": 16})}
        help_texts = {
            "terms": gettext_lazy(
                "Markdown. A member agrees to them for the team when it enters; text, version and time are kept. Teams "
                "that have entered agree before their next upload, also to a changed text. Empty: there are none."
            )
        }

    def prepare(self) -> None:
        self.fields["terms"].validators.append(MaxLengthValidator(LONGEST_TEXT))

    @property
    def stored_summary(self) -> str:
        if not self.stored("terms"):
            return gettext("none")
        return gettext("version %(n)d") % {"n": self.instance.terms_version}

    def questions(self) -> Iterator[Question]:
        if "terms" in self.changed_data and self.cleaned_data["terms"] and self.task.participations.exists():
            yield (
                None,
                gettext(
                    "Teams have entered: they will have to agree to this text before their next upload. Are you sure?"
                ),
            )


class QuestionsForm(SectionForm):
    key, heading = "questions", gettext_lazy("Questions")
    template = "desk/entry/_questions.html"
    questions = OwnFieldsField(label=gettext_lazy("Questions"))

    class Meta:
        model = EntryRules
        fields = ("questions",)

    @property
    def stored_summary(self) -> str:
        n = len(self.stored("questions") or [])
        return ngettext("%(n)d question", "%(n)d questions", n) % {"n": n} if n else gettext("none")


class SeriesForm(SectionForm):
    key, heading = "series", gettext_lazy("In a series")

    class Meta:
        model = EntryRules
        fields = ("entered_with",)
        labels = {"entered_with": gettext_lazy("Teams enter it with")}
        help_texts = {
            "entered_with": gettext_lazy(
                "Teams that enter that task with its form also enter this one, and the form says so. Both tasks "
                "need the same owner. Identical terms are agreed to once; questions of this task are not asked."
            )
        }

    def prepare(self) -> None:
        tasks = Task.objects.filter(archived=None, entry_rules__entered_with=None)
        # Of every owner: its teams show their addresses to all who organise this one.
        for owner in self.task.organiser_rows.filter(role=Organiser.Role.OWNER):
            owned = Organiser.objects.filter(role=Organiser.Role.OWNER, user=owner.user_id).values("task")
            tasks = tasks.filter(pk__in=owned)
        # Tasks of one title are told apart by their addresses; drafts and examples stand below what is published.
        self.fields["entered_with"].queryset = tasks.exclude(pk=self.task.pk).order_by("-is_published", "title", "slug")
        self.fields["entered_with"].label_from_instance = _with_address
        self.fields["entered_with"].empty_label = gettext("no other task")

    @property
    def stored_summary(self) -> str:
        return str(self.instance.entered_with or gettext("no"))

    def clean_entered_with(self) -> Task | None:
        main: Task | None = self.cleaned_data["entered_with"]
        if main and self.task.rules_of_series.exists():
            raise ValidationError(gettext("Other tasks are entered with this one: choose one task for all of them."))
        if main and not rules_of(main).needs_form:
            raise ValidationError(
                gettext(
                    "Teams enter %(task)s with their first upload, so there is no form to tell them about this task. "
                    "First give it terms, a question or another way of entering."
                )
                % {"task": main}
            )
        return main


def _with_address(task: Task) -> str:
    words = gettext("%(task)s (%(slug)s)") if task.is_public else gettext("%(task)s (%(slug)s, a draft)")
    return words % {"task": task.title, "slug": task.slug}


class DeclineForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason, which the team will read"),
        max_length=Application._meta.get_field("reason").max_length,
    )
