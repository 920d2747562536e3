"""The window of a limit, chosen in words: an hour, a day, a week, or a number of hours."""

from datetime import timedelta
from typing import Any

from django import forms

HOURS = "hours"
LENGTHS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
CHOICES = [("hour", "an hour"), ("day", "a day"), ("week", "a week"), (HOURS, "a number of hours:")]
SHORTEST, LONGEST = 0.25, 24 * 366  # hours


class WindowWidget(forms.MultiWidget):
    """A choice, and beside it the number that one of the choices asks for."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        number = forms.NumberInput({"min": SHORTEST, "max": LONGEST, "step": "any", "aria-label": "Number of hours"})
        super().__init__([forms.Select({"aria-label": "Window"}, CHOICES), number], attrs)

    def decompress(self, value: timedelta | None) -> list[Any]:
        if value is None:
            return ["day", None]
        for name, length in LENGTHS.items():
            if value == length:
                return [name, None]
        hours = value / timedelta(hours=1)
        return [HOURS, int(hours) if hours.is_integer() else round(hours, 4)]


class WindowField(forms.MultiValueField):
    widget = WindowWidget

    def __init__(self, **kwargs: Any) -> None:
        number = forms.FloatField(
            min_value=SHORTEST,
            max_value=LONGEST,
            required=False,
            error_messages={
                "min_value": "A window lasts a quarter of an hour (0.25) at least.",
                "max_value": "A window lasts a year (8784 hours) at most. For longer, limit the uploads in total.",
                "invalid": "The number of hours is not a number.",
            },
        )
        super().__init__(fields=(forms.ChoiceField(choices=CHOICES), number), require_all_fields=False, **kwargs)

    def compress(self, data_list: list[Any]) -> timedelta | None:
        if not data_list:
            return None
        choice, hours = data_list
        if choice == HOURS:
            if hours is None:
                raise forms.ValidationError("Say how many hours.")
            return timedelta(seconds=round(hours * 3600))
        if hours is not None:
            raise forms.ValidationError("For a number of hours choose “a number of hours”; else leave it empty.")
        return LENGTHS[choice]
