"""What is read again from stored files when somebody asks for it: files made of tables, and a unit beside the gold."""

from dataclasses import dataclass
from typing import Any

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.results.detail import exports_of
from evalsite.submissions.golds import foremost, golds_of
from evalsite.submissions.models import Result, Scoring, Submission
from scoring.readers.archive import open_files


class Gone(Exception):
    """A file that the result was made from or stored in is there no more, or cannot be read."""


@dataclass(frozen=True)
class Unit:
    """One unit of a result: what its page shows of it, and the units before and after; None at the ends."""

    name: str
    number: int
    n_units: int
    previous: str | None
    next: str | None
    record: dict[str, Any]


def counted_result(submission: Submission, scenario: int) -> Result | None:
    """The one on the gold in force, of several the newest; without one, the newest on other gold."""
    scorings = Scoring.objects.filter(submission=submission, scenario__number=scenario, state=Scoring.State.SCORED)
    found = list(scorings.select_related("gold").order_by())
    if not found:
        return None
    golds = golds_of([submission.phase_id])
    counted, *_ = foremost(found, golds[submission.phase_id, found[0].scenario_id].in_force)
    related = ("scoring__scenario", "scoring__gold", "scoring__submission__phase__task", "scoring__submission__team")
    return Result.objects.select_related(*related).get(pk=counted.pk)


def evaluation_of(result: Result) -> engine.Evaluation:
    """Gone if its file is there no more."""
    try:
        with local_path(result.evaluation) as path:
            return engine.Evaluation.load(path)
    except (engine.ConfigurationError, OSError) as error:
        raise Gone(str(error)) from error


def export(result: Result, name: str, *, against_gold: bool) -> bytes | None:
    """The content of the export of this name; None where there is none, or it tells of the gold and must not."""
    offered = {each.name: each for each in exports_of(result) if against_gold or not each.tells_gold}
    if name not in offered:
        return None
    evaluation = evaluation_of(result)
    return offered[name].make(evaluation.tables, evaluation.options)


def unit_of(result: Result, name: str) -> Unit | None:
    """None if the result has no unit of this name, or its family shows no single units."""
    unit_record = result.scoring.scenario.engine_family.unit_record
    evaluation = evaluation_of(result)
    units = evaluation.units
    if unit_record is None or name not in units:
        return None
    place = units.index(name)
    scoring = result.scoring
    try:
        with local_path(scoring.gold.file) as gold, local_path(scoring.submission.file) as system:
            record = unit_record(open_files(gold), open_files(system, drop_marks=True), name, evaluation.options)
    except (engine.ScoringError, OSError) as error:
        raise Gone(str(error)) from error
    return Unit(
        name,
        number=place + 1,
        n_units=len(units),
        previous=units[place - 1] if place else None,
        next=units[place + 1] if place + 1 < len(units) else None,
        record=record,
    )
