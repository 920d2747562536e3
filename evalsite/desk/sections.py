"""Saves the sections of a desk's page one by one, so that colleagues who change different sections don't conflict.

Each section is a form over some fields of one row. Of two who save at once the second is compared with what the first
has stored, when its form is validated. The row's version tells whether somebody has saved between validation and save;
then the form is validated again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Any, ClassVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext, override

from evalsite.accounts.models import User
from evalsite.base.faults import Fault, KnownFault
from evalsite.challenges.forms.editing import CarefulForm
from evalsite.challenges.forms.questions import Question, implausible
from evalsite.challenges.forms.zones import ZoneField, in_several_zones, in_zone, moments_of, zone_called, zone_of
from evalsite.challenges.models import Task, record
from evalsite.challenges.models.base import Versioned
from evalsite.challenges.revisions import raise_revision
from evalsite.challenges.texts.markdown import foreign_images
from evalsite.challenges.texts.pictures import address_of_picture
from evalsite.wording import utc

PREVIEW = "preview"  # name of the button that shows a text as it will look, and saves nothing
SECTION = "section"  # name of the field that says which section a page sends
MOST_TRIES = 100  # to save a section that others change meanwhile


class SectionForm(CarefulForm):
    key: ClassVar[str] = ""
    heading: ClassVar[str | Promise] = ""
    template: ClassVar[str] = "desk/_section_fields.html"
    markdown: ClassVar[str] = ""  # name of the field whose text can be previewed before it is saved

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, prefix=self.key, **kwargs)

    @property
    def stored_summary(self) -> str:
        """Return what is stored, in words; it stands beside the heading."""
        return ""

    @property
    def task(self) -> Task:
        return self.instance if isinstance(self.instance, Task) else self.instance.task

    @property
    def preview(self) -> str:
        """Return the text as it stands in the form, if its preview was asked for."""
        return str(self.data.get(self.add_prefix(self.markdown), "")) if PREVIEW in self.data else ""

    @property
    def hidden_images(self) -> list[str]:
        return foreign_images(self.preview, address_of_picture(self.task)) if self.preview else []

    def save_related(self, by: User) -> None:
        """Store what goes with the fields, in the same transaction."""

    def add_error(self, field: Any, error: Any) -> None:
        """Show errors about fields of other sections at the head of this one."""
        errors: dict[str, list[ValidationError]] = getattr(error, "error_dict", {})
        for name in [name for name in errors if name not in self.fields and name != NON_FIELD_ERRORS]:
            errors.setdefault(NON_FIELD_ERRORS, []).extend(errors.pop(name))
        super().add_error(field, error)


class ZonedForm(SectionForm):
    """A section with times, all typed in one zone, which the task remembers."""

    zone = ZoneField()

    def prepare(self) -> None:
        sent = zone_of(self.data.get(self.add_prefix("zone"), "")) if self.is_bound else None
        self.initial["zone"] = self.task.zone
        for _, field in moments_of(self):
            field.set_zone(sent or self.task.zone)

    def questions_of_kind(self) -> Iterator[Question]:
        """Ask whether times are to move of which only the zone was changed."""
        before, after = (zone_called(name) for name in (self.task.zone, self.cleaned_data["zone"]))
        for name, field in moments_of(self):
            was, sent = self.stored(name), self.cleaned_data[name]
            if was and sent and was != sent and _clock(was, before) == _clock(sent, after):
                text = gettext(
                    "%(label)s: only the zone was changed, which moves it from %(was)s to %(now)s. Are you sure?"
                )
                yield name, text % {"label": field.label, "was": utc(was), "now": utc(sent)}

    @property
    def echoes(self) -> list[tuple[str, str]]:
        """Return each time in the fields as it is understood: (label, the time in several zones)."""
        read = self.sent if self.is_bound else self.stored
        moments = [(field.label or "", read(name)) for name, field in moments_of(self)]
        return [
            (str(label), in_several_zones(moment, self.task.zone))
            for label, moment in moments
            if hasattr(moment, "tzinfo")
        ]

    def save_related(self, by: User) -> None:
        Task.objects.filter(pk=self.task.pk).update(zone=self.cleaned_data["zone"])
        raise_revision([self.task.pk])


class MomentForm(ZonedForm):
    """A section with one time, from which on something happens by itself; empty: not by itself."""

    template = "desk/phases/_times.html"
    moment: ClassVar[str]  # name of its field

    @property
    def stored_summary(self) -> str:
        at = self.stored(self.moment)
        return in_zone(at, self.task.zone) if at else gettext("no time set")

    def questions(self) -> Iterator[Question]:
        """Ask about the time if it was changed."""
        if self.moment in self.changed_data:
            at = self.cleaned_data[self.moment]
            yield from implausible({self.moment: at})
            yield from self.questions_about(at)

    def questions_about(self, at: datetime | None) -> Iterable[Question]:
        return ()


def _clock(moment: datetime, zone: tzinfo) -> datetime:
    """Return what clocks show there."""
    return moment.astimezone(zone).replace(tzinfo=None)


def saved(make: Callable[[], SectionForm], *, by: User) -> tuple[SectionForm, bool]:
    """Return the form that was sent, and whether it was saved; `make` reads its row anew each time.

    It is made again only if somebody else has saved meanwhile. Raises KnownFault if that happens each time.
    """
    for _ in range(MOST_TRIES):
        form = make()
        if not form.is_valid():
            return form, False
        with transaction.atomic():
            if not form.changed_data or _save(form, by):
                return form, True
    raise KnownFault(Fault.DATABASE_AWAY, "a section was changed by others each time that it was to be saved")


def _save(form: SectionForm, by: User) -> bool:
    row: Versioned = form.instance
    watched = [name for name in form.changed_data if name in form.watched]
    changes = form.changes
    if watched and not row.save_over(watched):
        return False
    form.save_related(by)
    kind = f"{row._meta.model_name} changed"
    record(form.task, kind, actor=by, subject=_key(row), changes=changes, name=in_english(row))
    return True


def created(form: SectionForm, *, by: Any) -> None:
    """Store the new row of a valid form."""
    with transaction.atomic():
        row = form.save()
        form.save_related(by)
        record(form.task, f"{row._meta.model_name} added", actor=by, subject=_key(row), name=in_english(row))


def in_english(row: Any) -> str:
    """Return the name of the row in English, as the audit trail stores it."""
    with override("en"):
        return str(row)


def _key(row: Any) -> Any:
    return row.pk if hasattr(row.pk, "hex") else None


class Sections:
    """The sections of one page, of which a request may have sent one."""

    def __init__(self, request: HttpRequest, kinds: Sequence[type[SectionForm]], read: Callable[[], Any]) -> None:
        self.sent: SectionForm | None = None
        self.is_saved = False
        kind = next((kind for kind in kinds if kind.key == request.POST.get(SECTION)), None)
        if kind is not None and PREVIEW in request.POST:
            self.sent = kind(request.POST, instance=read())
        elif kind is not None:
            self.sent, self.is_saved = saved(
                lambda: kind(request.POST, request.FILES, instance=read()),
                by=request.user,  # type: ignore[arg-type]
            )
        self._kinds, self._read, self._opened = kinds, read, request.GET.get("open", "")

    @property
    def forms(self) -> Iterable[SectionForm]:
        row = self._read()
        return [self.sent if self.sent and kind.key == self.sent.key else kind(instance=row) for kind in self._kinds]

    @property
    def open_key(self) -> str:
        """Return the key of the section that stands open."""
        return self.sent.key if self.sent else self._opened

    @property
    def status(self) -> int:
        return 422 if self.sent and self.sent.errors else 200
