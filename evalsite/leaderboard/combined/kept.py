"""Resamples that a combined score needs and evaluations do not keep by themselves.

A score that is no function of sums, such as a rank correlation or an area under a curve, cannot be drawn again from a
stored evaluation. So its gold says that evaluations keep its resamples (`Gold.keeps`), and runs that were scored before
are scored once more in the background, with the numbers that they have (`evalsite.leaderboard.keeping`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

import scoring as engine
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase
from evalsite.leaderboard.combined.parts import Evaluations, Side
from evalsite.submissions.models import Result
from scoring.combining.draws import seeds_of
from scoring.combining.formula import Component
from scoring.comparing.redrawing import redrawn


class Keeps(TypedDict):
    """What evaluations on a gold keep."""

    scores: list[str]
    seed: int  # that the draws follow from


def needed(sides: Iterable[Side], chosen: Iterable[Component]) -> dict[str, Keeps]:
    """By scenario the scores that have to be kept, as one of its evaluations tells."""
    found = list(chosen)
    named = list(dict.fromkeys(each.scenario for each in found))
    first = {scenario: part for scenario in named if (part := _first(sides, scenario))}
    seeds = seeds_of(first, None)
    needs: dict[str, Keeps] = {}
    for scenario, part in first.items():
        drawn = redrawn(part, seeds[scenario], 1)
        has_headline = part.seed == seeds[scenario]
        wanted = [each.score for each in found if each.scenario == scenario and each.score not in drawn]
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
    """The results whose evaluations do not have what is needed."""
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
