"""Form fields for lists: texts one on a line, and records one in a row, to which rows are added without a script.

A row has a kind, and a field for each argument of its kind. The last line chooses the kind of a further row: it is
there when the form comes back, whether it was to be saved or only to get the row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from evalsite.translating.engine import from_engine
from scoring.family import Option, RowKind

MOST_ROWS = 40
MOST_CHARACTERS = 20_000
Fields = Mapping[str, Mapping[str, forms.Field]]  # {kind: {argument: its field}}


def lines(text: str) -> list[str]:
    """Return the distinct lines of a text, without blanks around them and without empty ones."""
    stripped = dict.fromkeys(line.strip() for line in text.splitlines())
    return [line for line in stripped if line]


class LinesField(forms.CharField):
    """A list of texts, one on a line; each once."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_CHARACTERS, widget=forms.Textarea({"rows": rows}), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        if isinstance(value, list):
            return value
        return lines(str(super().to_python(value)))

    def run_validators(self, value: Any) -> None:
        super().run_validators("\n".join(value))


@dataclass(frozen=True)
class SentRow:
    """A row as a browser has sent it, not validated yet."""

    kind: RowKind
    values: Mapping[str, Any]


class RowsWidget(forms.Widget):
    template_name = "desk/scenarios/widgets/rows.html"
    use_fieldset = True

    def __init__(self, option: Option, fields: Fields) -> None:
        super().__init__()
        self.kinds = {kind.name: kind for kind in option.kinds}
        self.fields = fields

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[SentRow]:
        rows = [self._sent(data, files, f"{name}-{number}") for number in range(_count(data.get(f"{name}-count")))]
        if new := self.kinds.get(data.get(f"{name}-new", "")):
            fields = self.fields[new.name].items()
            rows.append(SentRow(new, {key: field.prepare_value(field.initial) for key, field in fields}))
        return [row for row in rows if row]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-count" not in data

    def as_sent(self, name: str, rows: list[dict[str, Any]]) -> dict[str, str]:
        """Return what a browser would send for these rows."""
        sent = {f"{name}-count": str(len(rows))}
        for number, row in enumerate(rows):
            sent[f"{name}-{number}-name"] = row["name"]
            for key, field in self.fields[row["name"]].items():
                value = field.prepare_value(row[key])
                if not isinstance(field, forms.BooleanField):
                    sent[f"{name}-{number}-{key}"] = "" if value is None else str(value)
                elif value:
                    sent[f"{name}-{number}-{key}"] = "on"
        return sent

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows = [self._row(row, f"{name}-{number}") for number, row in enumerate(value or [])]
        kinds = [(kind.name, from_engine(kind.title)) for kind in self.kinds.values()]
        return context | {"rows": rows, "kinds": kinds}

    def _sent(self, data: Any, files: Any, prefix: str) -> SentRow | None:
        kind = self.kinds.get(data.get(f"{prefix}-name", ""))
        if kind is None or data.get(f"{prefix}-remove"):
            return None
        fields = self.fields[kind.name].items()
        values = {key: field.widget.value_from_datadict(data, files, f"{prefix}-{key}") for key, field in fields}
        return SentRow(kind, values)

    def _row(self, row: SentRow | Mapping[str, Any], prefix: str) -> dict[str, Any]:
        kind = row.kind if isinstance(row, SentRow) else self.kinds[row["name"]]
        values = row.values if isinstance(row, SentRow) else row
        inputs = [_input(field, values[key], f"{prefix}-{key}") for key, field in self.fields[kind.name].items()]
        return {"prefix": prefix, "kind": kind.name, "title": from_engine(kind.title), "inputs": inputs}


class RowsField(forms.Field):
    """A list of records, each with all arguments of its kind."""

    def __init__(self, option: Option, fields: Fields, **kwargs: Any) -> None:
        super().__init__(widget=RowsWidget(option, fields), **kwargs)
        self.fields = fields

    def clean(self, value: Any) -> list[dict[str, Any]]:
        problems: list[str] = []
        rows = [self._cleaned(number, row, problems) for number, row in enumerate(value or [], start=1)]
        if problems:
            raise ValidationError(problems)
        return rows

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != (initial or []))
        except ValidationError:
            return True

    def _cleaned(self, number: int, row: SentRow, problems: list[str]) -> dict[str, Any]:
        cleaned: dict[str, Any] = {"name": row.kind.name}
        for key, field in self.fields[row.kind.name].items():
            try:
                cleaned[key] = field.clean(row.values[key])
            except ValidationError as error:
                text = gettext("Row %(number)s, %(label)s: %(problem)s")
                values = {"number": number, "label": field.label}
                problems += [text % (values | {"problem": message}) for message in error.messages]
        return cleaned


def _count(text: Any) -> int:
    is_number = isinstance(text, str) and len(text) < 5 and text.isascii() and text.isdecimal()
    return min(int(text), MOST_ROWS) if is_number else 0


def _input(field: forms.Field, value: Any, name: str) -> dict[str, Any]:
    text = field.prepare_value(value)
    is_checkbox = isinstance(field.widget, forms.CheckboxInput)
    kind = "" if is_checkbox else "form-select" if isinstance(field.widget, forms.Select) else "form-control"
    attrs = {"id": f"id_{name}", "aria-describedby": f"id_{name}_help"} | ({"class": kind} if kind else {})
    html = field.widget.render(name, text, attrs)
    return {"name": name, "field": field, "html": html, "is_checkbox": is_checkbox}
