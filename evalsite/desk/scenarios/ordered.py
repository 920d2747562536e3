"""A form field for an ordered choice: a box to tick for each key, and beside it its position."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

_LAST = 10_000  # the position of a key without one


@dataclass(frozen=True)
class Ticked:
    """A ticked key, with its position as it was typed."""

    key: str
    position: str


class OrderedChoices(forms.Widget):
    template_name = "desk/scenarios/widgets/ordered.html"
    use_fieldset = True

    def __init__(self, titles: Mapping[str, str], usual: Collection[str]) -> None:
        super().__init__()
        self.titles = titles
        self.usual = usual

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Ticked]:
        ticked = [key for key in self.titles if data.get(f"{name}-{key}")]
        return [Ticked(key, data.get(f"{name}-{key}-place", "")) for key in ticked]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False

    def as_sent(self, name: str, keys: Iterable[str]) -> dict[str, str]:
        """Return what a browser would send for these."""
        values: dict[str, str] = {}
        for position, key in enumerate(keys, start=1):
            values |= {f"{name}-{key}": "on", f"{name}-{key}-place": str(position)}
        return values

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Show the keys that are ticked or usual in their order, and fold the others."""
        positions = _positions(value or [])
        shown = [*positions, *(key for key in self.titles if key in self.usual and key not in positions)]
        choices = [_choice(key, self.titles[key], positions) for key in shown]
        others = [_choice(key, title, positions) for key, title in self.titles.items() if key not in shown]
        return super().get_context(name, value, attrs) | {"choices": choices, "others": others}


class OrderedField(forms.Field):
    """Keys in the order of their positions; equal positions keep the order of the page."""

    def __init__(self, titles: Mapping[str, str], usual: Collection[str], **kwargs: Any) -> None:
        super().__init__(widget=OrderedChoices(titles, usual), required=False, **kwargs)

    def clean(self, value: Iterable[Ticked | str]) -> list[str]:
        sent = [
            (_position(choice.position), choice.key) if isinstance(choice, Ticked) else (_LAST, choice)
            for choice in value
        ]
        return [key for _, key in sorted(sent, key=lambda pair: pair[0])]

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data or []) != (initial or []))
        except ValidationError:
            return True


def _position(text: str) -> int:
    text = text.strip()
    if not text:
        return _LAST
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValidationError(gettext("“%(text)s” is not a position: enter a number.") % {"text": text})
    return int(text)


def _positions(value: Iterable[Ticked | str]) -> dict[str, str]:
    """Return {key: its position}, as typed if it was sent."""
    return {
        choice.key if isinstance(choice, Ticked) else choice: choice.position
        if isinstance(choice, Ticked)
        else str(number)
        for number, choice in enumerate(value, start=1)
    }


def _choice(key: str, title: str, positions: Mapping[str, str]) -> dict[str, Any]:
    return {"key": key, "title": title, "is_ticked": key in positions, "place": positions.get(key, "")}
