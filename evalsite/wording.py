"""Formats numbers, times and lists, here alone; tag libraries only register these functions."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache

from django.utils.dateformat import format as formatted
from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_info, gettext, ngettext, ngettext_lazy, pgettext

from evalsite.base import moment
from scoring.comparing.ranking import letter
from scoring.comparing.sizes import two_digits
from scoring.scale import Scale, brackets_to_leader, decimals_of_ends, rounded_ends

SHARE = Scale()
MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
MOST_NAMED = 5  # in a sentence
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def score(value: float | None, scale: Scale | int = SHARE) -> str:
    """Return 0.639, or as the score's scale has it, with a true minus; an en dash if there is no value.

    Numbers that are no score of a scenario take a number of decimals as their scale.
    """
    return NOTHING if value is None else _on_scale(_scale(scale).text(value))


def signed(value: float | None, scale: Scale | int = SHARE) -> str:
    """Return +0.017 or −0.017, with a true minus; 0.000 without a sign; percentages in percentage points: +1.2 pp."""
    if value is None:
        return NOTHING
    text = _scale(scale).signed(value)
    if text.endswith(" pp"):
        # Translators: percentage points, short, as in "+1.2 pp".
        text = text.replace(" pp", f" {gettext('pp')}")
    return _on_scale(text)


def _scale(scale: Scale | int) -> Scale:
    return scale if isinstance(scale, Scale) else Scale(decimals=scale)


def _on_scale(english: str) -> str:
    return in_digits(english.replace(" ", _NO_BREAK_SPACE))


def fitted(scale: Scale | str, interval: tuple[float, float] | list[float] | None) -> Scale:
    """Return the scale with the digits that the interval needs, so that a score and its interval have the same.

    A template that knows of no scale passes "", which stands for a share.
    """
    if not isinstance(scale, Scale):
        return SHARE
    return scale.fitted((), [(interval[0], interval[1])]) if interval and None not in interval else scale


def exact(value: float | None) -> str:
    """Return the value with all digits that the visitor may read, for titles: 0.6394812."""
    return NOTHING if value is None else in_digits(repr(value))


def exactly(value: float, ends: Sequence[float] | None) -> str:
    """Return the same with the ends of an interval: 0.6394812 [0.5904, 0.653]."""
    if not ends:
        return exact(value)
    first, *others = [NOTHING if number is None else repr(number) for number in (value, *ends)]
    return _with_ends(f"{first} [{'|'.join(others)}]")


def interval(value: tuple[float, float] | list[float] | None, scale: Scale = SHARE) -> str:
    """Return [0.590, 0.653], or [0,590; 0,653] where numbers have a comma.

    The ends have two digits of half the width at most, for everybody and at all times, as of hidden gold no more is
    told.
    """
    if not value or None in value:
        return gettext("(no interval)")
    shown = fitted(scale, value)
    ends = rounded_ends(value)
    held = max(0, decimals_of_ends(ends) - 2 * shown.is_percent)
    rounded = _with_decimals(shown, min(held, shown.decimals or 0))
    return _with_ends(f"[{'|'.join([rounded.number(end) for end in ends])}]")


@cache
def _with_decimals(scale: Scale, decimals: int) -> Scale:
    """Return the scale with so many decimals, which takes longer to make than to use."""
    return replace(scale, decimals=decimals)


def scored(
    value: float | None, interval_: tuple[float, float] | list[float] | None, scale: Scale | str = SHARE
) -> SafeString:
    """Return 0.639 [0.608, 0.672], with all digits that the visitor may read in the title."""
    shown = fitted(scale, interval_)
    if value is None:
        return SafeString(f'<span class="score"><b>{score(value, shown)}</b></span>')
    # Numbers need no escaping, which would cost much on a board.
    return SafeString(
        f'<span class="score" title="{exact(value)}"><b>{score(value, shown)}</b> '
        f'<span class="interval">{interval(interval_, shown)}</span></span>'
    )


def signed_interval(value: tuple[float, float] | list[float] | None, scale: Scale = SHARE) -> str:
    """Return the interval of a difference: [−0.013, +0.052]."""
    if not value or None in value:
        return interval(None)
    shown = fitted(scale, value)
    return _with_ends(f"[{'|'.join([shown.number(end, '+') for end in value])}]")


def leader_interval(value: tuple[float, float] | list[float] | None, scale: Scale = SHARE) -> str:
    """Return the interval of a difference to the leader: [−0.013, +0.052], or [−0.110, 0.000) where 0 is no part."""
    text = signed_interval(value, scale)
    if not value or None in value:
        return text
    opening, closing = brackets_to_leader(value)
    return f"{opening}{text[1:-1]}{closing}"


def _with_ends(english: str) -> str:
    """Return numbers with the ends of an interval, in English as 0.6 [0.5|0.7], in the visitor's language.

    The language is asked for once, as a board has some hundreds of them.
    """
    point, between = _separators(get_language())
    text = _separated(english.replace("-", MINUS), point, between)
    return text.replace("|", "; " if point == "," else ", ")


def about(value: float, scale: Scale = SHARE) -> str:
    """Return a size that is known roughly, in two digits: 0.061, or 6.1 pp between percentages."""
    if scale.is_percent:
        return f"{in_digits(two_digits(100 * value))}{_NO_BREAK_SPACE}{gettext('pp')}"
    return in_digits(two_digits(value))


def gap(value: float, scale: Scale = SHARE) -> str:
    """Return the gap between two scores: 0.012; a small one has as many decimals as it takes."""
    fitted = scale.fitted([value])
    is_small = value < 0.1 ** (fitted.decimals or 0) / (100 if scale.is_percent else 1)
    return about(value, scale) if value and is_small else signed(value, fitted).removeprefix("+")


def better_low(title: str, *, lower_is_better: bool) -> str:
    """Return the title of a score, with a mark if less of it is better: Word error rate ↓."""
    return f"{title}{_NO_BREAK_SPACE}↓" if lower_is_better else title


def told_apart(is_separated: bool) -> str:
    """Return what a test found of two runs, beside its p-value."""
    return gettext("told apart") if is_separated else gettext("not told apart")


def p_value(p: float, scale: Scale = SHARE) -> str:
    """Return 0.012; small ones as a bound, since there are only so many resamples."""
    return in_digits(scale.number(p) if p >= 0.0005 else "< 0.001")


def at_least(value: float, scale: Scale = SHARE) -> str:
    """Return 0.012; what would be rounded to nothing as a bound."""
    return score(value, scale) if value >= 0.0005 or not value else p_value(value)


def percent(share: float) -> str:
    """Return 95 % for 0.95."""
    return in_digits(f"{100 * share:.4g} %")


def share(value: float) -> str:
    """Return 51.0 % for 0.51, in a column whose decimals align."""
    return in_digits(f"{100 * value:.1f}\N{NO-BREAK SPACE}%")


def amount(value: float) -> str:
    """Return a count: whole, or a weighted sum to three decimals."""
    return in_digits(f"{value:,.3f}" if isinstance(value, float) and not value.is_integer() else f"{value:,.0f}")


def quantity(value: float) -> str:
    """Return a number that somebody has told, with six digits at least: 1,300,000,000 or 0.25."""
    is_whole = float(value).is_integer()
    return in_digits(f"{value:,.0f}" if is_whole else f"{value:,.1f}" if abs(value) >= 1_000_000 else f"{value:,.6g}")


def in_digits(english: str) -> str:
    """Return a number that is written in English, 1,234.5 or -0.5, in the visitor's language with a true minus."""
    text = english.replace("-", MINUS)
    return _separated(text, *_separators(get_language())) if "." in text or "," in text else text


