"""The runs that a combined score is made of, by team and scenario, and the resamples that it needs of them.

A score that is no function of sums, such as a rank correlation or an area under a curve, cannot be drawn again from a
stored evaluation. So its gold says that evaluations keep its resamples (`Gold.keeps`), and runs that were scored before
are scored once more in the background, with the numbers that they have (`keep_more` in `evalsite.leaderboard.tasks`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import structlog

import scoring as engine
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import local_path
from evalsite.leaderboard.making.entries import best_runs_on
from evalsite.submissions.models import Result, Submission
from scoring.combining.draws import seeds_of
from scoring.combining.formula import Component
from scoring.comparing.redrawing import redrawn

log = structlog.get_logger()


@dataclass
class Side:
    """A team, or one run of the organisers, with its results."""

    team: str
    reference: str  # "" of a team
    method: str  # of the latest of its runs
    submission: str  # likewise
    results: dict[str, Result] = field(default_factory=dict)  # by the scenario's name

    @property
    def key(self) -> str:
        """Return the key that it has on the board: a team has one place, of references each run has its own."""
        return self.submission if self.reference else self.team

    def score_of(self, scenario: str, score: str) -> float | None:
        """Return the score; None without a run there, or where it does not apply."""
        result = self.results.get(scenario)
        return result.scores.get(score) if result else None

    def interval_of(self, scenario: str, score: str) -> tuple[float, float] | None:
        """Return the ends of the score's interval; None where it has none."""
        result = self.results.get(scenario)
        ends = result.intervals.get(score) if result else None
        return (ends[0], ends[1]) if ends else None


class Evaluations(Mapping[str, engine.Evaluation | None]):
    """The evaluations of one side by scenario; each is read from its file when it is asked for, and not kept.

    None where it has no run, and for a file that is lost or broken: then the side lacks the scenario.
    """

    def __init__(self, results: Mapping[str, Result], scenarios: Sequence[str]) -> None:
        self._results, self._scenarios = results, scenarios

    def __getitem__(self, scenario: str) -> engine.Evaluation | None:
        if scenario not in self._scenarios:
            raise KeyError(scenario)
        result = self._results.get(scenario)
        if result is None:
            return None
        try:
            with local_path(result.evaluation) as path:
                path.stat()
                return engine.Evaluation.load(path)
        except (FileNotFoundError, engine.ConfigurationError) as error:
            log.error("a team lacks a scenario: its evaluation is lost", result=str(result.pk), error=str(error))
            return None

    def __iter__(self) -> Iterator[str]:
        return iter(self._scenarios)

    def __len__(self) -> int:
        return len(self._scenarios)


def scenarios_of(phase: Phase) -> list[Scenario]:
    """Return the scenarios that the phase ranks, by their numbers."""
    return list(golds_in_force(phase))


def scores_of(scenarios: list[Scenario]) -> dict[str, list[str]]:
    """Return the scores of each scenario by its name, as a formula may name them."""
    return {scenario.name: list(scenario.score_titles) for scenario in scenarios}


def sides_of(phase: Phase) -> list[Side]:
    """Return everybody with a run that counts in some scenario; late ones that do not rank are left out."""
    sides: dict[str, Side] = {}
    references = set(Submission.Reference.values)
    for scenario, gold in golds_in_force(phase).items():
        for best in best_runs_on(gold):
            if best.reference and best.reference not in references:
                continue
            run = best.result.scoring.submission
            side = Side(str(run.team_id), best.reference, run.method, str(run.pk))
            sides.setdefault(side.key, side).results[scenario.name] = best.result
    return list(sides.values())


class Keeps(TypedDict):
    """The resamples that evaluations on a gold keep."""

    scores: list[str]
    seed: int  # that the draws follow from


def needed(sides: Iterable[Side], chosen: Iterable[Component]) -> dict[str, Keeps]:
    """Return by scenario the scores that have to be kept, as one of its evaluations tells."""
    parts = list(chosen)
    named = list(dict.fromkeys(part.scenario for part in parts))
    first = {scenario: part for scenario in named if (part := _first(sides, scenario))}
    seeds = seeds_of(first, None)
    needs: dict[str, Keeps] = {}
    for scenario, part in first.items():
        drawn = redrawn(part, seeds[scenario], 1)
        has_headline = part.seed == seeds[scenario]
        wanted = [part.score for part in parts if part.scenario == scenario and part.score not in drawn]
        if scores := [score for score in wanted if not (has_headline and score == part.headline)]:
            needs[scenario] = {"scores": scores, "seed": seeds[scenario]}
    return needs


def keep_from_now_on(phase: Phase, needs: Mapping[str, Keeps]) -> None:
    """Let all runs that are scored from now on keep what the combined score needs, and nothing else."""
    for scenario, gold in golds_in_force(phase).items():
        keeps: Mapping[str, object] = needs.get(scenario.name) or {}
        if gold.keeps != keeps:
            Gold.objects.filter(pk=gold.pk).update(keeps=keeps)


def lacking(sides: Iterable[Side], needs: Mapping[str, Keeps]) -> Iterator[Result]:
    """Yield the results whose evaluations do not have what is needed."""
    for side in sides:
        for scenario, keeps in needs.items():
            result = side.results.get(scenario)
            part = Evaluations(side.results, [scenario])[scenario] if result else None
            if result and part and not _has(part, keeps):
                yield result


def _has(part: engine.Evaluation, keeps: Keeps) -> bool:
    seed = part.seed if part.kept_seed is None else part.kept_seed
    # A score that does not apply leaves its side without a place, and needs no resamples.
    return all(
        part.scores.get(score) is None or (score in part.kept_draws and seed == keeps["seed"])
        for score in keeps["scores"]
    )


def _first(sides: Iterable[Side], scenario: str) -> engine.Evaluation | None:
    having = (side for side in sides if scenario in side.results)
    return next((part for side in having if (part := Evaluations(side.results, [scenario])[scenario])), None)
