"""Reads stored files again when somebody asks for it: exports made of tables, and a unit beside the gold."""

from dataclasses import astuple, replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.http import Http404, HttpRequest

import scoring as engine
from evalsite.challenges.access import Role, role_of, sees_against_gold, sees_own_scores
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.precision import precision_for
from evalsite.challenges.storage.files import local_path, named
from evalsite.jobs import sandbox
from evalsite.jobs.slots import slot
from evalsite.results.disclosure import disclose, disclosed_tables
from evalsite.results.page.detail import exports_of
from evalsite.results.units.lists import ALL, ListedUnit, Unit, UnitQuery
from evalsite.submissions import engine_jobs
from evalsite.submissions.access import visible_submission
from evalsite.submissions.checking import limits
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD, foremost
from scoring.comparing.units import Cell, scores_of_units, units_of_total, worst_first
from scoring.errors import kind_of_warning
from scoring.evaluation import plain
from scoring.messages import from_data

CACHE_TIMEOUT = 3600  # seconds; what a result counts never changes


class FileMissing(Exception):
    """A file that the result was made from or stored in is there no more, or cannot be read."""


def counted_result(submission: Submission, scenario: int) -> Result | None:
    """Return the one on the gold in force, of several the newest; without one, the newest on other gold."""
    scored = Scoring.objects.filter(ON_PUBLISHED_GOLD, state=Scoring.State.SCORED)
    scorings = scored.filter(submission=submission, scenario__number=scenario)
    listed = list(scorings.select_related("gold").order_by())
    if not listed:
        return None
    golds = golds_of([submission.phase_id])
    counted, *_ = foremost(listed, golds[submission.phase_id, listed[0].scenario_id].in_force)
    related = ("scenario", "gold", "submission__phase__task", "submission__team")
    results = Result.objects.select_related("stored_tables", *(f"scoring__{name}" for name in related))
    return results.get(pk=counted.pk)


def evaluation_of(result: Result) -> engine.Evaluation:
    """Load the stored evaluation; raises Gone if its file is missing."""
    try:
        with local_path(result.evaluation) as path:
            return engine.Evaluation.load(path)
    except (engine.ConfigurationError, OSError) as error:
        raise FileMissing(str(error)) from error


def export(result: Result, name: str, role: Role) -> bytes | None:
    """Return the content of the export of this name; None where there is none, or it tells of the gold and must not."""
    phase = result.scoring.submission.phase
    against_gold = sees_against_gold(role, phase)
    offered = {offer.name: offer for offer in exports_of(result) if against_gold or not offer.tells_gold}
    if name not in offered:
        return None
    evaluation = evaluation_of(result)
    tables = disclosed_tables(result, evaluation.tables, precision_for(role, phase, result.scoring.scenario))
    return offered[name].make(tables, evaluation.options)


def unit_of(result: Result, name: str, query: UnitQuery = ALL) -> Unit | None:
    """Return None if the result has no unit of this name, or its family shows no single units; may raise slots.Busy.

    Before and after it stand the units of the list that is asked for; without it in that list, those of all units.
    """
    evaluation = evaluation_of(result)
    if not result.scoring.scenario.engine_family.views.unit_record or name not in evaluation.units:
        return None
    names = [unit.name for unit in units_of(result, query, evaluation)]
    if name not in names:
        query = replace(query, cell=ALL.cell)
        names = [unit.name for unit in units_of(result, query, evaluation)]
    place = names.index(name)
    return Unit(
        name,
        number=place + 1,
        n_units=len(names),
        previous=names[place - 1] if place else None,
        next=names[place + 1] if place + 1 < len(names) else None,
        record=unit_record(result, name, evaluation.options),
        query=query,
    )


def units_of(result: Result, query: UnitQuery, evaluation: engine.Evaluation | None = None) -> list[ListedUnit]:
    """Return the units behind a count, or all; the worst first or by name. Empty if there is no such count.

    May raise Gone and slots.Busy: which units stand behind the cell of a table is asked of the files.
    """
    evaluation = evaluation or evaluation_of(result)
    numbers = _numbers(result, query.cell, evaluation)
    places = range(len(evaluation.units)) if query.by_name else worst_first(evaluation).tolist()
    scores = scores_of_units(evaluation)
    values = [None] * len(evaluation.units) if scores is None else plain(scores.tolist())
    return [
        ListedUnit(evaluation.units[place], values[place], None if numbers is None else numbers[place])
        for place in places
        if numbers is None or numbers[place]
    ]


def _numbers(result: Result, cell: Cell, evaluation: engine.Evaluation) -> list[int] | None:
    """Return how many items of the count are in each unit; None where all units are asked for."""
    if cell == ALL.cell:
        return None
    if not cell.table:
        units = units_of_total(evaluation, cell.column)
        return [0] * len(evaluation.units) if units is None else units.tolist()
    query = "\n".join((cell.table, cell.row, cell.column))
    key = f"units_behind:{result.pk}:{sha256(query.encode()).hexdigest()}"
    numbers: list[int] | None = cache.get(key)
    if numbers is None:
        given = {"cell": astuple(cell), "folds": result.is_folded}
        numbers = _run_on_files(engine_jobs.units_behind, result, evaluation.options, given)["numbers"]
        cache.set(key, numbers or [], CACHE_TIMEOUT)
    return numbers or [0] * len(evaluation.units)


def unit_record(result: Result, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what the family's page of a unit shows; may raise Gone and slots.Busy."""
    record: dict[str, Any] = _run_on_files(engine_jobs.unit_record, result, options, {"name": name})["record"]
    return record


def _run_on_files(job: sandbox.Job, result: Result, options: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Run a job on gold and run in a child, as long as a worker may take: the run was scored."""
    scoring = result.scoring
    try:
        with slot(), named(scoring.gold.file) as gold, named(scoring.source.file) as system:
            files = {"gold": gold, "system": system}
            part = scoring.gold.part_for_engine
            arguments = {"family": scoring.scenario.family, "options": options, "part": part} | given | files
            answer: dict[str, Any] = sandbox.run(
                job, arguments, limits.of_check(), loads=[arguments["family"]], reads=[gold.path, system.path]
            )
    except (sandbox.LimitBroken, sandbox.Crashed, OSError) as error:
        raise FileMissing(str(error)) from error
    if "error" in answer:
        raise FileMissing(from_data(answer["error"]))
    return answer


NAMES = ("scores", "intervals", "interval_methods", "counts", "signature", "gold_digest")


def visible_result(request: HttpRequest, pk: UUID, scenario: int) -> tuple[Result, Role]:
    """Return the result of a scenario that counts, as the visitor may read it; Http404 if its scores are hidden."""
    submission = visible_submission(request, pk)
    role = role_of(request.user, submission.phase.task)
    counted = counted_result(submission, scenario)
    if counted is None or not sees_own_scores(role, submission.phase):
        raise Http404
    return disclose(counted, precision_for(role, submission.phase, counted.scoring.scenario)), role


def numbers_of(result: Result, role: Role) -> dict[str, Any]:
    """Return scores, intervals, counts, signature and warnings of a result that has been disclosed already."""
    numbers = {name: getattr(result, name) for name in NAMES}
    warnings = result.warnings_for(is_organiser=role >= Role.VIEWER)
    return numbers | {"warnings": warnings, "warning_kinds": [*map(kind_of_warning, warnings)]}
