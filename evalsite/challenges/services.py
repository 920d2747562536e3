"""What organisers do to a task: adding gold, which has to score perfectly against itself."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files import File
from django.db import transaction
from django.db.models import Max
from django.db.models.fields.files import FieldFile
from django.utils import timezone
from django.utils.translation import gettext
from numpy.typing import NDArray

import scoring
from evalsite.accounts.models import Team, User
from evalsite.accounts.services import called_like
from evalsite.challenges.files import local_path
from evalsite.challenges.models import (
    FormerParticipation,
    Gold,
    Participation,
    Phase,
    Scenario,
    Task,
    WaitingGold,
    record,
    sha256_of,
)
from evalsite.challenges.storing import removed_on_error
from evalsite.wording import score
from scoring.readers.archive import open_files

Remarks = list[list[Any]]  # [heading, list of texts], ready for JSON: what looks odd in an upload of gold
KEPT_WAITING = timedelta(days=1)


def current_gold(phase: Phase, scenario: Scenario) -> Gold | None:
    """The newest version, which uploads are checked with; a board may still rank by the one before."""
    return Gold.objects.filter(phase=phase, scenario=scenario).order_by("-version").first()


def current_golds(phase: Phase) -> dict[Scenario, Gold]:
    """The same of all scenarios that have gold in this phase, by their numbers; one query."""
    found = Gold.objects.filter(phase=phase).select_related("scenario").order_by("scenario__number", "version")
    golds = {gold.scenario: gold for gold in found}
    for scenario, gold in golds.items():
        scenario.task, gold.phase = phase.task, phase
    return golds


def scorable_scenarios(phase: Phase) -> list[Scenario]:
    """The scenarios of the phase's task that have gold in this phase."""
    return list(current_golds(phase))


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
        problem = gettext(
            "By what is annotated in it, this gold would rank by %(own)s, the scenario's board by %(wanted)s. "
            "Say in the scenario's options which it is."
        )
        raise scoring.GoldError(problem % {"own": evaluation.headline, "wanted": scenario.headline})
    value = evaluation.scores[evaluation.headline]
    if value != 1.0:
        shown = gettext("no score") if value is None else score(value)
        problem = gettext(
            "Scored against itself, this gold reaches %(headline)s = %(score)s instead of 1. "
            "A gold without annotations, or one that contradicts itself, cannot rank systems."
        )
        raise scoring.GoldError(problem % {"headline": evaluation.headline, "score": shown})
    return evaluation


def rows_of_itself(gold: Gold) -> NDArray[Any]:
    """The counts of a run that equals the gold, unit by unit: those of the gold scored against itself."""
    with local_path(gold.file) as path, _as_upload(path, gold.scenario) as upload:
        return scoring.evaluate(gold.scenario.family, gold=path, system=upload, options=gold.scenario.options).rows


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


def digest_of(gold: Gold) -> str:
    """The engine's digest of a stored gold; "" where it cannot be read any more."""
    if not gold.digest:
        try:
            with local_path(gold.file) as path:
                files = open_files(path)
                gold.digest = files.digest(gold.scenario.engine_family.read_gold(files, gold.scenario.configured).paths)
        except (scoring.SubmissionError, scoring.GoldError, scoring.ConfigurationError, OSError):
            return ""
        Gold.objects.filter(pk=gold.pk).update(digest=gold.digest)
    return gold.digest


def add_gold(phase: Phase, scenario: Scenario, path: Path, name: str, *, by: User | None, note: str = "") -> Gold:
    """Store the next gold version of (phase, scenario); raises scoring.GoldError if it isn't perfect."""
    return store_gold(phase, scenario, path, name, check_gold(path, scenario), by=by, note=note)


def store_gold(
    phase: Phase,
    scenario: Scenario,
    path: Path,
    name: str,
    evaluation: scoring.Evaluation,
    *,
    by: User | None,
    note: str = "",
) -> Gold:
    """Store the next gold version of (phase, scenario), whose evaluation against itself is perfect."""
    with path.open("rb") as stream, transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        file = File(stream, name=name)
        latest = Gold.objects.filter(phase=phase, scenario=scenario).aggregate(latest=Max("version"))["latest"]
        gold = Gold(
            phase=phase,
            scenario=scenario,
            version=(latest or 0) + 1,
            file=file,
            sha256=sha256_of(file),
            digest=evaluation.gold_digest,
            note=note,
            n_units=len(evaluation.units),
            created_by=by,
        )
        with removed_on_error(gold.file):
            gold.save(force_insert=True)
            record(
                phase.task,
                "gold added",
                actor=by,
                subject=gold.pk,
                version=gold.version,
                scenario=scenario.number,
            )
    return gold


