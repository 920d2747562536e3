"""Makes the board of a combined score from the stored evaluations of the best runs; nothing is scored again.

`Combined.board` has: kind, signature, warnings, n_units (of the smallest scenario), n_resamples, confidence_level,
`scenarios` (those that count, by name), `parts` (what entries tell), `separated` (packed bits over the ranked entries),
and `entries`, best first: key, team, reference, method, submission, rank, rank_low, rank_high, score, low, high,
`parts` {scenario.score: value or rank}, `lacking` (scenarios without a run); of a formula also group, the difference
to the leader with its ends, p_to_leader and probability_best; of mean ranks borda. Or `problem` alone: why it has none;
or `awaited` alone: how many runs are scored once more before there can be one.
"""

import json
from hashlib import sha256
from typing import Any

import numpy as np
from django.core.cache import cache
from django.utils import timezone

import scoring as engine
from evalsite.background.requesting import request_job
from evalsite.challenges.models import Phase
from evalsite.challenges.revisions import raise_news
from evalsite.leaderboard.combined.parts import (
    Evaluations,
    Side,
    facts_of,
    keep_from_now_on,
    lacking,
    needed,
    scenarios_of,
    scores_of,
    sides_of,
)
from evalsite.leaderboard.making.comparison import packed
from evalsite.leaderboard.models import Board, Combined
from evalsite.submissions.models import Result
from scoring.combining.combine import interval_of
from scoring.combining.formula import Component, bound, components
from scoring.messages import to_data

N_RESAMPLES = 10_000
LONGEST = 600  # seconds that a board takes; then its maker is thought dead
KEEPING = "keeping"  # kind of job
OF_ROW = (
    "rank",
    "rank_low",
    "rank_high",
    "group",
    "difference_to_leader",
    "difference_low",
    "difference_high",
    "p_to_leader",
    "probability_best",
)


def basis_of(combined: Combined) -> str:
    """Return a digest of what the board would be made of now: it changes when other runs rank on a board of the
    phase."""
    boards = Board.objects.filter(phase=combined.phase_id).order_by("scenario__number")
    made_of = [
        [combined.kind, combined.formula, combined.lower_is_better, combined.missing, engine.__version__],
        [[str(key), name, done] for key, name, done in boards.values_list("scenario_id", "scenario__name", "compared")],
    ]
    return sha256(json.dumps(made_of).encode()).hexdigest()


def is_fresh(combined: Combined) -> bool:
    return combined.basis == basis_of(combined)


def make_if_stale(combined: Combined) -> None:
    """Make the combined board, one process at a time; what another one is making, beat looks at again."""
    key = f"combined-board-{combined.pk}"
    if is_fresh(combined) or not cache.add(key, "", LONGEST):
        return
    try:
        make(combined)
    finally:
        cache.delete(key)


def make(combined: Combined) -> None:
    """Make the board anew. What changes meanwhile changes the basis, and so is not missed."""
    basis = basis_of(combined)
    try:
        board = _made(combined)
    except Awaited as awaited:
        board = {"awaited": awaited.n_runs}
    except engine.ConfigurationError as error:
        board = {"problem": to_data(error.message)}
    settings = {name: getattr(combined, name) for name in ("kind", "formula", "lower_is_better", "missing")}
    # Not over the wish of somebody who has changed it meanwhile.
    Combined.objects.filter(pk=combined.pk, **settings).update(basis=basis, made=timezone.now(), board=board)
    raise_news([combined.phase.task_id])


class Awaited(Exception):
    """Runs have to be scored again before there can be a board."""

    def __init__(self, n_runs: int) -> None:
        super().__init__(f"{n_runs} runs are awaited")
        self.n_runs = n_runs


def lacking_now(combined: Combined) -> list[Result]:
    """Return the results that lack resamples which the combined score needs; those of later runs will have them."""
    sides = _sides(combined)
    needs = needed(sides, _chosen(combined))
    keep_from_now_on(combined.phase, needs)
    return list(lacking(sides, needs))


def _sides(combined: Combined) -> list[Side]:
    sides = sides_of(combined.phase)
    return [side for side in sides if not side.reference] if combined.kind == Combined.Kind.RANKS else sides


def _chosen(combined: Combined) -> list[Component]:
    scenarios = scenarios_of(combined.phase)
    if combined.kind == Combined.Kind.RANKS:
        return [Component(scenario.name, scenario.headline) for scenario in scenarios]
    return components(bound(combined.formula, scores_of(scenarios)))


