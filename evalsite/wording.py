"""How the site says numbers, times and lists: the one place for their format. Tag libraries only register these."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring.comparing.ranking import letter

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"


def score(value: float | None, digits: int = 3) -> str:
    """0.639, with a true minus; an en dash where there is no value."""
    if value is None:
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if float(text) else text.lstrip("-")


def signed(value: float | None, digits: int = 3) -> str:
    """+0.017 or −0.017, with a true minus; 0.000 without a sign."""
    text = score(value, digits)
    return f"+{text}" if value is not None and value > 0 and float(f"{value:.{digits}f}") else text


def interval(value: tuple[float, float] | list[float] | None) -> str:
    """[0.590, 0.653]"""
    if not value or None in value:
        return "(no interval)"
    low, high = value
    return f"[{score(low)}, {score(high)}]"


def signed_interval(value: tuple[float, float] | list[float] | None) -> str:
    """[−0.013, +0.052], of a difference."""
    if not value or None in value:
        return interval(None)
    low, high = value
    return f"[{signed(low)}, {signed(high)}]"


def told_apart(is_separated: bool) -> str:
    """What a test found of two runs, beside its p-value."""
    return "told apart" if is_separated else "not told apart"


def p_value(p: float) -> str:
    """0.012; small ones as a bound, since there are only so many resamples."""
    return f"{p:.3f}" if p >= 0.0005 else "< 0.001"


def percent(share: float) -> str:
    """0.95 is 95 %."""
    return f"{100 * share:.4g} %"


def amount(value: float) -> str:
    """A count: whole, or a weighted sum to three decimals."""
    return f"{value:,.3f}" if isinstance(value, float) and not value.is_integer() else f"{value:,.0f}"


def counted(number: int, noun: str) -> str:
    """1 run; 1,200 runs."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def size(n_bytes: int) -> str:
    """512 bytes, 35 kB, 1.5 MB, 20 MB; of 1,024 bytes a kB and 1,024 kB a MB, wherever the site says a size."""
    if n_bytes < 1024:
        return counted(n_bytes, "byte")
    if n_bytes < 1024**2:
        return f"{n_bytes / 1024:.0f} kB"
    return f"{n_bytes / 1024**2:,.1f}".removesuffix(".0") + " MB"


def words(name: str) -> str:
    """A column's name: correct_A becomes "correct A"."""
    return name.replace("_", " ")


def inside_sentence(title: str) -> str:
    """A title within a sentence: mean reciprocal rank, but F1 and CoNLL average."""
    return title[:1].lower() + title[1:] if title.partition(" ")[0][1:].islower() else title


def letters(number: int) -> str:
    """1 is A, 26 Z, 27 AA."""
    return letter(number - 1).upper()


def option_value(value: object) -> str:
    """An option as the command line takes it: labels with commas between them, other lists as JSON, true and false."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def utc(time: datetime | None) -> str:
    """12 Dec 2026, 23:59 UTC; with seconds where they aren't zero, since a deadline may have them."""
    if time is None:
        return NOTHING
    time = time.astimezone(UTC)
    seconds = ":%S" if time.second else ""
    return f"{time.day} {time:%b %Y, %H:%M{seconds}} UTC"


def minute(time: datetime | None) -> str:
    """12 Dec 2026, 23:59 UTC, of what nobody has to meet to the second."""
    return utc(time and time.replace(second=0))


def relative(time: datetime | None) -> str:
    """In 3 days; 5 hours ago. Cut, not rounded, so that a deadline never seems later than it is."""
    if time is None:
        return NOTHING
    distance = time - timezone.now()
    length = _largest_unit(abs(distance))
    return f"in {length}" if distance > timedelta(0) else f"{length} ago"


def duration(length: timedelta) -> str:
    """A rolling window in words: day, week, 36 hours."""
    if length == timedelta(days=1):
        return "day"
    return "week" if length == timedelta(days=7) else _largest_unit(length)


def time_taken(length: timedelta) -> str:
    """How long something took: in whole days, or in hours where they are few."""
    hours = round(length.total_seconds() / 3600)
    if hours < 1:
        return "less than an hour"
    if hours < 48:
        return "an hour" if hours == 1 else f"{hours} hours"
    return f"{length.days} days"


def roughly(length: timedelta) -> str:
    """How long something is likely to take, no more exactly than one can know: 5 seconds, 40 seconds, 3 minutes."""
    seconds = length.total_seconds()
    if seconds < 7.5:
        return "5 seconds"
    if seconds < 95:
        return f"{round(seconds, -1):.0f} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{round(minutes / 60)} hours"


def _largest_unit(distance: timedelta) -> str:
    """In the largest unit of which there are two at least: 47 hours rather than 1 day."""
    minutes = int(distance.total_seconds() // 60)
    for unit, length in (("year", 525_600), ("month", 43_200), ("day", 1440), ("hour", 60)):
        if minutes >= 2 * length:
            return f"{minutes // length} {unit}s"
    if minutes < 1:
        return "less than a minute"
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def link(url: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, text)


def number(value: object) -> SafeString:
    """A number inside a sentence: its digits all have one width."""
    return format_html('<span class="number">{}</span>', value)


def names(values: Iterable[object]) -> SafeString:
    """Names that people chose, with commas between them; each keeps its own direction of writing."""
    return format_html_join(", ", '<bdi class="name">{}</bdi>', ((value,) for value in values))


def sentences(parts: Iterable[str]) -> SafeString:
    """One after another; those that are empty are left out."""
    return format_html_join(" ", "{}", ((part,) for part in parts if part))
