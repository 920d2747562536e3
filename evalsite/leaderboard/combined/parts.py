"""The runs that count in each scenario of a phase, as the engine takes them: by team, then by scenario."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

import scoring as engine
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.storage.files import local_path
from evalsite.leaderboard.entries import bests_on
from evalsite.submissions.models import Result, Submission

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
        """By which it is known on the board: a team has one place, of references each run is by itself."""
        return self.submission if self.reference else self.team

    def score_of(self, scenario: str, score: str) -> float | None:
        """None where it has no run there, or the score does not apply."""
        result = self.results.get(scenario)
        return result.scores.get(score) if result else None


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
    """Those that the phase ranks, by their numbers."""
    return list(golds_in_force(phase))


def scores_of(scenarios: list[Scenario]) -> dict[str, list[str]]:
    """The scores of each scenario by its name, as a formula may name them."""
    return {scenario.name: list(scenario.score_titles) for scenario in scenarios}


def sides_of(phase: Phase) -> list[Side]:
    """Everybody with a run that counts in some scenario; late ones that do not rank are left out."""
    sides: dict[str, Side] = {}
    references = set(Submission.Reference.values)
    for scenario, gold in golds_in_force(phase).items():
        for best in bests_on(gold):
            if best.reference and best.reference not in references:
                continue
            run = best.result.scoring.submission
            side = Side(str(run.team_id), best.reference, run.method, str(run.pk))
            sides.setdefault(side.key, side).results[scenario.name] = best.result
    return list(sides.values())


def facts_of(side: Side) -> dict[str, Any]:
    """What an entry says of who it is."""
    return {
        "key": side.key,
        "team": side.team,
        "reference": side.reference,
        "method": side.method,
        "submission": side.submission,
    }
