"""The history of a board: each run that was the best so far, against the best before it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
import structlog
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Gold
from evalsite.leaderboard.rows import Row, Sight, called_of
from evalsite.submissions.models import Result
from evalsite.wording import counted, inside_sentence, p_value, time_taken
from scoring.comparing.two_runs import pair_test
from scoring.evaluation import stored_draws
from scoring.significance.limits import FEWEST_UNITS, TIE

log = structlog.get_logger()
MOST_STEPS = 30


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

    @property
    def p_text(self) -> str:
        return "" if self.p is None else p_value(self.p)


@dataclass(frozen=True)
class Progress:
    """The bests in the order of time, the latest ones where there are many."""

    bests: list[Best]
    n_runs: int
    n_left_out: int
    confidence_level: float
    others: Sequence[tuple[datetime, float]] = ()  # when and how further runs scored, if the visitor may see that

    def finding(self, title: str) -> str:
        """The sentence above the chart; `title` is that of the score."""
        # "Entities, F1" and "Categories" are no names of a measure: a sentence on them needs the word.
        names_measure = "," not in title and re.search(r"(F1|F|average|rank|precision|recall|accuracy)$", title)
        headline = inside_sentence(title) if names_measure else f"score ({title})"
        first, last = self.bests[0], self.bests[-1]
        if len(self.bests) == 1:
            runs = "one run" if self.n_runs == 1 else counted(self.n_runs, "run")
            return f"{last.score:.3f} is the best {headline} so far, of {runs}."
        took = time_taken(last.when - first.when)
        rise = f"The best {headline} rose from {first.score:.3f} to {last.score:.3f} in {took}"
        n_apart = sum(best.is_separated for best in self.bests)
        steps = len(self.bests) - 1
        if steps == 1:
            return f"{rise}, in one step: the two runs {'can' if n_apart else 'cannot'} be told apart."
        if not n_apart:
            return f"{rise}; in none of its {steps} steps can the new best be told apart from the one before."
        which = "each" if n_apart == steps else n_apart
        return f"{rise}; in {which} of its {steps} steps the new best can be told apart from the one before."


def progress_of(gold: Gold, sight: Sight, copies: Collection[str] = ()) -> Progress | None:
    """None before the first score. References and `copies`, the submissions that equal the gold, stand outside."""
    runs = [run for run in _runs_of(gold) if str(run[0]) not in copies]
    rising = _rising(runs)
    if not rising:
        return None
    shown = rising[-MOST_STEPS:]
    results = _results([pk for pk, _, _ in shown], gold)
    in_order = [results[pk] for pk, _, _ in shown if pk in results]
    names = {team: name for team, (name, _) in called_of(sight).items()}
    drawn = [_draws(result) for result in in_order]
    bests = [
        _best(result, names, sight, in_order[k - 1] if k else None, drawn[k], drawn[k - 1] if k else None)
        for k, result in enumerate(in_order)
    ]
    steps = {pk for pk, _, _ in rising}
    # A board may show the best run of each team while scores of single runs are hidden.
    others = [(when, score) for pk, when, score in runs if pk not in steps] if sight.runs else []
    return Progress(bests, len(runs), len(rising) - len(shown), in_order[0].confidence_level, others)


def best_references(rows: Sequence[Row]) -> list[tuple[str, float]]:
    """(kind, score) of the best baseline and of the best human run."""
    best: dict[str, float] = {}
    for row in rows:
        if row.reference and not row.is_gold and row.headline is not None:
            best[row.reference] = max(row.headline, best.get(row.reference, row.headline))
    return sorted(best.items())


def _runs_of(gold: Gold) -> list[tuple[UUID, datetime, float]]:
    """(submission, time, score) of the runs that stand, in the order of time; the newest engine's result of each."""
    found = Result.objects.filter(
        scoring__gold=gold, scoring__submission__withdrawn=None, scoring__submission__reference=""
    ).order_by("scoring__submission__created", "scoring__created")
    values = found.values_list("scoring__submission_id", "scoring__submission__created", "headline")
    newest = {pk: (when, score) for pk, when, score in values}
    return [(pk, when, score) for pk, (when, score) in newest.items() if score is not None]


def _rising(runs: list[tuple[UUID, datetime, float]]) -> list[tuple[UUID, datetime, float]]:
    rising: list[tuple[UUID, datetime, float]] = []
    for run in runs:
        if not rising or run[2] > rising[-1][2] + TIE:
            rising.append(run)
    return rising


def _results(submissions: list[UUID], gold: Gold) -> dict[UUID, Result]:
    """With what a chart needs; the tables stay where they are."""
    found = Result.objects.filter(scoring__gold=gold, scoring__submission__in=submissions)
    found = found.select_related("scoring__submission", "scoring__scenario").order_by("scoring__created")
    large = ("scores", "counts", "tables", "table_intervals", "distribution", "warnings")
    return {result.scoring.submission_id: result for result in found.defer(*large)}


def _draws(result: Result) -> NDArray[np.float64] | None:
    try:
        with local_path(result.evaluation) as path:
            return stored_draws(path)
    except (engine.ConfigurationError, OSError):
        log.exception("draws cannot be read", result=str(result.pk))
        return None


Drawn = NDArray[np.float64] | None


def _best(
    result: Result, names: dict[str, str], sight: Sight, before: Result | None, drawn: Drawn, drawn_before: Drawn
) -> Best:
    submission = result.scoring.submission
    team = str(submission.team_id)
    assert result.headline is not None
    difference = None if before is None or before.headline is None else result.headline - before.headline
    best = Best(
        submission=str(submission.pk),
        when=submission.created,
        name=names.get(team, "A former team"),
        # The name of a method often tells whose it is.
        method=submission.method if sight.names or team in sight.own_teams else "",
        score=result.headline,
        interval=result.interval,
        difference=difference,
    )
    if before is None or drawn is None or drawn_before is None or len(drawn) != len(drawn_before):
        return best
    return _tested(best, result, before, np.stack([drawn, drawn_before]))


def _tested(best: Best, result: Result, before: Result, drawn: NDArray[np.float64]) -> Best:
    """With the test of this pair alone; `drawn` (2, B) are the scores of both on shared resamples."""
    if result.seed != before.seed or result.headline is None or before.headline is None:
        return best
    # However many resamples leave a score undefined: the step itself stands in the chart all the same.
    tested = pair_test(
        (result.headline, before.headline),
        drawn,
        n_units=result.n_units,
        confidence_level=result.confidence_level,
        most_undefined=1,
    )
    if tested is None:
        return best
    return replace(
        best,
        difference_interval=tested.interval,
        p=tested.p if result.n_units >= FEWEST_UNITS else None,
        is_separated=tested.p < 1 - result.confidence_level,
    )
