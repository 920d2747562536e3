"""The page that compares two runs of a board, the units in which they differ, and one unit beside the gold."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

import structlog
from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import scoring as engine
from evalsite.base.cache_keys import cache_key
from evalsite.board_pages.board.access import BoardAccess, access_to_board
from evalsite.board_pages.board.rows import Row
from evalsite.challenges.access import sees_against_gold
from evalsite.challenges.precision import precision_for
from evalsite.comparisons.compare_two.differences import (
    ChangedUnit,
    changed_units,
    compare_results,
    disclosed,
    label_tables,
    query_of,
    read_results,
    results_of,
    stamps_of,
)
from evalsite.comparisons.compare_two.page import OnBoard, differences_of
from evalsite.comparisons.compare_two.pairs import (
    MOST_A_DAY,
    ComparableRun,
    Disclosure,
    Pairs,
    comparable_runs,
    find_run,
    is_visible,
    may_compare_today,
    names_of,
)
from evalsite.comparisons.compare_two.scatter import scatter_of
from evalsite.jobs.slots import Busy
from evalsite.results.stored import FileMissing, evaluation_of, unit_record
from evalsite.results.three_way.comparing import three_way
from evalsite.results.three_way.families import LAYERS
from evalsite.results.views import unreadable
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Result
from scoring import Evaluation
from scoring.comparing.units import are_paired, scores_of_units
from scoring.scale import Scale

log = structlog.get_logger()
MOST_LISTED = 20  # of the units that differ most
CACHE_TIMEOUT = 3600  # seconds; the numbers of two results never change


@require_safe
def compare(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    edition, rows = access.edition()
    runs = comparable_runs(access, rows, request.user)
    if not access.is_allowed and not runs:
        return access.forbidden(request, "board_compare")
    pairs = Pairs(access)
    chosen, is_older = _chosen(request, runs, pairs)
    beside = [run for run in runs.values() if not chosen or run == chosen[0] or pairs.disclosure(chosen[0], run)]
    context: dict[str, Any] = {"runs": list(runs.values()), "beside": beside, "chosen": chosen}
    context |= {"is_older": is_older, "is_hidden": not pairs.are_open}
    status = HTTPStatus.OK
    if len(chosen) == 2 and chosen[0].submission != chosen[1].submission:
        if not pairs.disclosure(*chosen):
            context |= {"is_refused": True, "predecessors": _predecessors(chosen, pairs, request)}
            status = HTTPStatus.FORBIDDEN
        elif not pairs.are_open and not may_compare_today(*chosen, access):
            context |= {"most_a_day": MOST_A_DAY}
            status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            context |= _compared(chosen[0], chosen[1], pairs, edition.comparison, rows)
    return render(request, "leaderboard/compare.html", access.context("board_compare") | context, status=status)


def _chosen(request: HttpRequest, runs: dict[str, ComparableRun], pairs: Pairs) -> tuple[list[ComparableRun], bool]:
    """Return the two of the address, or the first others, ranked ones before; whether one of them has no newest
    score."""
    chosen: list[ComparableRun] = []
    is_older = False
    for key in filter(None, (request.GET.get(name, "") for name in ("a", "b"))):
        candidate = find_run(runs, key, pairs.access, request.user)
        if candidate:
            chosen.append(candidate)
        elif is_visible(key, pairs.access, request.user):
            is_older = True
        else:
            raise Http404
    for run in sorted(runs.values(), key=lambda run: not run.rank_range):
        is_new = all(run.submission != other.submission for other in chosen)
        if len(chosen) < 2 and is_new and all(pairs.disclosure(other, run) for other in chosen):
            chosen.append(run)
    return chosen, is_older


def _predecessors(chosen: list[ComparableRun], pairs: Pairs, request: HttpRequest) -> list[tuple[str, str]]:
    """Return what each of the two can be compared with instead, and the query of that pair."""
    offered = []
    for run in chosen:
        key = pairs.predecessor_of(run) if run.is_seen else None
        if key and (before := find_run({}, key, pairs.access, request.user)):
            offered.append((names_of(run, before), query_of(run, before)))
    return offered


def _compared(
    first: ComparableRun, second: ComparableRun, pairs: Pairs, comparison: dict[str, Any], rows: list[Row]
) -> dict[str, Any]:
    """Return what the page shows of the two; `is_gone` where their stored numbers cannot be read."""
    access = pairs.access
    stamps = stamps_of(first, second, access)
    if stamps is None:
        return {"is_gone": True}
    # Read where something is made of them that is not kept.
    results: Any = SimpleLazyObject(partial(read_results, stamps, access))
    key = "compare_two:{}:{}".format(*(pk for pk, _ in stamps))
    compared = cache.get(key)
    if compared is None:
        try:
            compared = compare_results(*results)
        except (engine.ConfigurationError, OSError):
            log.exception("two results cannot be compared", results=[str(pk) for pk, _ in stamps])
            return {"is_gone": True}
        cache.set(key, compared, CACHE_TIMEOUT)
    precision = precision_for(access.visibility.role, access.phase, access.scenario)
    disclosure = pairs.disclosure(first, second)
    compared = disclosed(compared, precision, disclosure)
    names = names_of(first, second)
    board = OnBoard(comparison, rows, (first.submission, second.submission))
    shown = differences_of(compared, names, access.scenario, precision, disclosure, board)
    sees_both = first.is_seen and second.is_seen
    labels = SimpleLazyObject(lambda: label_tables(*results, precision) if sees_both else [])
    of_units = SimpleLazyObject(lambda: _units(first, second, access, compared, results) if pairs.are_open else {})
    return {
        "compared": compared,
        "names": names,
        "differences": shown,
        "is_tested": disclosure is not Disclosure.SCORES,
        "labels": labels,
        "of_units": of_units,
        "fragment": cache_key(
            "two-runs",
            *stamps,
            *(get_language(), access.phase.task.revision, names, query_of(first, second)),
            *(precision, disclosure, sees_both, pairs.are_open),
        ),
    }


def _units(
    first: ComparableRun,
    second: ComparableRun,
    access: BoardAccess,
    compared: engine.ScoreComparison,
    results: tuple[Result, Result],
) -> dict[str, Any]:
    """Return single units in both, for those who may see the gold; what names them is each team's own."""
    if compared.unit_scores is None:
        return {}
    sees_units = first.is_seen and second.is_seen
    scenario = access.scenario
    family = scenario.engine_family
    names = compared.units if sees_units and family.views.unit_record else None
    scatter = scatter_of(
        *compared.unit_scores,
        scenario.scale,
        is_coarse=not sees_units,
        lower_is_better=scenario.lower_is_better,
        names=names,
    )
    if not sees_units:
        return {"scatter": scatter}
    texts = family.views.unit_texts(results[0].tables)
    changed = changed_units(compared.units, *compared.unit_scores, scenario.scale)
    return {
        "scatter": scatter,
        "units": [(unit, texts.get(unit.name, "")) for unit in changed[:MOST_LISTED] if unit.has_changed],
        "has_unit_pages": names is not None,
        "pair_query": query_of(first, second),
    }