def _separated(text: str, point: str, between: str) -> str:
    """Put these separators of decimals and of thousands in place of the English ones."""
    if (point, between) == (".", ","):
        return text
    if between.isspace():
        between = _NO_BREAK_SPACE
        # Where thousands stand apart, those of a number of four digits don't.
        text = re.sub(r"(?<![0-9,])([0-9]),([0-9]{3})(?![0-9,])", r"\1\2", text)
    return text.translate({ord(","): between, ord("."): point})


@cache
def _separators(language: str | None) -> tuple[str, str]:
    """Return the separators of decimals and of thousands, which a board needs some thousand times."""
    return str(get_format("DECIMAL_SEPARATOR", language)), str(get_format("THOUSAND_SEPARATOR", language))


# Things that are counted in sentences, by their English name.
_COUNTED: dict[str, Promise] = {
    "byte": ngettext_lazy("%(number)s byte", "%(number)s bytes", "n"),
    "day": ngettext_lazy("%(n)s day", "%(n)s days", "n"),
    "hour": ngettext_lazy("%(n)s hour", "%(n)s hours", "n"),
    "minute": ngettext_lazy("%(number)s minute", "%(number)s minutes", "n"),
    "month": ngettext_lazy("%(n)s month", "%(n)s months", "n"),
    "run": ngettext_lazy("%(number)s run", "%(number)s runs", "n"),
    "scoring": ngettext_lazy("%(number)s scoring", "%(number)s scorings", "n"),
    "second": ngettext_lazy("%(number)s second", "%(number)s seconds", "n"),
    "submission": ngettext_lazy("%(number)s submission", "%(number)s submissions", "n"),
    "upload": ngettext_lazy("%(number)s upload", "%(number)s uploads", "n"),
    "year": ngettext_lazy("%(n)s year", "%(n)s years", "n"),
}


