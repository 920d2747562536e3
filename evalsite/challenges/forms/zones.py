"""Times that organisers type in a time zone: UTC, anywhere on Earth, or a zone with a name. UTC is stored."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.forms.utils import flatatt
from django.utils.dateformat import format as formatted
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, pgettext

from evalsite.wording import utc

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


def zone_choices() -> list[tuple[Any, Any]]:
    """Return UTC and anywhere on Earth, then the zones by region."""
    regions = groupby(sorted(_names()), key=lambda name: name.partition("/")[0])
    return [
        ("UTC", "UTC"),
        (ANYWHERE, gettext_lazy("AoE: anywhere on Earth (UTC−12)")),
        *((region, [(name, name.replace("_", " ")) for name in names]) for region, names in regions),
    ]


class ZoneSelect(forms.Select):
    """Its options are made into HTML once: Django would render a template for each of some four hundred."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = format_html('value="{}"', value or "UTC")
        options = SafeString(_options(get_language()).replace(chosen, f"{chosen} selected", 1))
        own = flatatt(self.build_attrs(self.attrs, {**(attrs or {}), "name": name}))
        return format_html("<select{}>{}</select>", own, options)


@cache
def _options(language: str | None) -> SafeString:
    """Render the choices in the active language, which is `language`."""
    return format_html_join("", "{}", ((_option(value, words),) for value, words in zone_choices()))


def _option(value: Any, words: Any) -> SafeString:
    if isinstance(words, list):
        inside = format_html_join("", "{}", ((_option(*each),) for each in words))
        return format_html('<optgroup label="{}">{}</optgroup>', value, inside)
    return format_html('<option value="{}">{}</option>', value, words)


def in_zone(moment: datetime, zone: str) -> str:
    """Return the time in this zone, such as 11 Dec 2026, 23:59 AoE."""
    local = moment.astimezone(zone_called(zone))
    # Translators: letters of Django's date filter; "M" is Dec, "b" is dec.
    pattern = pgettext("date and time", "j M Y, H:i:s") if local.second else pgettext("date and time", "j M Y, H:i")
    return f"{formatted(local, pattern)} {zone.replace('_', ' ')}"


def in_several_zones(moment: datetime, zone: str) -> SafeString:
    """Return the time in UTC, to which times.js adds the reader's own, anywhere on Earth, and in the task's zone."""
    others = [each for each in dict.fromkeys((ANYWHERE, zone)) if each != "UTC"]
    return format_html(
        '<time datetime="{}" data-local>{}</time> · {}',
        moment.isoformat(),
        utc(moment),
        " · ".join(in_zone(moment, each) for each in others),
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
        said = gettext("In %(zone)s the clocks skip this time. Enter it in UTC.")
        raise forms.ValidationError(said % {"zone": name})
    if zoned.utcoffset() != zoned.replace(fold=1).utcoffset():
        said = gettext("In %(zone)s the clocks show this time twice. Enter it in UTC.")
        raise forms.ValidationError(said % {"zone": name})
    return moment


def moments_of(form: forms.BaseForm) -> Iterable[tuple[str, MomentField]]:
    return [(name, field) for name, field in form.fields.items() if isinstance(field, MomentField)]
