"""Makes the board of a combined score from the stored evaluations of the best runs; nothing is scored again.

`Combined.board` has `parts`, the names of the scores that it is made of, and `entries` and `comparison` as an edition
has them (`making.entries`, `making.comparison`). The scores of an entry are the combined one and its parts, of mean
ranks the ranks and the Borda count; it has also `lacking` (scenarios without a run), `runs` ({scenario: submission})
and `no_interval` (why it has none). Of the comparison `n_units` are those of the smallest scenario, by which it is
tested, `n_items` those of all, `n_scenarios` their number. Or there is `problem` alone: why there is no board; or
`awaited` alone: how many runs are scored once more before there can be one.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from django.core.cache import cache
from django.utils import timezone

import scoring as engine
from evalsite.background.requesting import request_job
from evalsite.challenges.models import Phase
from evalsite.challenges.revisions import raise_news
from evalsite.leaderboard.combined.history import history_of
from evalsite.leaderboard.combined.parts import (
    Evaluations,
    Side,
    keep_from_now_on,
    lacking,
    needed,
    scenarios_of,
    scores_of,
    sides_of,
)
from evalsite.leaderboard.combined_score import BORDA, NAME, CombinedScore, key_of
from evalsite.leaderboard.models import Board, Combined
from evalsite.submissions.models import Result
from scoring.combining.combine import interval_of
from scoring.combining.formula import Component, bound, components
from scoring.comparing.places import OF_COMPARISON, facts_of, packed
from scoring.messages import Message, to_data

N_RESAMPLES = 10_000
LONGEST = 600  # seconds that a board takes; then its maker is thought dead
KEEPING = "keeping"  # kind of job
BASIS = ("scenario__number", "scenario__name", "compared")
FORM = 3  # of what is stored, which another form of it makes stale


def basis_of(combined: Combined) -> str:
    """Return a digest of what the board would be made of now: it changes when other runs rank on a board of the
    phase."""
    boards = Board.objects.filter(phase=combined.phase_id).order_by("scenario__number")
    made_of = [
        [combined.kind, combined.formula, combined.lower_is_better, combined.missing, engine.__version__, FORM],
        [[str(key), *of] for key, *of in boards.values_list("scenario_id", *BASIS)],
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


def _parts(combined: Combined, chosen: Iterable[Component]) -> dict[str, Component]:
    """Return the components by the names that they have on the board."""
    scenarios = {scenario.name: scenario for scenario in scenarios_of(combined.phase)}
    return {key_of(scenarios[part.scenario], part.score): part for part in chosen}


def _made(combined: Combined) -> dict[str, Any]:
    sides = _sides(combined)
    if all(side.reference for side in sides):
        return {"entries": []}
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
    parts = _parts(combined, _chosen(combined))
    drawing = _resampling(sides)
    systems = _systems(combined.phase, sides)
    compared = engine.compare_combined(
        combined.formula,
        systems,
        missing="zero" if combined.missing == Combined.Missing.LAST else "unranked",
        references=[side.key for side in sides if side.reference],
        lower_is_better=combined.lower_is_better,
        **drawing,
    )
    assert compared.draws is not None
    of = {side.key: side for side in sides}
    entries = []
    for place, row in enumerate(compared.table):
        drawn: tuple[Any, list[str]] = (None, [])
        if row["score"] is not None:
            drawn = interval_of(row["score"], compared.draws[place], compared.n_units, compared.confidence_level)
        entries.append(_entry(of[row["name"]], row, drawn, parts, drawing))
    for row in compared.references:
        drawn = _of_reference(combined, systems[row["name"]], drawing) if row["score"] is not None else (None, [])
        scored = {"score": row["score"]}
        entries.append(_entry(of[row["name"]], scored, drawn, parts, drawing))
    board = _board(combined, entries, parts, sides, lambda unit: facts_of(compared, unit))
    return board | {"history": history_of(combined, drawing)}


def _of_reference(
    combined: Combined, parts: Evaluations, drawing: dict[str, Any]
) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the interval of a reference, whose draws no comparison returns, and why it has none."""
    present = {scenario: part for scenario, part in parts.items() if part is not None}
    try:
        answer = engine.combine(combined.formula, present, **drawing)
    except engine.ConfigurationError:  # it lacks a scenario
        return None, []
    return answer.interval, answer.warnings


