"""Form fields that organisers define themselves, and the field in which they define them."""

import secrets
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from evalsite.accounts.names import cleaned
from evalsite.challenges.taking_part.countries import countries
from evalsite.challenges.taking_part.own_fields import (
    LARGEST_NUMBER,
    LONGEST_ANSWER,
    LONGEST_QUESTION,
    MAX_FIELDS,
    MOST_CHOICES,
    Kind,
    OwnField,
    as_row,
)


def form_field(question: OwnField) -> forms.Field:
    """Return the field in which an answer is given."""
    arguments: dict[str, Any] = {"label": question.text, "required": question.is_required}
    if question.kind == Kind.TEXT:
        return forms.CharField(max_length=LONGEST_ANSWER, **arguments)
    if question.kind == Kind.NUMBER:
        return NumberField(**arguments)
    if question.kind == Kind.YES_NO:
        choices = [("yes", gettext("yes")), ("no", gettext("no"))]
        return forms.TypedChoiceField(
            choices=[("", "—"), *choices], coerce=lambda text: text == "yes", empty_value=None, **arguments
        )
    named = countries().items() if question.kind == Kind.COUNTRY else [(choice, choice) for choice in question.choices]
    return forms.ChoiceField(choices=[("", "—"), *named], **arguments)


class NumberField(forms.FloatField):
    """A number, which is stored as an integer where it is whole."""

    def __init__(self, **kwargs: Any) -> None:
        example = gettext("A number, such as 1300000000 or 0.25.")
        super().__init__(min_value=-LARGEST_NUMBER, max_value=LARGEST_NUMBER, help_text=example, **kwargs)

    def clean(self, value: Any) -> float | int | None:
        number: float | None = super().clean(value)
        return int(number) if number is not None and number.is_integer() else number


def add_own_fields(form: forms.BaseForm, fields: Iterable[OwnField], answers: dict[str, Any]) -> None:
    """Add the fields to a form, filled with the answers so far."""
    for question in fields:
        field = form.fields[name_of(question)] = form_field(question)
        stored = answers.get(question.key)
        field.initial = "yes" if stored is True else "no" if stored is False else stored


def answers_of(form: forms.BaseForm, fields: Iterable[OwnField]) -> dict[str, Any]:
    """Return what was answered, by key, of a valid form."""
    return {question.key: form.cleaned_data[name_of(question)] for question in fields}  # type: ignore[attr-defined]


def name_of(question: OwnField) -> str:
    """Return the name of the field in a form."""
    return f"own-{question.key}"


class OwnFieldsWidget(forms.Widget):
    """Lines to fill in, one for each field; an emptied line removes its field."""

    template_name = "challenges/widgets/own_fields.html"
    use_fieldset = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[dict[str, str]]:
        parts = ("key", "text", "kind", "choices", "is_required")
        return [{part: data.get(f"{name}-{number}-{part}", "") for part in parts} for number in range(MAX_FIELDS)]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-0-text" not in data

    def as_sent(self, name: str, rows: list[dict[str, Any]]) -> dict[str, str]:
        """Return what a browser would send for these rows."""
        lines = enumerate(map(_as_line, rows))
        return {f"{name}-{number}-{part}": value for number, line in lines for part, value in line.items() if value}

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        lines = [_as_line(row) for row in value or []]
        lines += [_as_line({}) for _ in range(MAX_FIELDS - len(lines))]
        for number, line in enumerate(lines):
            line["prefix"] = f"{name}-{number}"
        n_filled = sum(bool(line["text"]) for line in lines)
        shown = {"lines": lines, "kinds": Kind.choices, "n_shown": n_filled + 1, "longest": LONGEST_QUESTION}
        return super().get_context(name, value, attrs) | shown


class OwnFieldsField(forms.Field):
    """Up to eight fields, stored as rows of evalsite.challenges.taking_part.own_fields."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=OwnFieldsWidget(), required=False, **kwargs)

    def clean(self, value: Any) -> list[dict[str, Any]]:
        problems: list[str] = []
        filled = [(number, line) for number, line in enumerate(value or [], start=1) if line["text"].strip()]
        rows = [as_row(self._cleaned(number, line, problems)) for number, line in filled]
        texts = [row["text"].casefold() for row in rows]
        if len(set(texts)) < len(texts):
            problems.append(gettext("Two of them have the same text."))
        if len({row["key"] for row in rows}) < len(rows):
            problems.append(gettext("Reload the page: two of them have the same key."))
        if problems:
            raise ValidationError(problems)
        return rows

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != (initial or []))
        except ValidationError:
            return True

    def _cleaned(self, number: int, line: dict[str, Any], problems: list[str]) -> OwnField:
        line = _as_line(line)
        kind = line["kind"] if line["kind"] in Kind.values else Kind.TEXT
        choices = tuple(dict.fromkeys(filter(None, (choice.strip() for choice in line["choices"].splitlines()))))
        text = cleaned(line["text"][: LONGEST_QUESTION + 1])
        if len(text) > LONGEST_QUESTION:
            problems.append(self._problem(number, gettext("use at most %(n)d characters.") % {"n": LONGEST_QUESTION}))
        if kind == Kind.CHOICE and not 2 <= len(choices) <= MOST_CHOICES:
            words = gettext("write 2 to %(n)d answers to choose from, one on a line.")
            problems.append(self._problem(number, words % {"n": MOST_CHOICES}))
        if any(len(choice) > LONGEST_QUESTION for choice in choices):
            words = gettext("an answer has more than %(n)d characters.")
            problems.append(self._problem(number, words % {"n": LONGEST_QUESTION}))
        key = line["key"] if line["key"].isalnum() and len(line["key"]) < 20 else secrets.token_hex(4)
        return OwnField(key, text, kind, choices if kind == Kind.CHOICE else (), bool(line["is_required"]))

    def _problem(self, number: int, words: str) -> str:
        return gettext("Number %(number)d: %(problem)s") % {"number": number, "problem": words}


def _as_line(row: dict[str, Any]) -> dict[str, str]:
    """Return the parts of a row, or of a line that was sent, as a browser sends them."""
    choices = row.get("choices", "")
    return {
        "key": str(row.get("key", "")),
        "text": str(row.get("text", "")),
        "kind": str(row.get("kind") or Kind.TEXT),
        "choices": choices if isinstance(choices, str) else "\n".join(choices),
        "is_required": "on" if row.get("is_required") else "",
    }
