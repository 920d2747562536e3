"""The parts of the page of texts, and the forms of pages, pictures and downloads."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.files.base import ContentFile
from django.core.validators import MaxLengthValidator
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

from evalsite.base.fields import LONGEST_TEXT
from evalsite.challenges.forms.questions import Question, about_download, implausible
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Announcement, Download, Page, Task
from evalsite.challenges.texts.markdown import plain_text
from evalsite.challenges.texts.pictures import reencoded, require_room
from evalsite.desk.runs.filters import PhaseField
from evalsite.desk.sections import SectionForm, ZonedForm


class NamesForm(SectionForm):
    key, heading = "names", gettext_lazy("Title and summary")

    class Meta:
        model = Task
        fields = ("title", "slug", "summary")
        labels = {"slug": gettext_lazy("Address")}
        help_texts = {"slug": gettext_lazy("In /tasks/address/. The former address still leads here.")}

    @property
    def stored_summary(self) -> str:
        return str(self.stored("title"))


class DescriptionForm(SectionForm):
    key, heading, markdown = "description", gettext_lazy("Description"), "description"

    class Meta:
        model = Task
        fields = ("description",)
        widgets = {"description": forms.Textarea(attrs={"rows": 16})}
        help_texts = {
            "description": gettext_lazy(
                "Markdown: what is to be found, in which data, how it is scored, dates, whom to "
                "cite. You can use headings, lists, tables, links, code, and pictures of this "
                "task by name: ![what it shows](name.png)."
            )
        }

    @property
    def stored_summary(self) -> str:
        text = plain_text(str(self.stored("description")))
        return text if len(text) < 90 else f"{text[:80]}…"


class ReadersForm(SectionForm):
    key, heading = "readers", gettext_lazy("Languages, contact and DOI")

    class Meta:
        model = Task
        fields = ("language", "data_language", "contact", "doi")
        help_texts = {"contact": gettext_lazy("An address for participants' questions; everybody can see it.")}

    @property
    def stored_summary(self) -> str:
        return " · ".join(str(self.stored(name)) for name in self.watched if self.stored(name))


class PageForm(SectionForm):
    key, heading, markdown = "page", gettext_lazy("Page"), "text"
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        required=False,
        help_text=gettext_lazy("Leave empty to derive it from the title."),
    )

    class Meta:
        model = Page
        fields = ("title", "slug", "text", "members_only")
        widgets = {"text": forms.Textarea(attrs={"rows": 16})}

    def prepare(self) -> None:
        self.fields["text"].validators.append(MaxLengthValidator(LONGEST_TEXT))

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if cleaned and not self.errors:
            slug = cleaned["slug"] or slugify(cleaned["title"])[:50] or "page"
            if self.task.pages.filter(slug=slug).exclude(pk=self.instance.pk).exists():
                self.add_error("slug", gettext("Another page has the address %(slug)s.") % {"slug": slug})
            self.instance.slug = cleaned["slug"] = slug
        if self.is_new:
            last = self.task.pages.aggregate(last=Max("position"))["last"]
            self.instance.position = 0 if last is None else last + 1
        return cleaned


class AnnouncementForm(SectionForm):
    key, heading, markdown = "announcement", gettext_lazy("Announcement"), "text"

    class Meta:
        model = Announcement
        fields = ("title", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 8})}

    def prepare(self) -> None:
        self.fields["text"].validators.append(MaxLengthValidator(LONGEST_TEXT))


class PictureForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("Picture"), help_text=gettext_lazy("PNG, JPEG or WebP, of at most 2 MB."))

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task

    def clean_file(self) -> ContentFile:
        file = reencoded(self.cleaned_data["file"])
        require_room(self.task, file.name or "")
        return file


class DownloadForm(ZonedForm):
    key, heading = "download", gettext_lazy("Download")
    available_from = MomentField(label=gettext_lazy("Available from"), help_text=gettext_lazy("Hidden until then."))
    field_order = ("title", "description", "file", "phase", "zone", "available_from", "members_only")

    class Meta:
        model = Download
        fields = ("title", "description", "file", "phase", "available_from", "members_only")
        widgets = {"file": forms.FileInput}

    def prepare(self) -> None:
        super().prepare()
        self.fields["phase"] = PhaseField(
            self.task.phases.all(),
            label=self.fields["phase"].label,
            help_text=self.fields["phase"].help_text,
            required=False,
            empty_label=gettext("all phases"),
        )

    def questions(self) -> Iterator[Question]:
        if self.is_new or "available_from" in self.changed_data:
            time = self.cleaned_data["available_from"]
            yield from implausible({"available_from": time})
            yield from about_download(time, self.task.phases.values_list("closes", flat=True))
