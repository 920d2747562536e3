"""The window of a limit, chosen in words: an hour, a day, a week, or a number of hours."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

HOURS = "hours"
LENGTHS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
CHOICES = [
    ("hour", pgettext_lazy("window of a limit", "an hour")),
    ("day", pgettext_lazy("window of a limit", "a day")),
    ("week", pgettext_lazy("window of a limit", "a week")),
    (HOURS, pgettext_lazy("window of a limit", "a number of hours:")),
]
SHORTEST, LONGEST = 0.25, 24 * 366  # hours


class WindowWidget(forms.MultiWidget):
    """A choice, and beside it the number that one of the choices asks for."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        hours = {"min": SHORTEST, "max": LONGEST, "step": "any", "aria-label": gettext_lazy("Number of hours")}
        choice = forms.Select({"aria-label": gettext_lazy("Window")}, CHOICES)
        super().__init__([choice, forms.NumberInput(hours)], attrs)

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
                "min_value": gettext_lazy("A window is at least a quarter of an hour (0.25)."),
                "max_value": gettext_lazy(
                    "A window is at most a year (8784 hours). For longer, limit the uploads in total."
                ),
                "invalid": gettext_lazy("The number of hours is not a number."),
            },
        )
        super().__init__(fields=(forms.ChoiceField(choices=CHOICES), number), require_all_fields=False, **kwargs)

    def compress(self, data_list: list[Any]) -> timedelta | None:
        if not data_list:
            return None
        choice, hours = data_list
        if choice == HOURS:
            if hours is None:
                raise forms.ValidationError(gettext("Enter the number of hours."))
            return timedelta(seconds=round(hours * 3600))
        if hours is not None:
            raise forms.ValidationError(
                gettext("To give a number of hours choose “a number of hours”; otherwise leave this empty.")
            )
        return LENGTHS[choice]
