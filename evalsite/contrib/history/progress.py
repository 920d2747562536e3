"""Shows how the best score of a board grew: each run that was the best so far, against the best before it."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db.models import Max, Min, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evalsite.base.cache_keys import cache_key
from evalsite.board_pages.board.visibility import Visibility, team_names_of
from evalsite.challenges.models import Gold
from evalsite.challenges.precision import Precision, precision_for
from evalsite.leaderboard.combined.history import MOST_STEPS
from evalsite.leaderboard.making.best_runs import TEAM_KINDS
from evalsite.leaderboard.making.draws import Draws, compare_pair, draws_of
from evalsite.leaderboard.models import BestRun, PerfectRun, Predecessor, RecordRun
from evalsite.submissions.models import Result, Submission
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE, amount, inside_sentence, p_value, score, time_taken
from scoring.comparing.two_runs import PairTest
from scoring.scale import Scale
from scoring.significance.limits import FEWEST_UNITS

MOST_DOTS = 500


@dataclass(frozen=True)
class Best:
    """A run that was better than all before it; the difference is to the best one before."""

    submission: str
    when: datetime
    name: str
    method: str
    score: float
    interval: tuple[float, float] | None
    difference: float | None = None
    difference_interval: tuple[float, float] | None = None
    p: float | None = None
    is_separated: bool = False
    rough_share: Scale = SHARE  # how p is said

    @property
    def p_text(self) -> str:
        return "" if self.p is None else p_value(self.p, self.rough_share)


@dataclass(frozen=True)
class Progress:
    """The bests in the order of time, the latest ones where there are many."""

    bests: list[Best]
    n_runs: int
    n_left_out: int
    confidence_level: float
    scale: Scale = SHARE
    rough: Scale = SHARE  # how differences are said
    lower_is_better: bool = False
    others: Sequence[tuple[datetime, float]] = ()  # when and how further runs scored: all, or some drawn by lot
    n_others: int = 0  # further runs that there are
    names_measure: bool = False  # whether the title of the score does, whatever its words are

    @property
    def is_sample(self) -> bool:
        """Return whether there are more further runs than a chart shows."""
        return self.n_others > MOST_DOTS

    @property
    def n_untested(self) -> int:
        """Return the number of steps after the first that are not tested."""
        return sum(best.difference_interval is None for best in self.bests[1:])

    def finding(self, title: str) -> str:
        """Return the sentence above the chart; `title` is that of the score, as the engine says it."""
        # "Entities, F1" and "Categories" are no names of a measure: a sentence on them needs the word.
        is_usual = "," not in title and re.search(r"(F1|F|average|rank|precision|recall|accuracy)$", title)
        shown_title = from_engine(title)
        headline = (
            inside_sentence(shown_title)
            if is_usual or self.names_measure
            else _("score (%(title)s)") % {"title": shown_title}
        )
        first, last = self.bests[0], self.bests[-1]
        if len(self.bests) == 1:
            pattern = ngettext(
                "%(score)s is the best %(headline)s so far, from one run.",
                "%(score)s is the best %(headline)s so far, from %(n)s runs.",
                self.n_runs,
            )
            return pattern % {"score": score(last.score, self.scale), "headline": headline, "n": amount(self.n_runs)}
        length = last.when - first.when
        n_apart = None if self.n_untested == len(self.bests) - 1 else sum(best.is_separated for best in self.bests)
        steps = len(self.bests) - 1
        rise = _fall if self.lower_is_better else _rise
        return rise(steps, n_apart) % {
            "headline": headline,
            "first": score(first.score, self.scale),
            "last": score(last.score, self.scale),
            "time": time_taken(length) if length else _("a day"),  # of days alone, where times are not told
            "n": n_apart,
            "steps": steps,
        }


def _rise(steps: int, n_apart: int | None) -> str:
    """Say how the best score rose, by the steps whose new best can be told apart; None where none is tested."""
    if n_apart is None:
        return _("The best %(headline)s rose from %(first)s to %(last)s in %(time)s; none of its steps is tested.")
    if steps == 1 and n_apart:
        return _(
            "The best %(headline)s rose from %(first)s to %(last)s in %(time)s, in one step, whose new best can be "
            "told apart from the one before."
        )
    if steps == 1:
        return _(
            "The best %(headline)s rose from %(first)s to %(last)s in %(time)s, in one step, whose new best cannot be "
            "told apart from the one before."
        )
    if not n_apart:
        return _(
            "The best %(headline)s rose from %(first)s to %(last)s in %(time)s; in none of its %(steps)s steps can the "
            "new best be told apart from the one before."
        )
    if n_apart == steps:
        return _(
            "The best %(headline)s rose from %(first)s to %(last)s in %(time)s; in each of its %(steps)s steps the new "
            "best can be told apart from the one before."
        )
    return _(
        "The best %(headline)s rose from %(first)s to %(last)s in %(time)s; in %(n)s of its %(steps)s steps the new "
        "best can be told apart from the one before."
    )


def _fall(steps: int, n_apart: int | None) -> str:
    """Say how the best score fell, where less is better."""
    if n_apart is None:
        return _("The best %(headline)s fell from %(first)s to %(last)s in %(time)s; none of its steps is tested.")
    if steps == 1 and n_apart:
        return _(
            "The best %(headline)s fell from %(first)s to %(last)s in %(time)s, in one step, whose new best can be "
            "told apart from the one before."
        )
    if steps == 1:
        return _(
            "The best %(headline)s fell from %(first)s to %(last)s in %(time)s, in one step, whose new best cannot be "
            "told apart from the one before."
        )
    if not n_apart:
        return _(
            "The best %(headline)s fell from %(first)s to %(last)s in %(time)s; in none of its %(steps)s steps can the "
            "new best be told apart from the one before."
        )
    if n_apart == steps:
        return _(
            "The best %(headline)s fell from %(first)s to %(last)s in %(time)s; in each of its %(steps)s steps the new "
            "best can be told apart from the one before."
        )
    return _(
        "The best %(headline)s fell from %(first)s to %(last)s in %(time)s; in %(n)s of its %(steps)s steps the new "
        "best can be told apart from the one before."
    )


def read_history(gold: Gold, visibility: Visibility) -> Progress | None:
    """Return the history; None before the first score. References and runs that equal the open gold stand outside.

    It is read from the records that are stored as results come (`making.best_runs`), however many runs there are.
    """
    records = list(_records(gold).values_list("pk", flat=True))
    if not records:
        return None
    results = _results(records[-MOST_STEPS:])
    in_order = [results[pk] for pk in records[-MOST_STEPS:]]
    n_runs = BestRun.objects.filter(gold=gold, reference="").aggregate(n=Sum("n_runs"))["n"] or 0
    precision = precision_for(visibility.role, visibility.phase, gold.scenario)
    names = {team: name for team, (name, _) in team_names_of(visibility).items()}
    draws = cache(draws_of)
    open_steps = None if precision.is_full else _open_steps(in_order, gold)
    bests = [
        rounded(
            _best(result, names, visibility, before, draws, open_steps), precision, day_alone=not visibility.shows_names
        )
        for result, before in zip(in_order, [None, *in_order], strict=False)
    ]
    recorded = set(records)
    others = [
        (when if visibility.shows_names else _midnight(when), precision.of(score, precision.headline))
        for pk, when, score in _sample(gold)
        if pk not in recorded
    ]
    scenario = gold.scenario
    scale = scenario.scale.fitted([best.score for best in bests], [best.interval for best in bests])
    return Progress(
        bests,
        n_runs,
        len(records) - len(in_order),
        in_order[0].confidence_level,
        scale=scale,
        rough=precision.roughly(scale),
        lower_is_better=scenario.lower_is_better,
        others=others,
        n_others=n_runs - len(records),
    )


def sees_method(team: str, visibility: Visibility) -> bool:
    """Return whether the visitor may read the names of a team's methods, which often tell whose they are."""
    return visibility.shows_names or team in visibility.own_teams


