"""Finds how the best combined score of a phase grew, for the worker that makes its board.

Boards of former days are not stored. So the history is made anew of all runs that rank, in the order of their uploads:
at each upload a team has the runs that counted then, by the rule of the phase, and these make its combined score by the
formula, the gold and the engine of today. A step is an upload that makes a better one than all before it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any
from uuid import UUID

import numpy as np
import structlog

import scoring as engine
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold
from evalsite.leaderboard.combined.parts import Evaluations, Side, lacking, needed, scores_of
from evalsite.leaderboard.making.best_runs import Rule, Run, ranked_runs
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Result
from scoring.combining.combine import interval_of
from scoring.combining.formula import Component, Node, bound, components
from scoring.combining.values import value_of
from scoring.comparing.two_runs import pair_test
from scoring.significance.limits import FEWEST_UNITS, TIE

log = structlog.get_logger()
MOST_STEPS = 30


@dataclass(frozen=True)
class Step:
    """An upload of a team and the score that its runs made with it; `runs` are by scenario."""

    upload: Run
    runs: Mapping[str, Run]
    score: float


@dataclass(frozen=True)
class _Formula:
    """The formula of a combined score, and the values that it is made of."""

    node: Node
    chosen: Sequence[Component]
    values: Mapping[UUID, Mapping[str, float | None]]  # scores by result
    zero_is_missing: bool

    def of(self, runs: Mapping[str, Run]) -> float:
        """Return what these runs, by scenario, make together; NaN where that is undefined."""
        if not self.zero_is_missing and any(part.scenario not in runs for part in self.chosen):
            return np.nan
        return float(value_of(self.node, {part: self._value(part, runs.get(part.scenario)) for part in self.chosen}))

    def _value(self, part: Component, run: Run | None) -> float:
        if run is None:
            return 0.0
        value = self.values[run.result].get(part.score)
        return np.nan if value is None else value


def history_of(combined: Combined, drawing: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last steps for the board, with intervals and tests, the number of all, and that of the runs read."""
    golds = golds_in_force(combined.phase)
    node = bound(combined.formula, scores_of(list(golds)))
    chosen = components(node)
    named = {part.scenario for part in chosen}
    used = {scenario.name: gold for scenario, gold in golds.items() if scenario.name in named}
    ranked = {name: ranked_runs(gold) for name, gold in used.items()}
    parts = {part.score for part in chosen}
    values = {pk: _only(scores, parts) for gold in used.values() for pk, scores in _scores(gold)}
    formula = _Formula(node, chosen, values, combined.missing == Combined.Missing.LAST)
    uploads = sorted(
        ((run, name, rule) for name, (runs, rule) in ranked.items() for run in runs),
        key=lambda pair: (pair[0].arrived, pair[0].submission),
    )
    steps = list(_steps(uploads, formula.of, lower_is_better=combined.lower_is_better))
    return {
        "steps": _tested(combined, steps[-MOST_STEPS:], chosen, drawing),
        "n_steps": len(steps),
        "n_runs": len({run.submission for run, _, _ in uploads}),
    }


def _scores(gold: Gold) -> Iterator[tuple[UUID, Mapping[str, float | None]]]:
    return Result.objects.counting().filter(scoring__gold=gold).order_by().values_list("pk", "scores").iterator()


def _only(scores: Mapping[str, float | None], parts: Collection[str]) -> dict[str, float | None]:
    return {name: value for name, value in scores.items() if name in parts}


def _steps(
    uploads: Sequence[tuple[Run, str, Rule]], value: Callable[[Mapping[str, Run]], float], *, lower_is_better: bool
) -> Iterator[Step]:
    """Yield the steps among runs with their scenarios and rules; the runs of one upload come together."""
    counting: dict[UUID, dict[str, Run]] = {}  # by team
    best = -np.inf
    for _, runs in groupby(uploads, key=lambda pair: pair[0].submission):
        for run, scenario, rule in runs:
            counted = counting.setdefault(run.team, {})
            if scenario not in counted or rule.order(run) > rule.order(counted[scenario]):
                counted[scenario] = run
        score = value(counted)
        height = -score if lower_is_better else score
        if height > best + TIE:  # which NaN never is
            best = height
            yield Step(run, dict(counted), score)


def _tested(
    combined: Combined, steps: Sequence[Step], chosen: Sequence[Component], drawing: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the steps as they are stored, each tested against the one before it."""
    records: list[dict[str, Any]] = [
        {
            "submission": str(step.upload.submission),
            "team": str(step.upload.team),
            "date": step.upload.arrived.isoformat(),
            "runs": sorted({str(run.submission) for run in step.runs.values()}),
            "score": step.score,
            "interval": None,
            "before": str(before.upload.submission) if before else None,
            "difference_interval": None,
            "p": None,
        }
        for step, before in zip(steps, [None, *steps], strict=False)
    ]
    compared = _compared(combined, steps, chosen, drawing)
    if compared is None or compared.draws is None:
        return records
    # A lost file leaves a step without the score that it had.
    rows = {
        int(name): row
        for row, (name, score) in enumerate(zip(compared.names, compared.scores, strict=True))
        if score is not None and abs(score - steps[int(name)].score) <= TIE
    }
    level = compared.confidence_level
    for number, row in rows.items():
        records[number]["interval"], _ = interval_of(steps[number].score, compared.draws[row], compared.n_units, level)
    for before, after in pairwise(range(len(steps))):
        if not {before, after} <= rows.keys():
            continue
        draws = compared.draws[[rows[after], rows[before]]]
        scores = steps[after].score, steps[before].score
        if test := pair_test(scores, draws, n_units=compared.n_units, confidence_level=level):
            p = test.p if compared.n_units >= FEWEST_UNITS else None
            records[after] |= {"difference_interval": test.interval, "p": p}
    return records


def _compared(
    combined: Combined, steps: Sequence[Step], chosen: Sequence[Component], drawing: Mapping[str, Any]
) -> engine.Comparison | None:
    """Compare the steps, which are named by their numbers; those whose evaluations lack resamples are left out."""
    results = Result.objects.in_bulk({run.result for step in steps for run in step.runs.values()})
    scenarios = list(dict.fromkeys(part.scenario for part in chosen))
    sides = {
        str(number): Side("", "", "", "", {name: results[run.result] for name, run in step.runs.items()})
        for number, step in enumerate(steps)
    }
    try:
        needs = needed(sides.values(), chosen)
        there = {
            name: Evaluations(side.results, scenarios)
            for name, side in sides.items()
            if not any(lacking([side], needs))
        }
        return _compare(combined, there, drawing) if there else None
    except engine.ConfigurationError as error:  # an old run must not take away the board
        log.warning("the history of a combined score has no intervals", phase=str(combined.pk), error=str(error))
        return None


def _compare(combined: Combined, systems: Mapping[str, Evaluations], drawing: Mapping[str, Any]) -> engine.Comparison:
    return engine.compare_combined(
        combined.formula,
        systems,
        missing="zero" if combined.missing == Combined.Missing.LAST else "unranked",
        lower_is_better=combined.lower_is_better,
        **drawing,
    )
