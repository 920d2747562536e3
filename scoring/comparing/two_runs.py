"""Two runs on the same gold: the difference of every score, tested on the resamples that both share."""

from dataclasses import dataclass, field

import numpy as np

from scoring.columns import Floats
from scoring.comparing.redrawing import draws_of, redrawn
from scoring.comparing.units import are_paired, scores_of_units
from scoring.display.svg import Mark, draw, in_notebook
from scoring.evaluation import Evaluation, Interval
from scoring.families import FAMILIES
from scoring.family import Family
from scoring.messages import Message
from scoring.scale import Scale
from scoring.score import titled
from scoring.significance import percentile_interval
from scoring.significance.limits import FEWEST_UNITS, TIE, UNDEFINED_SHARE
from scoring.significance.pairs import step_down

# Percentiles of fewer resamples than this are too rough to be shown, however long drawing them takes.
_FEWEST_RESAMPLES = 1_000


@dataclass(frozen=True)
class PairTest:
    """The test of the difference of one score between two runs, the first minus the second."""

    interval: Interval  # percentiles of the difference on the resamples, in the unit of the score
    p: float  # two-sided p-value of this pair alone; 1 where there are too few units to test
    n_resamples: int  # on which both scores are defined


@dataclass(frozen=True)
class ScoreDifference:
    """One score of two runs and the difference between them, the first minus the second."""

    name: str  # the score's key in `Evaluation.scores`
    title: str  # the score's name for people
    scores: tuple[float | None, float | None]  # of the first and of the second run
    intervals: tuple[Interval | None, Interval | None]  # of each score by itself, where the evaluation has one
    value: float | None  # the difference; exactly 0 for a tie, None where a run lacks the score
    interval: Interval | None = None  # of the difference; None where it cannot be drawn or has no width
    p: float | None = None  # p-value of this difference alone; None where it is not tested or units are too few
    n_resamples: int = 0  # that interval and p rest on
    lower_is_better: bool = False  # whether the better run has the lower score
    scale: Scale = field(default_factory=Scale)  # how the score is said

    def is_separated(self, confidence_level: float) -> bool:
        """Return whether the test says that one run is better, which no test can say of equal scores."""
        return self.p is not None and self.p < 1 - confidence_level and bool(self.value)

    @property
    def label(self) -> str:
        """Return the title, and beside it whether less is better."""
        return titled(self.title, lower_is_better=self.lower_is_better)

    @property
    def better(self) -> int | None:
        """Return which of the two scores is the better one, 0 or 1; None where they are equal or one is missing."""
        return None if not self.value else int((self.value > 0) == self.lower_is_better)

    @property
    def gain(self) -> float | None:
        """Return by how much the first run is better than the second; negative where it is worse."""
        return -self.value if self.lower_is_better and self.value else self.value

    @property
    def gain_interval(self) -> Interval | None:
        """Return the interval of the gain."""
        if self.interval is None or not self.lower_is_better:
            return self.interval
        return -self.interval[1], -self.interval[0]