class NameTaken(Exception):
    """Another team of the task has the name, as people compare names: the team cannot enter before it is renamed."""

    def __init__(self, namesake: Team) -> None:
        super().__init__(gettext("Another team of this task is called %(team)s.") % {"team": namesake})


def namesake(task: Task, team: Team) -> Team | None:
    """Another team that has entered the task under this team's name; of a team that is in it already there is none."""
    others = Team.objects.filter(called_like(team.name), participations__task=task).exclude(pk=team.pk)
    return others.first()


def is_used(gold: Gold) -> bool:
    """Whether a run was, or is to be, scored against it: then it stays."""
    return gold.scorings.exists()


def delete_gold(gold: Gold, *, by: User | None) -> None:
    """Delete gold that nothing was scored against, with its file."""
    with transaction.atomic():
        record(
            gold.phase.task,
            "gold deleted",
            actor=by,
            phase=gold.phase.slug,
            version=gold.version,
            scenario=gold.scenario.number,
            sha256=gold.sha256,
        )
        gold.delete()
        transaction.on_commit(partial(_delete_files, [gold.file]))


def has_uploads(task: Task) -> bool:
    return task.phases.filter(submissions__isnull=False).exists()


def delete_task(task: Task) -> None:
    """Delete a task without uploads, with its gold, its audit trail and all files."""
    with transaction.atomic():
        golds, waiting = Gold.objects.filter(phase__task=task), WaitingGold.objects.filter(phase__task=task)
        files = [
            *(gold.file for gold in golds),
            *(each.file for each in waiting),
            *(download.file for download in task.downloads.all()),
        ]
        golds.delete()
        task.delete()
        transaction.on_commit(partial(_delete_files, files))


def _delete_files(files: Iterable[FieldFile]) -> None:
    for file in files:
        file.storage.delete(file.name or "")


def keep_waiting(
    phase: Phase, scenarios: Iterable[Scenario], path: Path, *, remarks: Remarks, by: User, note: str = ""
) -> WaitingGold:
    """Keep an upload of gold until an organiser has looked at what is odd; those that nobody came back to go."""
    for old in WaitingGold.objects.filter(created__lt=timezone.now() - KEPT_WAITING):
        stop_waiting(old)
    with path.open("rb") as stream, transaction.atomic():
        waiting = WaitingGold(
            phase=phase,
            file=File(stream, name=path.name),
            file_name=path.name,
            remarks=remarks,
            note=note,
            created_by=by,
        )
        with removed_on_error(waiting.file):
            waiting.save(force_insert=True)
            waiting.scenarios.set(scenarios)
    return waiting


def stop_waiting(waiting: WaitingGold) -> None:
    with transaction.atomic():
        waiting.delete()
        transaction.on_commit(partial(_delete_files, [waiting.file]))


def participate(task: Task, team: Team) -> Participation:
    """Enter the team into the task; to be called inside a transaction. Raises NameTaken."""
    entered = Participation.objects.filter(task=task, team=team).first()
    if entered:
        return entered
    # Without the key, for which every row that names the task would have to wait.
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if other := namesake(task, team):
        raise NameTaken(other)
    numbers = (task.participations, task.former_participations)
    latest = max(teams.aggregate(latest=Max("number"))["latest"] or 0 for teams in numbers)
    return Participation.objects.create(task=task, team=team, number=latest + 1)


def hand_participation_over(task: Task, former: Team, team: Team) -> None:
    """Let `team` stand for a team that has no run left in the task; to be called inside a transaction."""
    entered = Participation.objects.filter(task=task, team=former).first()
    if entered is None:
        return
    FormerParticipation.objects.filter(task=task, team=former).update(team=team)
    FormerParticipation.objects.create(task=task, former=former.pk, name=former.name, number=entered.number, team=team)
    entered.delete()
