"""Forms that change what a colleague may have changed meanwhile, or what is rarely meant.

Each form of an object carries a digest of every value that its page showed. When it comes back, values that have been
changed since then are a conflict, unless both say the same: nothing is saved, and the page shows both values. What was
not touched on the old page then shows the colleague's value; for the rest one chooses, or goes on typing.

What is allowed but rarely meant, such as a deadline in the past, is asked back once: `questions` gives what to ask,
and the person saves it all the same by a tick that names these very questions.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db.models import Model
from django.utils.translation import gettext

from evalsite.base.fields import LONGEST_TEXT
from evalsite.challenges.audit_trail import as_text
from evalsite.challenges.models import Changes, Event
from evalsite.wording import duration, utc

THEIRS = "theirs"
_NO_VALUE = object()
_DIGITS = 12  # of the digest of a value: enough to tell one from another


@dataclass(frozen=True)
class Conflict:
    """A field that was changed since the page was opened, as plain text."""

    label: str
    theirs: str  # as stored now
    own: str  # as sent
    choice: str = ""  # name of the input by which one takes theirs; empty where the form shows theirs already


@dataclass(frozen=True)
class Trouble:
    """The reason why a form was not saved, for the head of the page."""

    title: str  # of the object
    who: str  # has changed it last, and when; empty where that is not known
    conflicts: list[Conflict]
    questions: list[str]
    sure_name: str  # name of the checkbox that saves it all the same
    sure_value: str


class CarefulForm(forms.ModelForm):
    """A form that saves only over what its page has shown, and asks back."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "description" in self.fields:
            self.fields["description"].validators.append(MaxLengthValidator(LONGEST_TEXT))
        self.conflicts: list[Conflict] = []
        self.asked: list[str] = []
        self.prepare()
        if self.is_new:
            return
        self.initial["seen"] = self._fresh = json.dumps(
            {name: _digest(as_text(self.stored(name))) for name in self.watched}, separators=(",", ":")
        )
        if self.is_bound:
            self._take_theirs()

    def prepare(self) -> None:
        """Prepare fields before a value is read, such as the zone of a time; a hook for fields that depend on the
        object.
        """

    @property
    def is_new(self) -> bool:
        return self.instance._state.adding

    @property
    def watched(self) -> list[str]:
        """Return the names of the fields that a person may change."""
        named = {name: self.fields[name] for name in self._meta.fields or () if name in self.fields and name != "seen"}
        return [name for name, field in named.items() if not field.disabled]

    def stored(self, name: str) -> Any:
        return self.get_initial_for_field(self.fields[name], name)

    def sent(self, name: str) -> Any:
        """Return the value that was sent for the field; _NO_VALUE if it is invalid."""
        field, bound = self.fields[name], self[name]
        try:
            file_of_before = (bound.initial,) if isinstance(field, forms.FileField) else ()
            return field.clean(bound.data, *file_of_before)
        except ValidationError:
            return _NO_VALUE

    @cached_property
    def changed_data(self) -> list[str]:
        """Return the fields whose values differ; Django also names disabled ones, and texts that differ in line ends
        alone.
        """
        names = [name for name in super().changed_data if name != "seen" and not self.fields[name].disabled]
        if self.is_new:
            return names
        return [name for name in names if name not in self.watched or self._differs(name)]

    @property
    def changes(self) -> Changes:
        """Return old and new values of the changed fields; to be asked after saving."""
        return {name: (as_text(self.stored(name)), as_text(self.sent(name))) for name in self.changed_data}

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.is_new:
            self._refuse_old_page()
        if not self.errors:
            self._ask_back()
        return cleaned

    def questions(self) -> Iterable[tuple[str | None, str]]:
        """Return (field, or None for the whole form; the question) for what was entered; asked if nothing else is
        wrong.
        """
        return ()

    def questions_of_kind(self) -> Iterable[tuple[str | None, str]]:
        """Return questions that all forms of one kind ask."""
        return ()

    @property
    def trouble(self) -> Trouble | None:
        if not self.conflicts and not self.asked:
            return None
        is_new = self.is_new or not str(self.instance)
        return Trouble(
            title="" if is_new else str(self.instance),
            who=_last_change(self.instance) if self.conflicts else "",
            conflicts=self.conflicts,
            questions=self.asked,
            sure_name=self.add_prefix("sure"),
            sure_value=_digest("\n".join(self.asked)),
        )

    def as_shown(self, name: str, value: Any) -> str:
        """Return the field's value for people."""
        return as_shown(value)

    def _differs(self, name: str) -> bool:
        return as_text(self.stored(name)) != as_text(self.sent(name))

    def _refuse_old_page(self) -> None:
        shown = _parsed(self.data.get(self.add_prefix("seen"), ""))
        stale = [name for name in self.watched if shown.get(name) != _digest(as_text(self.stored(name)))]
        self.conflicts = [self._conflict(name, was=shown.get(name, "")) for name in stale if self._differs(name)]
        if self.conflicts:
            self._put(**{self.add_prefix("seen"): self._fresh})
            error = gettext("This was changed while you had the page open. Both values are shown at the top of it.")
            self.add_error(None, error)

    def _conflict(self, name: str, *, was: str) -> Conflict:
        label, stored, sent = str(self[name].label), self.as_shown(name, self.stored(name)), self.sent(name)
        if sent is not _NO_VALUE and _digest(as_text(sent)) == was:  # not touched on the old page
            self._put_stored(name)
            return Conflict(label, stored, self.as_shown(name, sent))
        typed = str(self[name].data) if sent is _NO_VALUE else self.as_shown(name, sent)
        return Conflict(label, stored, typed, choice=self.add_prefix(f"take-{name}"))

    def _take_theirs(self) -> None:
        """Apply the choices of the page that showed both values."""
        for name in self.watched:
            if self.data.get(self.add_prefix(f"take-{name}")) == THEIRS:
                self._put_stored(name)

    def _put_stored(self, name: str) -> None:
        """Replace what was sent for the field by what is stored."""
        field, html_name = self.fields[name], self.add_prefix(name)
        value, widget = self.stored(name), field.widget
        if isinstance(widget, forms.FileInput):
            self.files = self.files.copy()
            self.files.pop(html_name, None)
        elif isinstance(widget, forms.CheckboxInput):
            self._put(**{html_name: "on" if value else None})
        elif hasattr(widget, "as_sent"):  # several inputs, whose number is not known before
            self._put(**{key: None for key in self.data if key.startswith(f"{html_name}-")})
            self._put(**widget.as_sent(html_name, value))
        elif isinstance(widget, forms.MultiWidget):
            parts = zip(widget.widgets_names, widget.widgets, widget.decompress(value), strict=True)
            self._put(**{html_name + end: _as_sent(part, value) for end, part, value in parts})
        else:
            self._put(**{html_name: _as_sent(widget, field.prepare_value(value))})

    def _put(self, **values: str | None) -> None:
        self.data = self.data.copy()
        for name, value in values.items():
            self.data.pop(name, None)
            if value is not None:
                self.data[name] = value

    def _ask_back(self) -> None:
        asked = [*self.questions_of_kind(), *self.questions()]
        texts = [text for _, text in asked]
        if texts and self.data.get(self.add_prefix("sure")) != _digest("\n".join(texts)):
            self.asked = texts
            for field, text in asked:
                self.add_error(field, text)


def as_shown(value: Any) -> str:
    """Return a field's value for people."""
    if isinstance(value, datetime):
        return utc(value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return duration(value) if isinstance(value, timedelta) else as_text(value)


def _as_sent(widget: forms.Widget, value: Any) -> str | None:
    """Return the value as a browser would send it."""
    shown = widget.format_value(value)
    if isinstance(shown, list | tuple):
        shown = next(iter(shown), None)
    return None if shown is None else str(shown)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _parsed(text: str) -> Mapping[str, str]:
    """Return the digests that a page has sent; none if they are missing or broken, so that every difference counts."""
    try:
        parsed = json.loads(text)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _last_change(instance: Model) -> str:
    event = Event.objects.filter(subject=instance.pk, kind__endswith="changed").select_related("actor").first()
    if event is None or event.actor is None:
        return ""
    return f"{event.actor}, {utc(event.created)}"