@dataclass(frozen=True, eq=False)
class ScoreComparison:
    """All scores of two runs side by side. Each difference is tested by itself, as a reader looks at one of them."""

    differences: list[ScoreDifference]  # the headline first, then in the family's order
    n_units: int  # units of resampling in the gold
    n_resamples: int  # of the first run's evaluation
    confidence_level: float  # of the first run's intervals, and of those of the differences
    are_paired: bool  # whether both were scored on the same units with the same options; else nothing is tested
    are_identical: bool  # whether both have the same counts on each unit
    units: list[str]  # names of the first run's units
    unit_scores: tuple[Floats, Floats] | None  # `scores_of_units` of both; None where not paired, or there are none

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the differences as dots with whiskers round zero."""
        marks = [
            Mark(
                difference.label,
                difference.value,
                difference.interval,
                "",
                difference.scale.signed(difference.value, difference.interval),
            )
            for difference in self.differences
            if difference.value is not None
        ]
        level = f"{100 * self.confidence_level:g} %"
        note = Message(
            "first-minus-second",
            "The first run minus the second, with {level} intervals of the differences.",
            level=level,
        )
        return in_notebook(draw(marks, "Differences", around_zero=True), note)

    @property
    def headline(self) -> ScoreDifference:
        """Return the difference of the score that ranks."""
        return self.differences[0]

    @property
    def are_too_few(self) -> bool:
        """Return whether there are too few units to test any difference."""
        return self.n_units < FEWEST_UNITS


def compare_scores(one: Evaluation, other: Evaluation, *, most_draws: int | None = None) -> ScoreComparison:
    """Compare every score that both runs have: difference, interval and test, all from the stored rows and draws.

    Scores other than the headline are drawn again from the rows. `most_draws` bounds that work, in units drawn: on a
    large gold those scores then rest on fewer resamples than the headline, though on 1,000 at least. Runs on another
    gold or with other options are shown side by side without a test.
    """
    is_pair = are_paired(one, other)
    draws = _shared_draws(one, other, most_draws) if is_pair else {}
    family = FAMILIES[one.family]
    names = dict.fromkeys([one.headline, *family.titles(one.options), *one.scores])
    shown = [name for name in names if name == one.headline or _is_in_both(name, one, other, family)]
    return ScoreComparison(
        differences=[_difference(name, one, other, draws.get(name)) for name in shown],
        n_units=len(one.units),
        n_resamples=one.n_resamples,
        confidence_level=one.confidence_level,
        are_paired=is_pair,
        are_identical=is_pair and np.array_equal(one.rows, other.rows) and one.scores == other.scores,
        units=one.units,
        unit_scores=_both_scores_of_units(one, other) if is_pair else None,
    )


def pair_test(
    scores: tuple[float, float],
    draws: Floats,
    *,
    n_units: int,
    confidence_level: float,
    most_undefined: float = UNDEFINED_SHARE,
) -> PairTest | None:
    """Return the test of one difference from both scores on the gold and their `draws` (2, B) on shared resamples.

    Resamples on which either score is NaN are left out. None where they are more than the share `most_undefined`,
    or all.
    """
    defined = draws[:, ~np.isnan(draws).any(axis=0)]
    n_defined = defined.shape[1]
    if n_defined < (1 - most_undefined) * draws.shape[1] or not n_defined:
        return None
    tested = step_down(np.array(scores), defined, np.array([[0, 1]]), n_units, confidence_level)
    return PairTest(
        interval=percentile_interval(defined[0] - defined[1], confidence_level),
        p=float(tested.p_adjusted[0]),
        n_resamples=n_defined,
    )


def _is_in_both(name: str, one: Evaluation, other: Evaluation, family: Family) -> bool:
    """Return whether both have the score. One of how much there was to gain is the same for all: it tells nothing."""
    has = one.scores.get(name) is not None and other.scores.get(name) is not None
    return has and name not in family.scores.without_interval


def _shared_draws(one: Evaluation, other: Evaluation, most_draws: int | None) -> dict[str, Floats]:
    """Return scores of both runs on the resamples that they share: {name: (2, B)}; nothing where they share none."""
    n_resamples = min(one.n_resamples, other.n_resamples)
    if one.seed is None or one.seed != other.seed or not n_resamples:
        return {}
    draws = {}
    if one.rows.size:
        number = n_resamples
        if most_draws is not None:
            number = min(n_resamples, max(_FEWEST_RESAMPLES, most_draws // len(one.units)))
        values = [redrawn(run, one.seed, number) for run in (one, other)]
        # Row 0 of the values is the corpus.
        draws = {name: np.stack([run[name][0] for run in values]) for name in values[0] if name in values[1]}
    first, second = draws_of(one), draws_of(other)
    if first is not None and second is not None:
        # The first resamples of a longer series are those of a shorter one with the same seed.
        draws[one.headline] = np.stack([first[:n_resamples], second[:n_resamples]])
    return draws


def _difference(name: str, one: Evaluation, other: Evaluation, draws: Floats | None) -> ScoreDifference:
    """Return the difference of one score; `draws` (2, B) are its values on the shared resamples, None without any."""
    first, second = one.scores.get(name), other.scores.get(name)
    value: float | None = None
    tested: PairTest | None = None
    if first is not None and second is not None:
        # The last digits of equal scores may differ; the difference of a tie is written as 0.
        value = 0.0 if abs(first - second) <= TIE else first - second
        if draws is not None:
            n_units, confidence_level = len(one.units), one.confidence_level
            tested = pair_test((first, second), draws, n_units=n_units, confidence_level=confidence_level)
    low, high = tested.interval if tested else (0.0, 0.0)
    return ScoreDifference(
        name=name,
        title=FAMILIES[one.family].titles(one.options).get(name, name),
        scores=(first, second),
        intervals=(one.intervals.get(name), other.intervals.get(name)),
        value=value,
        # An interval without width would promise a certainty that no sample gives.
        interval=(low, high) if high - low > TIE else None,
        p=tested.p if tested and len(one.units) >= FEWEST_UNITS else None,
        n_resamples=tested.n_resamples if tested else 0,
        lower_is_better=name in one.lower_is_better,
        scale=one.scale(name),
    )


def _both_scores_of_units(one: Evaluation, other: Evaluation) -> tuple[Floats, Floats] | None:
    first, second = scores_of_units(one), scores_of_units(other)
    return None if first is None or second is None else (first, second)
