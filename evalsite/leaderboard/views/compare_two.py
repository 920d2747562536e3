"""The page that compares two runs of a board."""

from http import HTTPStatus
from typing import Any

import structlog
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import scoring as engine
from evalsite.challenges.precision import precision_for
from evalsite.leaderboard.compare_two.candidates import Candidate, candidates_of, found_among, is_visible, names_of
from evalsite.leaderboard.compare_two.labels import label_tables
from evalsite.leaderboard.compare_two.page import OnBoard, differences_of
from evalsite.leaderboard.compare_two.pairs import MOST_A_DAY, Pairs, Telling, counted
from evalsite.leaderboard.compare_two.results import results_of
from evalsite.leaderboard.compare_two.scatter import scatter_of
from evalsite.leaderboard.compare_two.scores import compare_results, told
from evalsite.leaderboard.compare_two.units import changed_units, query_of
from evalsite.leaderboard.opening import Opening, opened
from evalsite.leaderboard.rows import Row
from evalsite.submissions.models import Result

log = structlog.get_logger()
MOST_LISTED = 20  # of the units that differ most
KEPT_FOR = 3600  # seconds; the numbers of two results never change


@require_safe
def compare(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    opening = opened(request, task, phase, scenario)
    edition, rows = opening.edition()
    candidates = candidates_of(opening, rows, request.user)
    if not opening.sees and not candidates:
        return opening.refused(request, "board_compare")
    pairs = Pairs(opening)
    chosen, is_older = _chosen(request, candidates, pairs)
    beside = [each for each in candidates.values() if not chosen or each == chosen[0] or pairs.telling(chosen[0], each)]
    context: dict[str, Any] = {"candidates": list(candidates.values()), "beside": beside, "chosen": chosen}
    context |= {"is_older": is_older, "is_hidden": not pairs.are_open}
    status = HTTPStatus.OK
    if len(chosen) == 2 and chosen[0].submission != chosen[1].submission:
        if not pairs.telling(*chosen):
            context |= {"is_refused": True, "predecessors": _predecessors(chosen, pairs, request)}
            status = HTTPStatus.FORBIDDEN
        elif not pairs.are_open and not counted(*chosen, opening):
            context |= {"most_a_day": MOST_A_DAY}
            status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            context |= _compared(chosen[0], chosen[1], pairs, edition.comparison, rows)
    return render(request, "leaderboard/compare.html", opening.context("board_compare") | context, status=status)


def _chosen(request: HttpRequest, candidates: dict[str, Candidate], pairs: Pairs) -> tuple[list[Candidate], bool]:
    """The two of the address, or the first others, ranked ones before; whether one of them has no newest score."""
    chosen: list[Candidate] = []
    is_older = False
    for key in filter(None, (request.GET.get(name, "") for name in ("a", "b"))):
        found = found_among(candidates, key, pairs.opening, request.user)
        if found:
            chosen.append(found)
        elif is_visible(key, pairs.opening, request.user):
            is_older = True
        else:
            raise Http404
    for candidate in sorted(candidates.values(), key=lambda candidate: not candidate.places):
        is_new = all(candidate.submission != each.submission for each in chosen)
        if len(chosen) < 2 and is_new and all(pairs.telling(each, candidate) for each in chosen):
            chosen.append(candidate)
    return chosen, is_older


def _predecessors(chosen: list[Candidate], pairs: Pairs, request: HttpRequest) -> list[tuple[str, str]]:
    """What each of the two can be compared with instead, and the query of that pair."""
    found = []
    for run in chosen:
        key = pairs.predecessor_of(run) if run.is_seen else None
        if key and (before := found_among({}, key, pairs.opening, request.user)):
            found.append((names_of(run, before), query_of(run, before)))
    return found


def _compared(
    first: Candidate, second: Candidate, pairs: Pairs, comparison: dict[str, Any], rows: list[Row]
) -> dict[str, Any]:
    """What the page shows of the two; `is_gone` where their stored numbers cannot be read."""
    opening = pairs.opening
    results = results_of(first, second, opening)
    if results is None:
        return {"is_gone": True}
    key = "compare_two:{}:{}".format(*(result.pk for result in results))
    compared = cache.get(key)
    if compared is None:
        try:
            compared = compare_results(*results)
        except (engine.ConfigurationError, OSError):
            log.exception("two results cannot be compared", results=[str(result.pk) for result in results])
            return {"is_gone": True}
        cache.set(key, compared, KEPT_FOR)
    precision = precision_for(opening.sight.role, opening.phase, opening.scenario)
    telling = pairs.telling(first, second)
    compared = told(compared, precision, telling)
    names = names_of(first, second)
    board = OnBoard(comparison, rows, (first.submission, second.submission))
    shown = differences_of(compared, names, opening.scenario, precision, telling, board)
    found = {
        "compared": compared,
        "names": names,
        "differences": shown,
        "is_tested": telling is not Telling.SCORES,
    }
    if first.is_seen and second.is_seen:
        found["labels"] = label_tables(*results, precision)
    return found | _units(first, second, opening, compared, results) if pairs.are_open else found


def _units(
    first: Candidate,
    second: Candidate,
    opening: Opening,
    compared: engine.ScoreComparison,
    results: tuple[Result, Result],
) -> dict[str, Any]:
    """Single units in both, for those who may see the gold; what names them is each team's own."""
    if compared.unit_scores is None:
        return {}
    sees_units = first.is_seen and second.is_seen
    scenario = opening.scenario
    family = scenario.engine_family
    names = compared.units if sees_units and family.unit_record else None
    scatter = scatter_of(
        *compared.unit_scores,
        scenario.scale,
        is_coarse=not sees_units,
        lower_is_better=scenario.lower_is_better,
        names=names,
    )
    if not sees_units:
        return {"scatter": scatter}
    texts = family.unit_texts(results[0].tables)
    changed = changed_units(compared.units, *compared.unit_scores, scenario.scale)
    return {
        "scatter": scatter,
        "units": [(each, texts.get(each.name, "")) for each in changed[:MOST_LISTED] if each.has_changed],
        "has_unit_pages": names is not None,
        "pair_query": query_of(first, second),
    }