PAGE = 100  # units of a list
TwoRuns = tuple[ComparableRun, ComparableRun]
TwoResults = tuple[Result, Result]


@dataclass(frozen=True)
class Pair:
    """Two runs of which the visitor may see every unit, and the units in their order."""

    chosen: TwoRuns
    results: TwoResults
    evaluations: tuple[Evaluation, Evaluation]
    units: list[ChangedUnit]
    at: str  # the point whose units are asked for; "" for all
    by_name: bool

    @property
    def query(self) -> str:
        """Return the query of the address of the next unit."""
        point = f"&at={self.at}" if self.at else ""
        return query_of(*self.chosen) + point + ("&order=name" if self.by_name else "")

    def context(self) -> dict[str, Any]:
        return {
            "chosen": self.chosen,
            "names": names_of(*self.chosen),
            "pair_query": query_of(*self.chosen),
            "query": self.query,
            "at": self.at,
            **dict(zip(("at_first", "at_second"), self.at.partition(",")[::2], strict=True)),
            "by_name": self.by_name,
            "n_units": len(self.units),
        }


@require_safe
def changed(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    """List the units in which the two differ, the largest difference first; or those at a point of the scatter."""
    access = access_to_board(request, task, phase, scenario)
    chosen, results = _chosen_results(request, access)
    try:
        pair = _pair(request, chosen, results, access.scenario.scale)
    except FileMissing as error:
        return unreadable(request, error, {"submission": results[0].scoring.submission})
    texts = access.scenario.engine_family.views.unit_texts(pair.results[0].tables)
    page = Paginator(pair.units, PAGE).get_page(request.GET.get("page"))
    noun = access.unit[len(pair.units) != 1]
    context = pair.context() | {
        "noun": noun,
        "page": page,
        "units": [(unit, texts.get(unit.name, "")) for unit in page],
    }
    return render(request, "leaderboard/compare_units.html", access.context("board_compare") | context)


@require_safe
def unit(request: HttpRequest, task: str, phase: str, scenario: int, unit: str) -> HttpResponse:
    """Show one unit: gold, first and second run."""
    access = access_to_board(request, task, phase, scenario)
    chosen, results = _chosen_results(request, access)
    try:
        pair = _pair(request, chosen, results, access.scenario.scale)
        names = [unit.name for unit in pair.units]
        if unit not in names:
            raise Http404
        layers = [
            LAYERS[access.scenario.family](unit_record(result, unit, evaluation.options))
            for result, evaluation in zip(pair.results, pair.evaluations, strict=True)
        ]
    except (FileMissing, Busy) as error:
        return unreadable(request, error, {"submission": results[0].scoring.submission})
    place = names.index(unit)
    sections = three_way(*layers)
    context = pair.context() | {
        "shown": pair.units[place],
        "both": [
            (name, {"submission": run.submission, "score": score})
            for name, run, score in zip(
                names_of(*chosen), chosen, (pair.units[place].first, pair.units[place].second), strict=True
            )
        ],
        "place": place + 1,
        "previous": names[place - 1] if place else None,
        "next": names[place + 1] if place + 1 < len(names) else None,
        "sections": sections,
        "n_first": sum(section.n_first for section in sections),
        "n_second": sum(section.n_second for section in sections),
        "n_different": sum(section.n_different for section in sections),
        "n_same": sum(section.n_same for section in sections),
    }
    return render(request, "leaderboard/compare_unit.html", access.context("board_compare") | context)


def _chosen_results(request: HttpRequest, access: BoardAccess) -> tuple[TwoRuns, TwoResults]:
    """Return the two of the address with their results; Http404 unless the visitor may see the units of both."""
    if not sees_against_gold(access.visibility.role, access.phase) or access.scenario.family not in LAYERS:
        raise Http404
    _, rows = access.edition()
    runs = comparable_runs(access, rows, request.user)
    opened = [find_run(runs, request.GET.get(name, ""), access, request.user) for name in ("a", "b")]
    seen = [run for run in opened if run is not None and run.is_seen]
    keys = {run.submission for run in seen}
    if len(keys) != 2 or visible_submissions(request.user).filter(pk__in=keys).count() != 2:
        raise Http404
    results = results_of(seen[0], seen[1], access)
    if results is None:
        raise Http404
    return (seen[0], seen[1]), results


def _pair(request: HttpRequest, chosen: TwoRuns, results: TwoResults, scale: Scale) -> Pair:
    """Return both with their units; Http404 unless they were scored alike. May raise Gone."""
    one, other = (evaluation_of(result) for result in results)
    scores = scores_of_units(one), scores_of_units(other)
    if not are_paired(one, other) or scores[0] is None or scores[1] is None:
        raise Http404
    units = changed_units(one.units, scores[0], scores[1], scale)
    at, by_name = request.GET.get("at", "")[:20], request.GET.get("order") == "name"
    if at:
        units = [unit for unit in units if unit.at == at]
    if by_name:
        places = {name: place for place, name in enumerate(one.units)}
        units.sort(key=lambda unit: places[unit.name])
    return Pair(chosen, results, (one, other), units, at, by_name)
