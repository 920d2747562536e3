"""Builds the page of two runs: a sentence, the board's test of the same pair, all differences on one axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evalsite.board_pages.board.charts import Axis, Mark, axis_of, mark
from evalsite.board_pages.board.rows import Row
from evalsite.board_pages.board.sentence import isolated, units_in_words
from evalsite.challenges.models import Scenario
from evalsite.challenges.precision import Precision
from evalsite.comparisons.compare_two.pairs import Disclosure
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE, amount, better_low, fitted, p_value, signed, signed_interval
from scoring import ScoreComparison, ScoreDifference
from scoring.comparing.places import unpacked, unpacked_pairs
from scoring.scale import Scale

_Placed = tuple[float, Sequence[float]]  # where a difference is drawn, and the ends of its interval, if it has one


@dataclass(frozen=True)
class DifferenceRow:
    """`mark` is None where the score has another scale than the axis."""

    difference: ScoreDifference
    mark: Mark | None
    p: str
    is_separated: bool
    is_headline: bool
    title: str
    scale: Scale  # of both scores,
    rough: Scale  # and of their difference

    @property
    def is_open_beyond_zero(self) -> bool:
        interval = self.difference.interval
        return bool(self.p and interval and not self.is_separated and interval[0] * interval[1] > 0)


class Better(StrEnum):
    """The side of 0 on which a dot says that the first run is better."""

    RIGHT = "right"
    LEFT = "left"  # less is better of all scores on the axis
    TURNED = "turned"  # right too, as differences of scores of which less is better are drawn with the other sign


@dataclass(frozen=True)
class Differences:
    finding: SafeString
    on_board: SafeString
    axis: Axis | None
    zero: float
    better: Better
    main: list[DifferenceRow]
    further: list[DifferenceRow]

    @property
    def open_beyond_zero(self) -> str:
        """Return the scores whose interval excludes 0 although the test does not tell the two apart; "" for none."""
        rows = [row for row in (*self.main, *self.further) if row.is_open_beyond_zero]
        return ", ".join(row.title for row in rows)


@dataclass(frozen=True)
class OnBoard:
    """The board's comparison and rows, among which the two submissions may stand."""

    comparison: Mapping[str, Any]
    rows: Sequence[Row]
    submissions: tuple[str, str]


def differences_of(
    compared: ScoreComparison,
    names: tuple[str, str],
    scenario: Scenario,
    precision: Precision,
    disclosure: Disclosure,
    board: OnBoard,
) -> Differences:
    marked = (isolated(names[0]), isolated(names[1]))
    size = _size(compared.headline)
    drawn = [
        difference for difference in compared.differences if difference.value is not None and _size(difference) == size
    ]
    scale = replace(
        SHARE,
        is_percent=all(scenario.scale_of(difference.name).is_percent for difference in drawn),
        has_bounds=size < 2,
    )
    better = better_side(drawn)
    placed = {difference.name: _placed(difference, better) for difference in drawn}
    axis = axis_of([0.0, *(end for value, interval in placed.values() for end in (value, *interval))], scale=scale)
    listed = [
        _row(difference, axis, placed.get(difference.name), compared, scenario, precision)
        for difference in compared.differences
    ]
    main = [row for row in listed if row.difference.name in scenario.scores]
    return Differences(
        finding=_finding(compared, marked, scenario, precision, disclosure),
        on_board=_on_board(board, marked, precision),
        axis=axis,
        zero=axis.at(0) if axis else 0,
        better=better,
        main=main,
        further=[row for row in listed if row not in main],
    )


def _size(difference: ScoreDifference) -> int:
    """Return 0 for shares, else digits before the point: larger scores would make others' differences vanish on one
    axis."""
    largest = max((abs(score) for score in difference.scores if score is not None), default=0.0)
    return 0 if largest <= 1 else len(f"{largest:.0f}")


def better_side(drawn: Sequence[ScoreDifference]) -> Better:
    directions = {difference.lower_is_better for difference in drawn}
    return Better.TURNED if len(directions) > 1 else Better.LEFT if True in directions else Better.RIGHT


def _placed(difference: ScoreDifference, better: Better) -> _Placed:
    if better is Better.TURNED:
        return difference.gain or 0.0, difference.gain_interval or ()
    return difference.value or 0.0, difference.interval or ()