def _open_steps(results: Sequence[Result], gold: Gold) -> set[tuple[UUID, UUID]]:
    """Return pairs of a team's runs that are tested while the gold is hidden, as on the pages of two runs.

    Who withdraws a run, or brings it back, moves the steps between the others, and would read more pairs than runs.
    """
    runs = [result.scoring.submission_id for result in results]
    predecessors = Predecessor.objects.filter(run__in=runs, scenario=gold.scenario_id, before__in=runs)
    return set(predecessors.values_list("run", "before"))


def rounded(best: Best, precision: Precision, *, day_alone: bool) -> Best:
    """Round the score to the precision that this visitor may see."""
    numbers: dict[str, Any] = {"score": precision.of(best.score, precision.headline)}
    numbers["interval"] = precision.interval(best.interval, precision.headline)
    numbers |= {name: precision.difference(getattr(best, name)) for name in ("difference", "difference_interval")}
    numbers["p"] = precision.share(best.p)
    when = _midnight(best.when) if day_alone else best.when
    return replace(best, when=when, rough_share=precision.roughly(SHARE), **numbers)


def _midnight(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def best_references(gold: Gold, visibility: Visibility) -> list[tuple[str, float]]:
    """Return (kind, score) of the best baseline and of the best human run, as exactly as the visitor may read it."""
    best_runs = BestRun.objects.filter(gold=gold, result__headline__isnull=False).exclude(reference__in=TEAM_KINDS)
    best_of = Min if gold.scenario.lower_is_better else Max
    best = best_runs.order_by().values_list("reference").annotate(best=best_of("result__headline"))
    precision = precision_for(visibility.role, visibility.phase, gold.scenario)
    return sorted((kind, precision.of(score, precision.headline)) for kind, score in best)


def _records(gold: Gold) -> QuerySet[RecordRun]:
    """Return the records in the order of time, without those withdrawn since."""
    return RecordRun.objects.filter(
        gold=gold, result__scoring__submission__withdrawn=None, result__scoring__submission__reference=""
    ).order_by("arrived")


def _sample(gold: Gold) -> list[tuple[UUID, datetime, float]]:
    """Return (result, time, score) of the runs that stand, or of so many as a chart can hold, drawn by lot.

    The lot is the run's key, which is random: so each visitor sees the same ones.
    """
    standing = Submission.objects.filter(phase=gold.phase_id, withdrawn=None, reference="", is_beyond_limit=False)
    if not gold.phase.ranks_late:
        standing = standing.filter(is_late=False)
    if gold.scenario.is_brought:
        standing = standing.filter(is_reported=False)
    drawn = standing.order_by("pk").values("pk")[:MOST_DOTS]
    results = Result.objects.counting().filter(scoring__submission__in=drawn, scoring__gold=gold)
    results = results.order_by("scoring__created")
    copies = PerfectRun.objects.filter(gold=gold, is_copy=True).values("pk")
    values = results.exclude(pk__in=copies).values_list(
        "scoring__submission_id", "pk", "scoring__submission__created", "headline"
    )
    newest = {submission: (pk, when, score) for submission, pk, when, score in values}
    return [(pk, when, score) for pk, when, score in newest.values() if score is not None]


def _results(keys: list[UUID]) -> dict[UUID, Result]:
    """Read the results with what a chart needs."""
    results = Result.objects.filter(pk__in=keys).select_related("scoring__submission", "scoring__scenario")
    large = ("scores", "counts", "distribution", "warnings")
    return {result.pk: result for result in results.defer(*large)}


def _best(
    result: Result,
    names: dict[str, str],
    visibility: Visibility,
    before: Result | None,
    draws: Callable[[Result], Draws],
    open_steps: Collection[tuple[UUID, UUID]] | None,
) -> Best:
    """Return a record as a step; unless `open_steps` is None, only those are tested."""
    submission = result.scoring.submission
    team = str(submission.team_id)
    assert result.headline is not None
    difference = None if before is None or before.headline is None else result.headline - before.headline
    best = Best(
        submission=str(submission.pk),
        when=submission.created,
        name=names.get(team, _("A former team")),
        method=submission.method if sees_method(team, visibility) else "",
        score=result.headline,
        interval=result.interval,
        difference=difference,
    )
    test = None
    if before and (open_steps is None or _may_be_tested(submission, before.scoring.submission, open_steps)):
        test = _tested(result, before, draws)
    if test is None:
        return best
    return replace(
        best,
        difference_interval=test.interval,
        p=test.p if result.n_units >= FEWEST_UNITS else None,
        is_separated=test.p < 1 - result.confidence_level,
    )


def _may_be_tested(run: Submission, before: Submission, open_steps: Collection[tuple[UUID, UUID]]) -> bool:
    return run.team_id != before.team_id or (run.pk, before.pk) in open_steps


TESTS_KEPT = 300  # seconds; what comes of two results never changes


def _tested(result: Result, before: Result, draws: Callable[[Result], Draws]) -> PairTest | None:
    key = cache_key("step", result.pk, before.pk)
    test: PairTest | None = caches["default"].get(key) or compare_pair(result, before, (draws(result), draws(before)))
    if test:
        caches["default"].set(key, test, TESTS_KEPT)
    return test