def counted(number: int, noun: str) -> str:
    """Return the number with its noun: 1 run; 1,200 runs."""
    return str(_COUNTED[noun] % {"n": number, "number": amount(number)})


def size(n_bytes: int) -> str:
    """Return 512 bytes, 35 kB, 1.5 MB or 20 MB; a kB has 1,024 bytes and a MB 1,024 kB, as on every page."""
    if n_bytes < 1024:
        return counted(n_bytes, "byte")
    if n_bytes < 1024**2:
        return f"{n_bytes / 1024:.0f} kB"
    return in_digits(f"{n_bytes / 1024**2:,.1f}".removesuffix(".0")) + " MB"


def words(name: str) -> str:
    """Return a column's name with blanks: correct_A becomes "correct A"."""
    return name.replace("_", " ")


def inside_sentence(title: str) -> str:
    """Return a title as it stands in a sentence: mean reciprocal rank; F1, CoNLL average, "Entities, F1" and Pearson's
    correlation stay.
    """
    first = title.partition(" ")[0]
    is_plain = first[1:].islower() and "," not in title and first.removesuffix("'s") not in _NAMES
    return title[:1].lower() + title[1:] if is_plain else title


# Of people and places, with which measures begin.
_NAMES = {
    *("Brier", "Cohen", "Hamming", "Jaccard", "Kendall", "Manhattan", "Matthews", "Pearson", "Spearman"),
    "Wasserstein",
}


def letters(number: int) -> str:
    """Return A for 1, Z for 26, AA for 27."""
    return letter(number - 1).upper()


def option_value(value: object) -> str:
    """Return an option as the command line takes it: labels joined by commas, other lists as JSON, true and false."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return ",".join(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def utc(time: datetime | None) -> str:
    """Return 12 Dec 2026, 23:59 UTC; with seconds if they aren't zero, since a deadline may have them."""
    return NOTHING if time is None else _utc(time, get_language())


@lru_cache(maxsize=2000)
def _utc(time: datetime, _language: str | None) -> str:
    """Format with the months of the language; cached, since lists repeat the same times."""
    time = time.astimezone(UTC)
    # Translators: letters of Django's date filter; "M" is Dec, "b" is dec.
    pattern = pgettext("date and time", "j M Y, H:i:s") if time.second else pgettext("date and time", "j M Y, H:i")
    return f"{formatted(time, pattern)} UTC"


def minute(time: datetime | None) -> str:
    """Return 12 Dec 2026, 23:59 UTC, for what nobody has to meet to the second."""
    return utc(time and time.replace(second=0))


def day(time: date | None) -> str:
    """Return the day in UTC: 12 Dec 2026."""
    return NOTHING if time is None else _day(time, get_language())


@lru_cache(maxsize=2000)
def _day(time: date, _language: str | None) -> str:
    if isinstance(time, datetime):
        time = time.astimezone(UTC)
    # Translators: letters of Django's date filter; "M" is Dec, "b" is dec.
    return str(formatted(time, pgettext("date", "j M Y")))


