"""What organisers do to a task: adding gold, which has to score perfectly against itself."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files import File
from django.db import transaction
from django.db.models import Max

import scoring
from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Gold, Participation, Phase, Scenario, Task, record, sha256_of
from scoring.readers.archive import open_files


def current_gold(phase: Phase, scenario: Scenario) -> Gold | None:
    """The newest version, which uploads are checked with; a board may still rank by the one before."""
    return Gold.objects.filter(phase=phase, scenario=scenario).order_by("-version").first()


def scorable_scenarios(phase: Phase) -> list[Scenario]:
    """The scenarios of the phase's task that have gold in this phase."""
    return list(phase.task.scenarios.filter(golds__phase=phase).distinct().order_by("number"))


def scenarios_in(path: Path, scenarios: list[Scenario]) -> list[Scenario]:
    """The scenarios for which the upload at `path` holds files; of a family that cannot tell, a single one.

    Raises scoring.SubmissionError if the upload cannot be opened.
    """
    return [scenario for scenario in scenarios if _has_files(path, scenario, is_only=len(scenarios) == 1)]


def _has_files(path: Path, scenario: Scenario, *, is_only: bool) -> bool:
    has_files = scenario.engine_family.has_files
    return is_only if has_files is None else has_files(path, scenario.configured)


def must_be_chosen(scenarios: Iterable[Scenario]) -> bool:
    """Whether an upload cannot tell by its files which of the scenarios it is for."""
    found = list(scenarios)
    return len(found) > 1 and any(scenario.engine_family.has_files is None for scenario in found)


def check_gold(path: Path, scenario: Scenario) -> scoring.Evaluation:
    """Score the gold against itself; raises scoring.GoldError unless that is perfect."""
    try:
        with _as_upload(path, scenario) as upload:
            evaluation = scoring.evaluate(scenario.family, gold=path, system=upload, options=scenario.options)
    except scoring.SubmissionError as error:
        raise scoring.GoldError(error.problems) from error
    if evaluation.headline != scenario.headline:
        raise scoring.GoldError(
            f"By what is annotated in it, this gold would rank by {evaluation.headline}, the scenario's board by "
            f"{scenario.headline}. Say in the scenario's options which it is."
        )
    value = evaluation.scores[evaluation.headline]
    if value != 1.0:
        shown = "no score" if value is None else f"{value:.3f}"
        raise scoring.GoldError(
            f"Scored against itself, this gold reaches {evaluation.headline} = {shown} instead of 1. "
            "A gold without annotations, or one that contradicts itself, cannot rank systems."
        )
    return evaluation


@contextmanager
def _as_upload(path: Path, scenario: Scenario) -> Iterator[Path]:
    """The gold as a participant would upload it: the same file, or where the layouts differ a folder with another."""
    gold_as_submission = scenario.engine_family.gold_as_submission
    if gold_as_submission is None:
        yield path
        return
    with TemporaryDirectory() as folder:
        for name, content in gold_as_submission(open_files(path), scenario.configured).items():
            Path(folder, name).write_bytes(content)
        yield Path(folder)


def add_gold(phase: Phase, scenario: Scenario, path: Path, name: str, *, by: User | None, note: str = "") -> Gold:
    """Store the next gold version of (phase, scenario); raises scoring.GoldError if it isn't perfect."""
    evaluation = check_gold(path, scenario)
    with path.open("rb") as stream, transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        file = File(stream, name=name)
        latest = Gold.objects.filter(phase=phase, scenario=scenario).aggregate(latest=Max("version"))["latest"]
        gold = Gold.objects.create(
            phase=phase,
            scenario=scenario,
            version=(latest or 0) + 1,
            file=file,
            sha256=sha256_of(file),
            note=note,
            n_units=len(evaluation.units),
            created_by=by,
        )
        record(
            phase.task,
            "gold added",
            actor=by,
            subject=gold.pk,
            version=gold.version,
            scenario=scenario.number,
        )
    return gold


def participate(task: Task, team: Team) -> Participation:
    """Enter the team into the task; to be called inside a transaction."""
    entered = Participation.objects.filter(task=task, team=team).first()
    if entered:
        return entered
    Task.objects.select_for_update().get(pk=task.pk)
    latest = task.participations.aggregate(latest=Max("number"))["latest"]
    return Participation.objects.create(task=task, team=team, number=(latest or 0) + 1)
