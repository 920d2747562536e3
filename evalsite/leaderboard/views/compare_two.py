"""The page that compares two runs of a board."""

from typing import Any

import structlog
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import scoring as engine
from evalsite.challenges.access import sees_against_gold
from evalsite.challenges.precision import Precision, precision_for
from evalsite.leaderboard.compare_two.candidates import Candidate, candidates_of, found_among, is_visible, names_of
from evalsite.leaderboard.compare_two.labels import label_tables
from evalsite.leaderboard.compare_two.page import differences_of
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
    chosen, is_older = _chosen(request, candidates, opening)
    context: dict[str, Any] = {"candidates": list(candidates.values()), "chosen": chosen, "is_older": is_older}
    if len(chosen) == 2 and chosen[0].submission != chosen[1].submission:
        context |= _compared(chosen[0], chosen[1], opening, edition.comparison, rows)
    return render(request, "leaderboard/compare.html", opening.context("board_compare") | context)


def _chosen(request: HttpRequest, candidates: dict[str, Candidate], opening: Opening) -> tuple[list[Candidate], bool]:
    """The two of the address, or the first others, ranked ones before; whether one of them has no newest score."""
    chosen, is_older = [], False
    for key in filter(None, (request.GET.get(name, "") for name in ("a", "b"))):
        found = found_among(candidates, key, opening, request.user)
        if found:
            chosen.append(found)
        elif is_visible(key, opening, request.user):
            is_older = True
        else:
            raise Http404
    named = {candidate.submission for candidate in chosen}
    ranked_first = sorted(candidates.values(), key=lambda candidate: not candidate.places)
    others = [candidate for candidate in ranked_first if candidate.submission not in named]
    return (chosen + others)[:2], is_older


def _compared(
    first: Candidate, second: Candidate, opening: Opening, comparison: dict[str, Any], rows: list[Row]
) -> dict[str, Any]:
    """What the page shows of the two; `is_gone` where their stored numbers cannot be read."""
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
    compared = told(compared, precision)
    names = names_of(first, second)
    shown = differences_of(compared, names, opening.scenario, comparison, rows, (first.submission, second.submission))
    return {"compared": compared, "names": names, "differences": shown} | _closer(
        first, second, opening, compared, results, precision
    )


def _closer(
    first: Candidate,
    second: Candidate,
    opening: Opening,
    compared: engine.ScoreComparison,
    results: tuple[Result, Result],
    precision: Precision,
) -> dict[str, Any]:
    """What lies behind the scores, as far as this visitor may see it."""
    are_seen = first.is_seen and second.is_seen
    sees_gold = sees_against_gold(opening.sight.role, opening.phase)
    shown: dict[str, Any] = {"labels": label_tables(*results, precision) if are_seen else [], "sees_gold": sees_gold}
    if compared.unit_scores is not None and (are_seen or sees_gold):
        sees_units = are_seen and sees_gold
        family = opening.scenario.engine_family
        names = compared.units if sees_units and family.unit_record else None
        scenario = opening.scenario
        shown["scatter"] = scatter_of(
            *compared.unit_scores,
            scenario.scale,
            is_coarse=not sees_units,
            lower_is_better=scenario.lower_is_better,
            names=names,
        )
        if sees_units:
            texts = family.unit_texts(results[0].tables)
            changed = changed_units(compared.units, *compared.unit_scores, scenario.scale)
            shown["units"] = [(each, texts.get(each.name, "")) for each in changed[:MOST_LISTED] if each.has_changed]
            shown["has_unit_pages"] = names is not None
            shown["pair_query"] = query_of(first, second)
    return shown
