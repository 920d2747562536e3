"""The units in which two runs differ, and one of them in both runs beside the gold.

They are for those who may open the units of both runs: who may see the runs themselves, and the gold.
"""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.challenges.access import sees_against_gold
from evalsite.jobs.slots import Busy
from evalsite.leaderboard.compare_two.candidates import Candidate, candidates_of, found_among, names_of
from evalsite.leaderboard.compare_two.results import results_of
from evalsite.leaderboard.compare_two.units import ChangedUnit, changed_units, query_of
from evalsite.leaderboard.opening import Opening, opened
from evalsite.results.stored import Gone, evaluation_of, unit_record
from evalsite.results.three_way.comparing import three_way
from evalsite.results.three_way.families import LAYERS
from evalsite.results.views import unreadable
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Result
from scoring import Evaluation
from scoring.comparing.units import are_paired, scores_of_units
from scoring.scale import Scale

PAGE = 100  # units of a list
Candidates = tuple[Candidate, Candidate]
Results = tuple[Result, Result]


@dataclass(frozen=True)
class Pair:
    """Two runs of which the visitor may see every unit, and the units in their order."""

    chosen: Candidates
    results: Results
    evaluations: tuple[Evaluation, Evaluation]
    units: list[ChangedUnit]
    at: str  # the point whose units are asked for; "" for all
    by_name: bool

    @property
    def query(self) -> str:
        """Of the address of the next unit."""
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
    """All units in which the two differ, the largest difference first; or those at a point of the scatter."""
    opening = opened(request, task, phase, scenario)
    chosen, results = _chosen(request, opening)
    try:
        pair = _pair(request, chosen, results, opening.scenario.scale)
    except Gone as error:
        return unreadable(request, error, {"submission": results[0].scoring.submission})
    texts = opening.scenario.engine_family.unit_texts(pair.results[0].tables)
    page = Paginator(pair.units, PAGE).get_page(request.GET.get("page"))
    noun = opening.unit[len(pair.units) != 1]
    context = pair.context() | {
        "noun": noun,
        "page": page,
        "units": [(each, texts.get(each.name, "")) for each in page],
    }
    return render(request, "leaderboard/compare_units.html", opening.context("board_compare") | context)


@require_safe
def unit(request: HttpRequest, task: str, phase: str, scenario: int, unit: str) -> HttpResponse:
    """One unit: gold, first and second run."""
    opening = opened(request, task, phase, scenario)
    chosen, results = _chosen(request, opening)
    try:
        pair = _pair(request, chosen, results, opening.scenario.scale)
        names = [each.name for each in pair.units]
        if unit not in names:
            raise Http404
        layers = [
            LAYERS[opening.scenario.family](unit_record(result, unit, evaluation.options))
            for result, evaluation in zip(pair.results, pair.evaluations, strict=True)
        ]
    except (Gone, Busy) as error:
        return unreadable(request, error, {"submission": results[0].scoring.submission})
    place = names.index(unit)
    sections = three_way(*layers)
    context = pair.context() | {
        "shown": pair.units[place],
        "both": [
            (name, {"submission": each.submission, "score": score})
            for name, each, score in zip(
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
    return render(request, "leaderboard/compare_unit.html", opening.context("board_compare") | context)


def _chosen(request: HttpRequest, opening: Opening) -> tuple[Candidates, Results]:
    """The two of the address with their results; Http404 unless the visitor may see the units of both."""
    if not sees_against_gold(opening.sight.role, opening.phase) or opening.scenario.family not in LAYERS:
        raise Http404
    _, rows = opening.edition()
    candidates = candidates_of(opening, rows, request.user)
    found = [found_among(candidates, request.GET.get(name, ""), opening, request.user) for name in ("a", "b")]
    seen = [each for each in found if each is not None and each.is_seen]
    keys = {each.submission for each in seen}
    if len(keys) != 2 or visible_submissions(request.user).filter(pk__in=keys).count() != 2:
        raise Http404
    results = results_of(seen[0], seen[1], opening)
    if results is None:
        raise Http404
    return (seen[0], seen[1]), results


def _pair(request: HttpRequest, chosen: Candidates, results: Results, scale: Scale) -> Pair:
    """Both with their units; Http404 unless they were scored alike. May raise Gone."""
    one, other = (evaluation_of(result) for result in results)
    scores = scores_of_units(one), scores_of_units(other)
    if not are_paired(one, other) or scores[0] is None or scores[1] is None:
        raise Http404
    units = changed_units(one.units, scores[0], scores[1], scale)
    at, by_name = request.GET.get("at", "")[:20], request.GET.get("order") == "name"
    if at:
        units = [each for each in units if each.at == at]
    if by_name:
        places = {name: place for place, name in enumerate(one.units)}
        units.sort(key=lambda each: places[each.name])
    return Pair(chosen, results, (one, other), units, at, by_name)
