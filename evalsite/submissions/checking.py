"""Checks an upload before it is queued, with the engine's own check, so that the worker brings no surprise."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import structlog
from django.conf import settings

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.services import current_gold, scenarios_in
from evalsite.submissions.causes import Place, Told, told
from evalsite.submissions.recognition import MadeFor, made_for
from evalsite.submissions.uploads import Upload
from scoring.readers.archive import Files, open_files
from scoring.readers.archive.names import base_name, near_pairs

log = structlog.get_logger()


@dataclass(frozen=True)
class Checked:
    """What is wrong with an upload for one scenario, or with the archive itself where scenario is None."""

    scenario: Scenario | None
    problems: list[engine.Problem] = field(default_factory=list)
    causes: list[Told] = field(default_factory=list)  # the problems as the page tells them
    made_for: MadeFor | None = None  # the other phase or scenario that the upload seems to be for


def check(phase: Phase, upload: Upload, offered: list[Scenario], chosen: list[Scenario]) -> list[Checked]:
    """One Checked per scenario that the upload enters: the chosen ones, or those whose files it holds.

    Of a large upload only the names are looked at here; its files are left to the worker.
    """
    try:
        entered = chosen or scenarios_in(upload.path, offered)
    except engine.SubmissionError as error:
        return [_checked(upload, None, error.problems)]
    if not entered:
        return [_nothing_found(upload, offered)]
    if upload.inflated_size > settings.CHECK_AT_ONCE_BYTES:
        return [Checked(scenario) for scenario in entered]
    parts = [_checked(upload, scenario, _problems(phase, upload, scenario)) for scenario in entered]
    return _told_once([_recognised(phase, upload, part) for part in parts], phase)


def _checked(upload: Upload, scenario: Scenario | None, problems: Sequence[engine.Problem]) -> Checked:
    """The archive that the site itself has packed is none of the participant's files: nothing is told of its name."""
    unknown = upload.name if upload.is_packed_here else None
    found = [replace(each, file=None) if unknown and each.file == unknown else each for each in problems]
    return Checked(scenario, found, told(found, _files(upload)) if found else [])


def _recognised(phase: Phase, upload: Upload, part: Checked) -> Checked:
    files = _files(upload) if part.problems else None
    if files is None or part.scenario is None:
        return part
    return replace(part, made_for=made_for(phase, part.scenario, files))


def _told_once(parts: list[Checked], phase: Phase) -> list[Checked]:
    """One part for all scenarios if the upload is another phase's in all of them."""
    made = [part.made_for for part in parts if part.made_for]
    if len(parts) < 2 or len(made) < len(parts) or {each.phase for each in made} != {made[0].phase} - {phase}:
        return parts
    problems = [problem for part in parts for problem in part.problems]
    causes = [cause for part in parts for cause in part.causes]
    return [Checked(None, problems, causes, made[0])]


def _files(upload: Upload) -> Files | None:
    try:
        return open_files(upload.path, drop_marks=True)
    except engine.SubmissionError:
        return None


_NAMED = 10


def _nothing_found(upload: Upload, offered: list[Scenario]) -> Checked:
    """That no scenario's files were found: which names were, beside the nearest expected ones."""
    expected = [
        name
        for scenario in offered
        if (file_names := scenario.engine_family.file_names)
        for name in file_names(scenario.configured)
    ]
    found = sorted(map(base_name, _files(upload) or ()))
    message = f"No file of {_names(offered)} was found"
    if near := near_pairs(expected, found):
        problem = engine.Problem(f"{message}, but names that are nearly right. Rename these files.")
        places = [Place(other, f"to {name}") for name, other in near.items()]
        return Checked(None, [problem], [Told(problem.message, "", places=places)])
    problem = engine.Problem(f"{message}: the upload has {_listed(found)}; expected are {_listed(expected)}.")
    return _checked(upload, None, [problem])


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _names(scenarios: list[Scenario]) -> str:
    numbers = [str(scenario.number) for scenario in scenarios]
    return f"scenario {numbers[0]}" if len(numbers) == 1 else f"scenario {', '.join(numbers[:-1])} or {numbers[-1]}"


def _problems(phase: Phase, upload: Upload, scenario: Scenario) -> list[engine.Problem]:
    gold = current_gold(phase, scenario)
    if gold is None:
        return [engine.Problem(f"Scenario {scenario.number} takes no submissions in this phase.")]
    try:
        with local_path(gold.file) as path:
            return engine.check(
                scenario.family, gold=path, system=upload.path, options=scenario.options, drop_marks=True
            )
    except engine.SubmissionError as error:
        return error.problems
    except (engine.GoldError, engine.ConfigurationError):
        # Not the participant's to mend: the run is taken, and the organiser is told when its scoring fails.
        log.exception("gold cannot be checked against", gold=str(gold.pk))
        return []
