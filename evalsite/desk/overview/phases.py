"""How each phase of a task is doing, in a line."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalsite.challenges.models import Phase
from evalsite.challenges.readiness import Stage


@dataclass(frozen=True)
class PhaseLine:
    phase: Phase
    n_golds: int  # scenarios that have gold
    n_scenarios: int
    states: list[tuple[str, int]]  # of scorings, with the number of submissions that have one in it


def phase_lines(stages: Iterable[Stage]) -> list[PhaseLine]:
    return [
        PhaseLine(
            phase=stage.phase,
            n_golds=sum(gold is not None for _, gold in stage.golds),
            n_scenarios=len(stage.golds),
            states=stage.submissions,
        )
        for stage in stages
    ]