def _systems(phase: Phase, sides: list[Side]) -> dict[str, Evaluations]:
    """Return for each side all scenarios, in the order of their numbers: those without a run are None."""
    order = [scenario.name for scenario in scenarios_of(phase)]
    return {side.key: Evaluations(side.results, order) for side in sides}


def _entry(
    side: Side,
    row: dict[str, Any],
    interval: tuple[tuple[float, float] | None, list[str]],
    parts: dict[str, Component],
    drawing: dict[str, Any],
    further: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the entry of a side; `further` are its other scores, without which these are those of its runs."""
    named = dict.fromkeys(part.scenario for part in parts.values())
    ends, warnings = interval
    intervals = {NAME: ends}
    if further is None:
        further = {name: side.score_of(part.scenario, part.score) for name, part in parts.items()}
        intervals |= {name: side.interval_of(part.scenario, part.score) for name, part in parts.items()}
    there = {name: pair for name, pair in intervals.items() if pair}
    runs = {name: str(result.scoring.submission_id) for name, result in side.results.items() if name in named}
    return {
        "submission": side.submission,
        "team": side.team,
        "method": side.method,
        "reference": side.reference,
        **{name: row.get(name) for name in ("rank", *OF_COMPARISON)},
        "headline": row["score"],
        "scores": {NAME: row["score"]} | further,
        "lows": {name: pair[0] for name, pair in there.items()},
        "highs": {name: pair[1] for name, pair in there.items()},
        "interval_method": "percentile" if ends else "",
        "no_interval": "" if ends else _why_none(warnings),
        "lacking": [name for name in named if name not in side.results],
        "runs": runs,
        "n_runs": len(set(runs.values())),
        "n_units": sum(result.n_units for name, result in side.results.items() if name in named),
        "date": max(result.scoring.submission.created for result in side.results.values()).isoformat(),
        "signature": "",
        **drawing,
    }


def _why_none(warnings: list[str]) -> str:
    """Return why there is no interval, which the last of the engine's warnings says."""
    last = warnings[-1] if warnings else ""
    return str(last.values.get("reason", last)) if isinstance(last, Message) else last


def _by_ranks(combined: Combined, sides: list[Side]) -> dict[str, Any]:
    missing = "last" if combined.missing == Combined.Missing.LAST else "unranked"
    drawing = _resampling(sides)
    table = engine.mean_rank(_systems(combined.phase, sides), missing=missing, **drawing)
    of = {side.key: side for side in sides}
    parts = _parts(combined, [Component(scenario, score) for scenario, score in table.scores.items()])
    entries = []
    for row in table.table:
        ranks = {name: (row["ranks"] or {}).get(part.scenario) for name, part in parts.items()}
        ends = None if row["low"] is None else (row["low"], row["high"])
        ranked = row | {"score": row["mean_rank"]}
        entries.append(_entry(of[row["name"]], ranked, (ends, []), parts, drawing, ranks | {BORDA: row["borda"]}))

    def facts(unit: Sequence[str]) -> dict[str, Any]:
        return {
            "signature": table.signature,
            "unit": list(unit),
            "n_units": max(table.n_units.values()),  # scenarios with few units separate nobody by themselves
            "n_resamples": table.n_resamples,
            "confidence_level": table.confidence_level,
            "seed": None,
            "critical_value": table.critical_value,
            "warnings": table.warnings,
            "separated": packed(np.asarray(table.separated)),
            "p_values": "",
            "references": {},
        }

    return _board(combined, entries, parts, sides, facts)


def _board(
    combined: Combined,
    entries: list[dict[str, Any]],
    parts: dict[str, Component],
    sides: list[Side],
    facts: Callable[[Sequence[str]], dict[str, Any]],
) -> dict[str, Any]:
    board = {"parts": list(parts), "entries": entries}
    unit = CombinedScore(Combined(phase=combined.phase, board=board), scenarios_of(combined.phase)).unit
    named = dict.fromkeys(part.scenario for part in parts.values())
    units = {name: side.results[name].n_units for side in sides for name in named if name in side.results}
    tested = {"n_items": sum(units.values()), "n_scenarios": len(named)}
    comparison = facts(unit) | tested
    return board | {"comparison": comparison | {"warnings": to_data(comparison["warnings"])}}
