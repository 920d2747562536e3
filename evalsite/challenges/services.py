"""What organisers do to a task: adding gold, which has to score perfectly against itself."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from django.core.files import File
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext
from numpy.typing import NDArray

import scoring
from evalsite.accounts.models import Team, User
from evalsite.accounts.services import called_like
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.file_names import plain_name
from evalsite.challenges.golds import gold_in_force, golds_in_force
from evalsite.challenges.models import (
    Event,
    FormerParticipation,
    Gold,
    Participation,
    Phase,
    Scenario,
    Task,
    WaitingGold,
    is_perfect,
    record,
    sha256_of,
)
from evalsite.challenges.signals import gold_changed
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import named
from evalsite.wording import in_digits, score
from scoring.families.parts import gold_of_part
from scoring.readers.archive import Files, Made, Named, Source, open_files

Remarks = list[list[Any]]  # [heading, list of texts], ready for JSON: what looks odd in an upload of gold
KEPT_WAITING = timedelta(days=1)


def open_scenarios(phase: Phase) -> list[Scenario]:
    """The scenarios to which participants upload in this phase: those that have gold, and are not brought to it."""
    return [scenario for scenario in golds_in_force(phase) if scenario.takes_uploads]


def scenarios_in(path: Source, scenarios: list[Scenario]) -> list[Scenario]:
    """The scenarios for which the upload at `path` holds files; of a family that cannot tell, a single one.

    Raises scoring.SubmissionError if the upload cannot be opened.
    """
    files = open_files(path)
    return [scenario for scenario in scenarios if _has_files(files, scenario, is_only=len(scenarios) == 1)]


def _has_files(files: Files, scenario: Scenario, *, is_only: bool) -> bool:
    has_files = scenario.engine_family.has_files
    return is_only if has_files is None else has_files(files, scenario.configured)


def must_be_chosen(scenarios: Iterable[Scenario]) -> bool:
    """Whether an upload cannot tell by its files which of the scenarios it is for."""
    found = list(scenarios)
    return len(found) > 1 and any(scenario.engine_family.has_files is None for scenario in found)


def check_gold(path: Source, scenario: Scenario) -> scoring.Evaluation:
    """Score the gold against itself; raises scoring.GoldError unless that is perfect."""
    try:
        upload = as_upload(path, scenario)
        evaluation = scoring.evaluate(scenario.family, gold=path, system=upload, options=scenario.options)
    except scoring.SubmissionError as error:
        raise scoring.GoldError(error.problems) from error
    except scoring.ConfigurationError as error:
        # What options ask for and this server lacks, such as a package, or this gold, such as a score that ranks.
        raise scoring.GoldError(str(error)) from error
    if evaluation.headline != scenario.headline:
        problem = gettext(
            "By what is annotated in it, this gold would rank by %(own)s, the scenario's board by %(wanted)s. "
            "Say in the scenario's options which it is."
        )
        raise scoring.GoldError(problem % {"own": evaluation.headline, "wanted": scenario.headline})
    if problem := _short_of_perfect(evaluation, scenario):
        raise scoring.GoldError(problem)
    return evaluation


def _short_of_perfect(evaluation: scoring.Evaluation, scenario: Scenario) -> str:
    """What is wrong with the score of a gold against itself, "" if nothing is."""
    perfect = scenario.engine_family.score_when_perfect(evaluation.options)
    value = evaluation.scores[evaluation.headline]
    can_be_anything = scenario.scale.is_open or scenario.lower_is_better
    is_whole = can_be_anything or (value is not None and value > 0) if perfect is None else is_perfect(value, perfect)
    if value is not None and is_whole:
        return ""
    shown = gettext("no score") if value is None else score(value, scenario.scale)
    said = {"headline": evaluation.headline, "score": shown}
    if perfect is None:
        problem = gettext(
            "Scored against itself, this gold reaches %(headline)s = %(score)s. "
            "A gold in which there is nothing to be found cannot rank systems."
        )
        return problem % said
    problem = gettext(
        "Scored against itself, this gold reaches %(headline)s = %(score)s instead of %(perfect)s. "
        "A gold without annotations, or one that contradicts itself, cannot rank systems."
    )
    return problem % {**said, "perfect": in_digits(f"{perfect:g}")}


def rows_of_itself(gold: Gold) -> NDArray[Any]:
    """The counts of a run that equals the gold, unit by unit: those of the gold scored against itself."""
    with named(gold.file) as path:
        upload = as_upload(path, gold.scenario)
        result = scoring.evaluate(gold.scenario.family, gold=path, system=upload, options=gold.scenario.options)
        return np.asarray(result.rows)


def as_upload(path: Source, scenario: Scenario) -> Source:
    """The gold as a participant would upload it: the same file, or where the layouts differ others, in memory."""
    make = scenario.engine_family.gold_as_submission
    made = make(open_files(path), scenario.configured) if make else None
    return path if made is None else Made(made)


def digest_of(gold: Gold) -> str:
    """The engine's digest of a stored gold; "" where it cannot be read any more."""
    if not gold.digest:
        try:
            with named(gold.file) as path:
                scenario, options = gold.scenario, gold.scenario.configured
                files = gold_of_part(scenario.engine_family, open_files(path), options)
                gold.digest = files.digest(scenario.engine_family.read_gold(files, options).paths)
        except (scoring.SubmissionError, scoring.GoldError, scoring.ConfigurationError, OSError):
            return ""
        Gold.objects.filter(pk=gold.pk).update(digest=gold.digest)
    return gold.digest


