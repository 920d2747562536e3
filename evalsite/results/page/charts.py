"""The charts of a run and of a team's runs as shapes for SVG templates: numbers in, coordinates out.

All coordinates are in the units of the template's viewBox; colours and strokes come from classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from math import ceil, floor, inf, log10

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from evalsite.submissions.engine_jobs import N_TENTHS
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE, amount, in_digits, minute, score
from scoring.scale import Scale


@dataclass(frozen=True)
class Bar:
    x: float
    width: float
    y: float
    height: float
    count: int
    label: str
    is_end: bool  # exactly 0 or exactly 1

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True)
class Histogram:
    bars: list[Bar]
    finding: str
    width: int
    height: int
    baseline: float


_WIDTH, _HEIGHT, _BASELINE, _TOP = 560, 180, 150, 22


def histogram(
    counts: Sequence[int],
    unit: tuple[str, str],
    scale: Scale = SHARE,
    *,
    lower_is_better: bool = False,
    fewest: int = 0,
) -> Histogram | None:
    """Return bars of a `distribution`, of at least `fewest` units each; None where there are no so many with a score.

    A bar of several bins is as high as they are in the mean, so that areas tell how many units there are.
    """
    total = sum(counts)
    if total < max(fewest, 1):
        return None
    groups = _merged(counts, fewest)
    sizes = [sum(counts[first : last + 1]) for first, last in groups]
    step = _WIDTH / len(counts)
    heights = [size / (last + 1 - first) for size, (first, last) in zip(sizes, groups, strict=True)]
    height = (_BASELINE - _TOP) / max(heights)
    bars = [
        Bar(
            x=round(first * step + 3, 1),
            width=round((last + 1 - first) * step - 6, 1),
            y=round(_BASELINE - share * height, 1),
            height=round(share * height, 1),
            count=size,
            label=_label(first, last, scale, lower_is_better=lower_is_better),
            is_end=first == last and first in (0, len(counts) - 1),
        )
        for (first, last), size, share in zip(groups, sizes, heights, strict=True)
    ]
    # Entirely right or wrong: where such units are few, how many is not told.
    lowest, highest = (bar.count if bar.is_end else None for bar in (bars[0], bars[-1]))
    n_wrong, n_right = (highest, lowest) if lower_is_better else (lowest, highest)
    return Histogram(bars, _finding(n_wrong, n_right, total, unit), _WIDTH, _HEIGHT, _BASELINE)


def _merged(counts: Sequence[int], fewest: int) -> list[tuple[int, int]]:
    """Return the first and the last bin of each bar: as few as have so many units together, and all that are left over.

    >>> _merged([12, 0, 3, 4, 5, 30, 2, 0], 10), _merged([1, 0, 2], 0)
    ([(0, 0), (1, 4), (5, 7)], [(0, 0), (1, 1), (2, 2)])
    """
    groups: list[tuple[int, int]] = []
    first, size = 0, 0
    for place, count in enumerate(counts):
        size += count
        if size >= fewest:
            groups.append((first, place))
            first, size = place + 1, 0
    if first < len(counts):
        groups[-1] = groups[-1][0], len(counts) - 1
    return groups


def _label(first: int, last: int, scale: Scale, *, lower_is_better: bool) -> str:
    """Label the bar of these bins, which are 0, the tenths of full marks, and full marks; an error may be larger."""
    is_end = first == last and first in (0, N_TENTHS + 1)
    low, high = (_tenths(place, scale, is_whole=is_end) for place in (max(first - 1, 0), min(last, N_TENTHS)))
    if last > N_TENTHS and lower_is_better:
        return f"≥ {high if is_end else low}"
    return high if is_end else f"{low}–{high}"


def _tenths(number: int, scale: Scale, *, is_whole: bool) -> str:
    full = 100.0 if scale.is_percent else scale.full or 1.0
    if full > 1:
        return amount(round(full * number / N_TENTHS))
    return score(number / N_TENTHS, 0 if is_whole else 1)


def _finding(n_wrong: int | None, n_right: int | None, total: int, unit: tuple[str, str]) -> str:
    noun = from_engine(unit[0] if total == 1 else unit[1])
    of = {"total": amount(total), "units": noun}
    right = wrong = ""
    if n_right is not None:
        right = ngettext("%(n)s is entirely right", "%(n)s are entirely right", n_right) % {"n": amount(n_right)}
    if n_wrong is not None:
        wrong = ngettext("%(n)s has nothing right", "%(n)s have nothing right", n_wrong) % {"n": amount(n_wrong)}
    if right and wrong:
        # Translators: two clauses, "2 are entirely right" and "4 have nothing right", as they are above.
        return gettext("Of %(total)s %(units)s, %(right)s and %(wrong)s") % {**of, "right": right, "wrong": wrong}
    if right or wrong:
        # Translators: one of these clauses.
        return gettext("Of %(total)s %(units)s, %(clause)s") % {**of, "clause": right or wrong}
    return gettext("%(total)s %(units)s") % of


@dataclass(frozen=True)
class Point:
    """One run: where its dot and its whisker stand."""

    x: float
    y: float
    low: float | None
    high: float | None
    label: str
    is_best: bool

    @property
    def shape(self) -> str:
        """Return it in SVG, where numbers need no escaping."""
        whisker = "" if self.low is None else _WHISKER.format(self.x, self.low, self.high)
        return _DOT.format(" is-best" * self.is_best, escape(self.label), whisker, self.x, self.y)


@dataclass(frozen=True)
class Progress:
    points: list[Point]
    steps: str  # the path of the best score so far
    ticks: list[tuple[float, str]]
    finding: str
    width: int
    height: int

    @property
    def lines(self) -> SafeString:
        """Return the lines of the ticks and their labels; made here, as are the dots, since a template takes long."""
        return SafeString("".join(_LINE.format(self.width, y, escape(label)) for y, label in self.ticks))

    @property
    def dots(self) -> SafeString:
        """Return the runs, each with its whisker."""
        return SafeString("".join(dot.shape for dot in self.points))


_LINE = '<line class="grid" x1="44" x2="{0}" y1="{1}" y2="{1}"/><text class="tick" x="38" y="{1}" dy="4">{2}</text>'
_WHISKER = '<line class="whisker" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>'
_DOT = '<g class="run{}"><title>{}</title>{}<circle cx="{}" cy="{}" r="5"/></g>'
_PROGRESS_WIDTH, _PROGRESS_HEIGHT, _LEFT, _RIGHT, _BOTTOM = 400, 190, 44, 16, 16


def progress(
    runs: Sequence[tuple[datetime, float, tuple[float, float] | None]],
    scale: Scale = SHARE,
    *,
    lower_is_better: bool = False,
) -> Progress | None:
    """Return a step chart of the best score so far over the runs in the order of time; None below two runs."""
    if len(runs) < 2:
        return None
    ends = [end for _, value, interval in runs for end in (interval or (value, value))]
    scale = scale.fitted([value for _, value, _ in runs], [interval for _, _, interval in runs])
    bottom, top, ticks = _axis(min(ends), max(ends), scale)

    def y(value: float) -> float:
        return round(12 + (top - value) / (top - bottom) * (_PROGRESS_HEIGHT - _BOTTOM - 12), 1)

    step = (_PROGRESS_WIDTH - _LEFT - _RIGHT) / len(runs)
    best, points, path = inf if lower_is_better else -inf, [], ""
    for k, (when, value, interval) in enumerate(runs):
        x = round(_LEFT + (k + 0.5) * step, 1)
        is_best = value < best if lower_is_better else value > best
        best = value if is_best else best
        low, high = (y(interval[0]), y(interval[1])) if interval else (None, None)
        points.append(Point(x, y(value), low, high, f"{minute(when)}: {score(value, scale)}", is_best))
        path += f"H{x} V{y(best)} " if path else f"M{x} {y(best)} "
    path += f"H{_PROGRESS_WIDTH - _RIGHT}"
    sentence = ngettext(
        "From %(first)s to %(best)s in %(n)s run", "From %(first)s to %(best)s in %(n)s runs", len(runs)
    )
    finding = sentence % {"first": score(runs[0][1], scale), "best": score(best, scale), "n": amount(len(runs))}
    return Progress(
        points, path, [(y(tick), label) for tick, label in ticks], finding, _PROGRESS_WIDTH, _PROGRESS_HEIGHT
    )


def _axis(low: float, high: float, scale: Scale) -> tuple[float, float, list[tuple[float, str]]]:
    """Return ends and ticks of an axis that holds both values and ends on ticks; shares have two decimals there."""
    step = tick_step(max(high - low, scale.least_span([low, high])), most=5)
    first, last = floor(low / float(step)), ceil(high / float(step))
    places = [k * step for k in range(first, max(last, first + 1) + 1)]
    if scale.is_percent:
        labels = [in_digits(f"{100 * place:f}") + "\N{NO-BREAK SPACE}%" for place in places]
    else:
        labels = [score(float(place), 2) if scale.is_share else in_digits(f"{place:f}") for place in places]
    return float(places[0]), float(places[-1]), list(zip(map(float, places), labels, strict=True))


def tick_step(span: float, *, most: int) -> Decimal:
    """Return 1, 2 or 5 times a power of ten, of which `span` holds at most `most`.

    A Decimal, so that its multiples are written with its own number of decimals.
    """
    power = Decimal(10) ** floor(log10(span / most))
    return next((power * factor).normalize() for factor in (1, 2, 5, 10) if span / float(power * factor) <= most)
