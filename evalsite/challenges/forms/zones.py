"""Times that organisers type in a time zone: UTC, anywhere on Earth, or a zone with a name. UTC is stored."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.dateformat import format as formatted
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, pgettext

from evalsite.wording import utc

_LONGEST = 60  # characters that are typed for a zone
ANYWHERE = "AoE"  # a day has ended there once it has ended everywhere
_ANYWHERE = timezone(timedelta(hours=-12), ANYWHERE)
_REGIONS = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


def zone_called(name: str) -> tzinfo:
    if name == ANYWHERE:
        return _ANYWHERE
    return ZoneInfo(name) if name in _names() else UTC


def is_zone(name: str) -> bool:
    """Return whether organisers can choose the zone."""
    return name in (ANYWHERE, "UTC") or name in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if name.partition("/")[0] in _REGIONS)


def zone_of(text: str) -> str | None:
    """Return the zone that somebody typed: its name in any spelling, or its city; None where there is no such zone."""
    return _by_spelling().get(_spelling(text))


@cache
def _by_spelling() -> dict[str, str]:
    """Return the zones by what may be typed: their names, and the cities of which there is one."""
    n_zones = Counter(_city(name) for name in _names())
    by_city = {_city(name): name for name in _names() if n_zones[_city(name)] == 1}
    by_name = {name: name for name in ("UTC", ANYWHERE, *_names())}
    return {_spelling(text): name for text, name in (by_city | by_name).items()}


def _city(name: str) -> str:
    return name.rpartition("/")[2]


def _spelling(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


class ZoneInput(forms.TextInput):
    """One line that browsers complete from the list of zones; without a list it is typed."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        list_id = f"{(attrs or {}).get('id', name)}-zones"
        field = super().render(name, value, {**(attrs or {}), "list": list_id}, renderer)
        return format_html('{}<datalist id="{}">{}</datalist>', field, list_id, _options(get_language()))


@cache
def _options(language: str | None) -> SafeString:
    """Render the zones in the active language, which is `language`: UTC and anywhere on Earth, then by region."""
    anywhere = gettext("anywhere on Earth (UTC−12)")
    options = [("UTC", ""), (ANYWHERE, anywhere), *((name.replace("_", " "), "") for name in sorted(_names()))]
    return format_html_join("", '<option value="{}">{}</option>', options)


class ZoneField(forms.CharField):
    """A zone by its name or its city."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Time zone"),
            max_length=_LONGEST,
            widget=ZoneInput({"autocomplete": "off", "spellcheck": "false"}),
            help_text=gettext_lazy(
                "A city such as Madrid, or UTC, or AoE (anywhere on Earth). The times below are in this zone."
            ),
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        return value.replace("_", " ") if isinstance(value, str) else value

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        if not text:
            return ""
        if (zone := zone_of(text)) is None:
            problem = gettext("There is no time zone “%(zone)s”. Type a city, such as Madrid, or UTC.")
            raise forms.ValidationError(problem % {"zone": text[:_LONGEST]})
        return zone


def in_zone(moment: datetime, zone: str) -> str:
    """Return the time in this zone, such as 11 Dec 2026, 23:59 AoE."""
    local = moment.astimezone(zone_called(zone))
    # Translators: letters of Django's date filter; "M" is Dec, "b" is dec.
    pattern = pgettext("date and time", "j M Y, H:i:s") if local.second else pgettext("date and time", "j M Y, H:i")
    return f"{formatted(local, pattern)} {zone.replace('_', ' ')}"


def in_several_zones(moment: datetime, zone: str) -> SafeString:
    """Return the time in UTC, to which times.js adds the reader's own, anywhere on Earth, and in the task's zone."""
    others = [other for other in dict.fromkeys((ANYWHERE, zone)) if other != "UTC"]
    return format_html(
        '<time datetime="{}" data-local>{}</time> · {}',
        moment.isoformat(),
        utc(moment),
        " · ".join(in_zone(moment, other) for other in others),
    )


class MomentWidget(forms.MultiWidget):
    """A date and a time of day, in the zone that its form has set."""

    supports_microseconds = False
    zone = "UTC"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        day = forms.DateInput({"type": "date", "aria-label": gettext_lazy("Date")}, format="%Y-%m-%d")
        clock = forms.TimeInput({"type": "time", "step": "1", "aria-label": gettext_lazy("Time of day")}, "%H:%M:%S")
        super().__init__([day, clock], attrs)

    def decompress(self, value: datetime | None) -> list[Any]:
        if value is None:
            return [None, None]
        local = value.astimezone(zone_called(self.zone))
        return [local.date(), local.time().replace(microsecond=0)]


class MomentField(forms.MultiValueField):
    widget = MomentWidget

    def __init__(self, **kwargs: Any) -> None:
        errors = {"incomplete": gettext_lazy("Enter the date and the time of day.")}
        parts = (forms.DateField(error_messages=errors), forms.TimeField(error_messages=errors))
        kwargs.setdefault("error_messages", errors)
        super().__init__(fields=parts, **kwargs)

    def set_zone(self, name: str) -> None:
        self.widget.zone = name

    def compress(self, data_list: list[Any]) -> datetime | None:
        """Return the time in UTC; times that the clocks of the zone skip, or show twice, are refused."""
        if not data_list:
            return None
        day, clock = data_list
        return _moment(day, clock, self.widget.zone)


def _moment(day: date, clock: time, name: str) -> datetime:
    local = datetime.combine(day, clock)
    zoned = local.replace(tzinfo=zone_called(name))
    try:
        moment = zoned.astimezone(UTC)
        is_skipped = moment.astimezone(zoned.tzinfo).replace(tzinfo=None) != local
    except OverflowError:
        raise forms.ValidationError(gettext("This year is out of range.")) from None
    if is_skipped:
        problem = gettext("In %(zone)s the clocks skip this time. Enter it in UTC.")
        raise forms.ValidationError(problem % {"zone": name})
    if zoned.utcoffset() != zoned.replace(fold=1).utcoffset():
        problem = gettext("In %(zone)s the clocks show this time twice. Enter it in UTC.")
        raise forms.ValidationError(problem % {"zone": name})
    return moment


def moments_of(form: forms.BaseForm) -> Iterable[tuple[str, MomentField]]:
    return [(name, field) for name, field in form.fields.items() if isinstance(field, MomentField)]