def _made(combined: Combined) -> dict[str, Any]:
    sides = _sides(combined)
    if all(side.reference for side in sides):
        return {"kind": combined.kind, "entries": []}
    if awaited := lacking_now(combined):
        request_job(KEEPING, subject=combined.pk, task=combined.phase.task)
        raise Awaited(len(awaited))
    return _by_ranks(combined, sides) if combined.kind == Combined.Kind.RANKS else _by_formula(combined, sides)


def _resampling(sides: list[Side]) -> dict[str, Any]:
    """Return the number of resamples that all results have, and the level of their intervals."""
    results = [result for side in sides for result in side.results.values()]
    stored = [result.n_resamples for result in results if result.n_resamples]
    return {
        "n_resamples": min(stored, default=N_RESAMPLES),
        "confidence_level": results[0].confidence_level or 0.95,
    }


def _by_formula(combined: Combined, sides: list[Side]) -> dict[str, Any]:
    node = bound(combined.formula, scores_of(scenarios_of(combined.phase)))
    chosen = components(node)
    drawing = _resampling(sides)
    compared = engine.compare_combined(
        combined.formula,
        _systems(combined.phase, sides),
        missing="zero" if combined.missing == Combined.Missing.LAST else "unranked",
        references=[side.key for side in sides if side.reference],
        lower_is_better=combined.lower_is_better,
        **drawing,
    )
    assert compared.draws is not None
    of = {side.key: side for side in sides}
    entries = []
    for place, row in enumerate(compared.table):
        ends = None
        if row["score"] is not None:
            ends, _ = interval_of(row["score"], compared.draws[place], compared.n_units, compared.confidence_level)
        entries.append(_entry(of[row["name"]], row, ends, chosen))
    for row in compared.references:
        entries.append(_entry(of[row["name"]], {"score": row["score"]}, None, chosen))
    return _facts(combined, compared, entries, chosen) | {"n_units": compared.n_units}


def _systems(phase: Phase, sides: list[Side]) -> dict[str, Evaluations]:
    """Return for each side all scenarios, in the order of their numbers: those without a run are None."""
    order = [scenario.name for scenario in scenarios_of(phase)]
    return {side.key: Evaluations(side.results, order) for side in sides}


def _entry(
    side: Side, row: dict[str, Any], ends: tuple[float, float] | None, chosen: list[Component]
) -> dict[str, Any]:
    named = dict.fromkeys(each.scenario for each in chosen)
    return {
        **facts_of(side),
        **{name: row.get(name) for name in OF_ROW},
        "score": row["score"],
        "low": ends[0] if ends else None,
        "high": ends[1] if ends else None,
        "parts": {str(each): side.score_of(each.scenario, each.score) for each in chosen},
        "lacking": [name for name in named if name not in side.results],
    }


def _by_ranks(combined: Combined, sides: list[Side]) -> dict[str, Any]:
    missing = "last" if combined.missing == Combined.Missing.LAST else "unranked"
    table = engine.mean_rank(_systems(combined.phase, sides), missing=missing, **_resampling(sides))
    of = {side.key: side for side in sides}
    entries = [
        {
            **facts_of(of[row["name"]]),
            "rank": row["rank"],
            "rank_low": row["rank_low"],
            "rank_high": row["rank_high"],
            "score": row["mean_rank"],
            "low": row["low"],
            "high": row["high"],
            "borda": row["borda"],
            "parts": {f"{name}.{score}": (row["ranks"] or {}).get(name) for name, score in table.scores.items()},
            "lacking": [name for name in table.scores if name not in of[row["name"]].results],
        }
        for row in table.table
    ]
    chosen = [Component(scenario, score) for scenario, score in table.scores.items()]
    return _facts(combined, table, entries, chosen) | {"n_units": min(table.n_units.values())}


def _facts(combined: Combined, found: Any, entries: list[dict[str, Any]], chosen: list[Component]) -> dict[str, Any]:
    scenarios = list(dict.fromkeys(each.scenario for each in chosen))
    return {
        "kind": combined.kind,
        "signature": found.signature,
        "warnings": to_data(found.warnings),
        "n_resamples": found.n_resamples,
        "confidence_level": found.confidence_level,
        "scenarios": scenarios,
        "parts": [str(each) for each in chosen],
        "separated": packed(np.asarray(found.separated)),
        "entries": entries,
    }