def day_and_month(time: datetime) -> str:
    """Return the day in UTC for axes: 12 Dec."""
    # Translators: letters of Django's date filter; "M" is Dec, "b" is dec.
    return str(formatted(time.astimezone(UTC), pgettext("day and month", "j M")))


def relative(time: datetime | None) -> str:
    """Return "in 3 days" or "5 hours ago", cut and not rounded, so that a deadline never seems later than it is."""
    if time is None:
        return NOTHING
    distance = time - moment.now()
    length = _largest_unit(abs(distance))
    pattern = gettext("in %(length)s") if distance > timedelta(0) else gettext("%(length)s ago")
    return pattern % {"length": length}


def duration(length: timedelta) -> str:
    """Return a rolling window in words: day, week, 36 hours."""
    if length == timedelta(days=1):
        return pgettext("a length of time", "day")
    return pgettext("a length of time", "week") if length == timedelta(days=7) else _largest_unit(length)


def time_taken(length: timedelta) -> str:
    """Return how long something took: in whole days, or in hours if they are few."""
    hours = round(length.total_seconds() / 3600)
    if hours < 1:
        return gettext("less than an hour")
    if hours < 48:
        return gettext("an hour") if hours == 1 else counted(hours, "hour")
    return counted(length.days, "day")


def roughly(length: timedelta) -> str:
    """Return how long something is likely to take, as roughly as one can know: 5 seconds, 40 seconds, 3 minutes."""
    seconds = length.total_seconds()
    if seconds < 7.5:
        return counted(5, "second")
    if seconds < 95:
        return counted(int(round(seconds, -1)), "second")
    minutes = round(seconds / 60)
    return counted(minutes, "minute") if minutes < 120 else counted(round(minutes / 60), "hour")


def _largest_unit(distance: timedelta) -> str:
    """Return the distance in the largest unit of which there are at least two: 47 hours rather than 1 day."""
    minutes = int(distance.total_seconds() // 60)
    for noun, length in (("year", 525_600), ("month", 43_200), ("day", 1440), ("hour", 60)):
        if minutes >= 2 * length:
            return counted(minutes // length, noun)
    return counted(minutes, "minute") if minutes >= 1 else gettext("less than a minute")


def enumerated(things: Sequence[str]) -> str:
    """Join a list as one says it: a; a and b; a, b and c."""
    if len(things) < 2:
        return "".join(things)
    # Translators: the end of a list, as in "a, b and c".
    joined = pgettext("list", "%(others)s and %(last)s")
    if get_language() == "es" and _SOUNDS_LIKE_I.match(things[-1]):
        joined = joined.replace(" y ", " e ")
    return joined % {"others": ", ".join(things[:-1]), "last": things[-1]}


# "y" becomes "e" before the sound of i: "e ítems", "e hijos", but "y hielo".
_SOUNDS_LIKE_I = re.compile(r"h?[ií](?![aeo])", re.IGNORECASE)


def language_name(tag: str) -> str:
    """Return the language's name in that of the page; the tag where Django knows none."""
    try:
        name = str(get_language_info(tag.lower())["name_translated"])
    except KeyError:
        return tag
    return name[:1].upper() + name[1:]


def link(url: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, text)


def number(value: object) -> SafeString:
    """Return a number for a sentence, with digits of one width."""
    return format_html('<span class="number">{}</span>', value)


def names(values: Iterable[object]) -> SafeString:
    """Join names that people chose by commas; each keeps its own direction of writing."""
    return format_html_join(", ", '<bdi class="name">{}</bdi>', ((value,) for value in values))


def listed(values: Sequence[str], of: int = 0) -> str:
    """Return A, B and C; of many the first ones: A, B, C, D, E and 3 more. Names are to be escaped before.

    `of` is how many there are, if the values are only the first ones.
    """
    n_more = max(len(values), of) - MOST_NAMED
    if n_more <= 0:
        return enumerated(values)
    sentence = ngettext("%(names)s and %(n)d more", "%(names)s and %(n)d more", n_more)
    return sentence % {"names": ", ".join(values[:MOST_NAMED]), "n": n_more}


def sentences(parts: Iterable[str]) -> SafeString:
    """Join sentences by blanks; empty ones are left out."""
    return format_html_join(" ", "{}", ((part,) for part in parts if part))