def add_gold(phase: Phase, scenario: Scenario, path: Path, name: str, *, by: User | None, note: str = "") -> Gold:
    """Store the next gold version of (phase, scenario); raises scoring.GoldError if it isn't perfect."""
    file = Named(str(path), plain_name(name))
    return store_gold(phase, scenario, file, check_gold(file, scenario), by=by, note=note)


def store_gold(
    phase: Phase,
    scenario: Scenario,
    file: Named,
    evaluation: scoring.Evaluation,
    *,
    by: User | None,
    note: str = "",
) -> Gold:
    """Store the next gold version of (phase, scenario), whose evaluation against itself is perfect.

    It ranks at once as long as nothing has been scored there; otherwise it is a candidate, in place of an earlier one.
    """
    with open(file, "rb") as stream, transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        in_force = gold_in_force(phase, scenario)
        is_candidate = in_force is not None and has_runs(in_force)
        content = File(stream, name=file.name)
        latest = Gold.objects.filter(phase=phase, scenario=scenario).aggregate(latest=Max("version"))["latest"]
        gold = Gold(
            phase=phase,
            scenario=scenario,
            version=(latest or 0) + 1,
            file=content,
            file_name=file.name,
            sha256=sha256_of(content),
            digest=evaluation.gold_digest,
            note=note,
            n_units=len(evaluation.units),
            created_by=by,
            state=Gold.State.CANDIDATE if is_candidate else Gold.State.PUBLISHED,
            published=None if is_candidate else timezone.now(),
            published_by=None if is_candidate else by,
        )
        with removed_on_error(gold.file):
            for earlier in Gold.objects.filter(phase=phase, scenario=scenario, state=Gold.State.CANDIDATE):
                discard_gold(earlier, by=by, reason=_REPLACED % {"version": gold.version})
            gold.save(force_insert=True)
            record(
                phase.task,
                "gold added",
                actor=by,
                subject=gold.pk,
                version=gold.version,
                scenario=scenario.number,
            )
            gold_changed.send(Gold, gold=gold, by=by)
    return gold


_REPLACED = "replaced by version %(version)s"  # stored


def has_runs(gold: Gold) -> bool:
    """Whether a run is scored on it, or is being scored: what ranks by it, or will in a moment."""
    return gold.scorings.filter(state__in=_LIVING).exists()


# The states of a scoring, which the app above this one names.
_LIVING = ("queued", "running", "scored")


def discard_gold(gold: Gold, *, by: User | None, reason: str = "") -> None:
    """Give a candidate up: no board has ever ranked by it. What was scored on it is removed in the background."""
    with transaction.atomic():
        if Gold.objects.filter(pk=gold.pk, state=Gold.State.CANDIDATE).update(state=Gold.State.DISCARDED):
            about: dict[str, Any] = {"subject": gold.pk, "version": gold.version, "scenario": gold.scenario.number}
            record(gold.phase.task, "gold discarded", actor=by, **about, reason=reason)
            gold_changed.send(Gold, gold=gold, by=by)


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
        delete_after_commit([gold.file])


def delete_task(task: Task, *, by: User | None) -> None:
    """Delete a task without runs, with its gold, its audit trail and all files; that it was there stays known."""
    with transaction.atomic():
        golds, waiting = Gold.objects.filter(phase__task=task), WaitingGold.objects.filter(phase__task=task)
        files = [
            *(gold.file for gold in golds),
            *(each.file for each in waiting),
            *(download.file for download in task.downloads.all()),
            *(picture.file for picture in task.pictures.all()),
        ]
        names = {"title": task.title, "slug": task.slug}
        Event.objects.create(kind="task deleted", actor=by, subject=task.pk, detail=names)
        golds.delete()
        task.delete()
        if task.house:
            task.house.delete()
        delete_after_commit(files)


def keep_waiting(
    phase: Phase, scenarios: Iterable[Scenario], file: Named, *, remarks: Remarks, by: User, note: str = ""
) -> WaitingGold:
    """Keep an upload of gold until an organiser has looked at what is odd; those that nobody came back to go."""
    for old in WaitingGold.objects.filter(created__lt=Now() - KEPT_WAITING):
        stop_waiting(old)
    with open(file, "rb") as stream, transaction.atomic():
        waiting = WaitingGold(
            phase=phase,
            file=File(stream, name=file.name),
            file_name=file.name,
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
        delete_after_commit([waiting.file])


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