def _row(
    difference: ScoreDifference,
    axis: Axis | None,
    placed: _Placed | None,
    compared: ScoreComparison,
    scenario: Scenario,
    precision: Precision,
) -> DifferenceRow:
    scale = _scale(difference, scenario)
    return DifferenceRow(
        difference,
        mark=mark(axis, placed[0], placed[1] or None) if axis and placed else None,
        p="" if difference.p is None else p_value(difference.p, precision.roughly(SHARE)),
        is_separated=difference.is_separated(compared.confidence_level),
        is_headline=difference is compared.headline,
        title=better_low(from_engine(difference.title), lower_is_better=difference.lower_is_better),
        scale=scale,
        rough=precision.roughly(scale),
    )


def _scale(difference: ScoreDifference, scenario: Scenario) -> Scale:
    """Return the scale with the digits that the narrowest of the three intervals asks for."""
    intervals = (*difference.intervals, difference.interval)
    return scenario.scale_of(difference.name).fitted(difference.scores, intervals)


def _finding(
    compared: ScoreComparison,
    names: tuple[SafeString, SafeString],
    scenario: Scenario,
    precision: Precision,
    disclosure: Disclosure,
) -> SafeString:
    headline, unit = compared.headline, scenario.unit
    if headline.value is None:
        return format_html("{}", _("One of the two has no score that can be compared."))
    both = {"first": names[0], "second": names[1]}
    if not compared.are_paired:
        return format_html(_("{first} and {second} were scored with different options, so nothing is tested."), **both)
    if compared.are_identical:
        return format_html(
            _("{first} and {second} have the same counts in every {unit}."), unit=from_engine(unit[0]), **both
        )
    better, worse = names[::-1] if headline.better == 1 else names
    values = {"units": units_in_words(compared.n_units, unit), "better": better, "worse": worse}
    if disclosure is Disclosure.SCORES:
        if not headline.value:
            return format_html(_("{first} and {second} have the same score."), **both)
        values["by"] = signed(abs(headline.value), precision.roughly(scenario.scale)).removeprefix("+")
        return format_html(
            _("{better} has the better score, by {by}; whether that is due to chance was not tested."), **values
        )
    if compared.are_too_few:
        return format_html(_("{units} are too few to tell the two apart."), **values)
    if not headline.is_separated(compared.confidence_level):
        return format_html(_("With {units}, {better} and {worse} cannot be told apart."), **values)
    if headline.interval is None:
        return format_html(_("With {units}, {better} is better than {worse}."), **values)
    low, high = headline.interval if headline.value > 0 else (-headline.interval[1], -headline.interval[0])
    # How far apart: the interval turns round with the difference, and both are told without its direction.
    scale = precision.roughly(fitted(scenario.scale, (low, high)))
    values |= {"by": signed(abs(headline.value), scale), "interval": signed_interval((low, high), scale)}
    return format_html(_("With {units}, {better} is better than {worse}, by {by} {interval}."), **values)


def _on_board(board: OnBoard, names: tuple[SafeString, SafeString], precision: Precision) -> SafeString:
    """Say what the joint test of the board finds; "" unless both are ranked there."""
    comparison = board.comparison
    ranked = [row.entry["submission"] for row in board.rows if row.rank is not None]
    if not comparison or any(submission not in ranked for submission in board.submissions):
        return SafeString("")
    first, second = (ranked.index(submission) for submission in board.submissions)
    separated = unpacked(comparison["separated"], len(ranked), len(ranked))
    p_values = comparison.get("p_values")
    n_pairs = len(ranked) * (len(ranked) - 1) // 2
    if n_pairs == 1:
        return SafeString("")
    rough = precision.roughly(SHARE)
    p = p_value(unpacked_pairs(p_values, len(ranked))[first, second], rough) if p_values else ""
    better = names[0] if separated[first, second] else names[1] if separated[second, first] else None
    return format_html(_joint(is_apart=better is not None, has_p=bool(p)), n=amount(n_pairs), better=better, p=p)


def _joint(*, is_apart: bool, has_p: bool) -> str:
    if is_apart and has_p:
        return _("Tested together with all {n} pairs of the board, {better} is still better (adjusted p {p}).")
    if is_apart:
        return _("Tested together with all {n} pairs of the board, {better} is still better.")
    if has_p:
        return _("Tested together with all {n} pairs of the board, the two cannot be told apart (adjusted p {p}).")
    return _("Tested together with all {n} pairs of the board, the two cannot be told apart.")
