"""How the site writes numbers, times, Markdown and the controls of forms."""

from datetime import UTC, datetime, timedelta

from django import template
from django.conf import settings
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from evalsite.challenges import markdown as markdown_

register = template.Library()

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"


@register.simple_tag
def site_name() -> str:
    """From the settings, so that error pages made without a request have it too."""
    return str(settings.SITE_NAME)


@register.filter
def score(value: float | None, digits: int = 3) -> str:
    """0.639, with a true minus; an en dash where there is no value."""
    if value is None:
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if float(text) else text.lstrip("-")


@register.filter
def signed(value: float | None, digits: int = 3) -> str:
    """+0.017 or −0.017, with a true minus; 0.000 without a sign."""
    text = score(value, digits)
    return f"+{text}" if value is not None and value > 0 and float(f"{value:.{digits}f}") else text


@register.filter
def interval(value: tuple[float, float] | list[float] | None) -> str:
    """[0.590, 0.653]"""
    if not value or None in value:
        return "(no interval)"
    low, high = value
    return f"[{score(low)}, {score(high)}]"


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(markdown_.render(text))  # noqa: S308 - sanitised there


@register.filter
def option_value(value: object) -> str:
    """An option as the command line takes it: labels with commas between them, true and false in small letters."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@register.filter
def utc(time: datetime | None) -> str:
    """12 Dec 2026, 23:59 UTC; with seconds where they aren't zero."""
    if time is None:
        return NOTHING
    time = time.astimezone(UTC)
    seconds = ":%S" if time.second else ""
    return f"{time.day} {time:%b %Y, %H:%M{seconds}} UTC"


@register.filter
def relative(time: datetime | None) -> str:
    """In 3 days; 5 hours ago. Cut, not rounded, so that a deadline never seems later than it is."""
    if time is None:
        return NOTHING
    distance = time - timezone.now()
    words = _duration(abs(distance))
    return f"in {words}" if distance > timedelta(0) else f"{words} ago"


def _duration(distance: timedelta) -> str:
    """The largest unit of which there are two at least: 47 hours rather than 1 day."""
    minutes = int(distance.total_seconds() // 60)
    for unit, length in (("year", 525_600), ("month", 43_200), ("day", 1440), ("hour", 60)):
        if minutes >= 2 * length:
            return f"{minutes // length} {unit}s"
    if minutes < 1:
        return "less than a minute"
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


@register.filter
def duration(length: timedelta) -> str:
    """A rolling window in words: day, week, 36 hours."""
    if length == timedelta(days=1):
        return "day"
    return "week" if length == timedelta(days=7) else _duration(length)


@register.filter
def control(field: BoundField) -> SafeString:
    """The field's widget with Bootstrap's class of its kind; the widget's own classes stay."""
    widget = field.field.widget
    if isinstance(widget, CheckboxInput):
        return field.as_widget()
    own = widget.attrs.get("class", "")
    kind = "form-select" if isinstance(widget, Select) else "form-control"
    return field.as_widget(attrs={"class": f"{kind} {own}".strip()})


@register.filter
def is_checkbox(field: BoundField) -> bool:
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def is_choices(field: BoundField) -> bool:
    """Whether the field is a group of radio buttons or of checkboxes."""
    return isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
