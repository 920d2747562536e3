"""Tells an upload that was made for another phase or scenario, by the input that it repeats.

Only inputs are compared, which participants have: sentences, names of documents, IDs of questions. Annotations of a
gold are never looked at, and phases that have not opened yet take no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import structlog
from django.utils import timezone

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.services import current_gold
from scoring.readers.archive import Files, open_files

log = structlog.get_logger()

_SHARE = 0.5  # of what an upload repeats; more of it from one input tells that it was made for that one
_MOST_GOLDS = 20


@dataclass(frozen=True)
class MadeFor:
    """The phase and the scenario whose input an upload repeats."""

    phase: Phase
    scenario: Scenario
    words: str  # a sentence that says so


def made_for(phase: Phase, scenario: Scenario, files: Files) -> MadeFor | None:
    """For which other phase or scenario the upload was made; None if it repeats this one's input, or no known one."""
    keys = _keys_of_upload(scenario, files)
    if not keys:
        return None
    own = current_gold(phase, scenario)
    if own is not None and _share(keys, own) > _SHARE:
        return None
    shares = [(_share(keys, gold), gold) for gold in _other_golds(phase, scenario)]
    share, found = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    if found is None or share <= _SHARE:
        return None
    return MadeFor(found.phase, found.scenario, _words(found, phase, scenario))


def _words(found: Gold, phase: Phase, scenario: Scenario) -> str:
    units = found.scenario.unit[1]
    if found.phase == phase:
        return f"These are the {units} of {found.scenario}, not of this scenario."
    where = found.phase.name + (f", {found.scenario}" if found.scenario != scenario else "")
    return f"These are the {units} of {where}, not of {phase.name}."


def _other_golds(phase: Phase, scenario: Scenario) -> Iterator[Gold]:
    """The newest golds of the same family in the task's phases that have opened, the same scenario's first."""
    opened = phase.task.phases.filter(opens__lte=timezone.now())
    golds = Gold.objects.filter(phase__in=opened, scenario__family=scenario.family).select_related("phase", "scenario")
    newest = {(gold.phase_id, gold.scenario_id): gold for gold in golds.order_by("version")}
    newest.pop((phase.pk, scenario.pk), None)
    yield from sorted(newest.values(), key=lambda gold: gold.scenario_id != scenario.pk)[:_MOST_GOLDS]


def _share(keys: set[str], gold: Gold) -> float:
    """How much of the upload's input is this gold's."""
    input_keys = gold.scenario.engine_family.input_keys
    if input_keys is None:
        return 0
    try:
        with local_path(gold.file) as path:
            return len(keys & input_keys(open_files(path), gold.scenario.configured, "gold")) / len(keys)
    except (engine.ScoringError, OSError):
        log.exception("the input of a gold cannot be read", gold=str(gold.pk))
        return 0


def _keys_of_upload(scenario: Scenario, files: Files) -> set[str]:
    input_keys = scenario.engine_family.input_keys
    if input_keys is None:
        return set()
    try:
        return input_keys(files, scenario.configured, "system")
    except engine.ScoringError:
        # What cannot be read is known by nothing.
        return set()
