"""Checks an upload before it is queued, with the engine's own check, so that the worker brings no surprise."""

from dataclasses import dataclass, field

import structlog
from django.conf import settings

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.services import current_gold, scenarios_in
from evalsite.submissions.uploads import Upload

log = structlog.get_logger()


@dataclass(frozen=True)
class Checked:
    """What is wrong with an upload for one scenario, or with the archive itself where scenario is None."""

    scenario: Scenario | None
    problems: list[engine.Problem] = field(default_factory=list)


def check(phase: Phase, upload: Upload, offered: list[Scenario], chosen: list[Scenario]) -> list[Checked]:
    """One Checked per scenario that the upload enters: the chosen ones, or those whose files it holds.

    Of a large upload only the names are looked at here; its files are left to the worker.
    """
    try:
        entered = chosen or scenarios_in(upload.path, offered)
    except engine.SubmissionError as error:
        return [Checked(None, error.problems)]
    if not entered:
        return [Checked(None, [engine.Problem(_NOTHING_FOUND.format(_names(offered)), upload.name)])]
    if upload.inflated_size > settings.CHECK_AT_ONCE_BYTES:
        return [Checked(scenario) for scenario in entered]
    return [Checked(scenario, _problems(phase, upload, scenario)) for scenario in entered]


_NOTHING_FOUND = "No file of {} was found. Compare the names of your files with the layout on this page."


def _names(scenarios: list[Scenario]) -> str:
    numbers = [str(scenario.number) for scenario in scenarios]
    return f"scenario {numbers[0]}" if len(numbers) == 1 else f"scenario {', '.join(numbers[:-1])} or {numbers[-1]}"


def _problems(phase: Phase, upload: Upload, scenario: Scenario) -> list[engine.Problem]:
    gold = current_gold(phase, scenario)
    if gold is None:
        return [engine.Problem(f"Scenario {scenario.number} takes no submissions in this phase.")]
    try:
        with local_path(gold.file) as path:
            return engine.check(scenario.family, gold=path, system=upload.path, options=scenario.options)
    except engine.SubmissionError as error:
        return error.problems
    except (engine.GoldError, engine.ConfigurationError):
        # Not the participant's to mend: the run is taken, and the organiser is told when its scoring fails.
        log.exception("gold cannot be checked against", gold=str(gold.pk))
        return []
