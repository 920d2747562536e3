"""Recognises an upload that was made for another phase or scenario, by the input that it repeats.

Only inputs are compared, which participants have: sentences, names of documents, IDs of questions. Annotations of a
gold are never read, and phases that have not opened yet take no part.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import structlog
from django.db.models.functions import Now
from django.utils.translation import gettext

from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import named
from evalsite.jobs import sandbox
from evalsite.submissions import engine_jobs
from evalsite.submissions.checking import limits
from evalsite.translating.engine import from_engine
from scoring.readers.archive import Named

log = structlog.get_logger()

_SHARE = 0.5  # an upload was made for an input that has more than this share of its keys
_MOST_GOLDS = 20


@dataclass(frozen=True)
class MadeFor:
    """The phase and the scenario whose input an upload repeats."""

    phase: Phase
    scenario: Scenario
    words: str  # a sentence that says so


def made_for(phase: Phase, scenarios: Sequence[Scenario], upload: Named) -> list[MadeFor | None]:
    """Return for each of these scenarios the other phase or scenario that the upload was made for.

    None means that it repeats this scenario's input, or no known one, or that it could not be read within the limits of
    a check: the problems of the upload are told without it.
    """
    others = [list(_other_golds(phase, scenario)) for scenario in scenarios]
    if not any(others):
        return [None] * len(scenarios)
    try:
        found = _repeated(phase, scenarios, others, upload)
    except (sandbox.LimitBroken, sandbox.Crashed, sandbox.NotStarted, OSError):
        log.exception("the input of an upload cannot be compared")
        return [None] * len(scenarios)
    return [
        None if index is None else _made_for(golds[index], phase, scenario)
        for scenario, golds, index in zip(scenarios, others, found, strict=True)
    ]


def _repeated(
    phase: Phase, scenarios: Sequence[Scenario], others: Sequence[Sequence[Gold]], upload: Named
) -> list[int | None]:
    """Return for each scenario the index in its `others` of the gold whose input the upload repeats."""
    with ExitStack() as stack:
        pairs = zip(scenarios, others, strict=True)
        compared = [_arguments_of(phase, scenario, golds, stack) for scenario, golds in pairs]
        arguments = {"upload": upload, "share": _SHARE, "scenarios": compared}
        golds = [
            gold for each in compared for gold in (each["own"], *(other["gold"] for other in each["others"])) if gold
        ]
        found: list[int | None] = sandbox.run(
            engine_jobs.repeated_input, arguments, limits.of_check(), reads=[file.path for file in (upload, *golds)]
        )
        return found


def _arguments_of(phase: Phase, scenario: Scenario, others: Sequence[Gold], stack: ExitStack) -> dict[str, Any]:
    own = gold_in_force(phase, scenario)
    return {
        "family": scenario.family,
        "options": scenario.options,
        "own": own and stack.enter_context(named(own.file)),
        "others": [
            {"options": gold.scenario.options, "gold": stack.enter_context(named(gold.file))} for gold in others
        ],
    }


def _made_for(found: Gold, phase: Phase, scenario: Scenario) -> MadeFor:
    return MadeFor(found.phase, found.scenario, _words(found, phase, scenario))


def _words(found: Gold, phase: Phase, scenario: Scenario) -> str:
    units = from_engine(found.scenario.unit[1])
    if found.phase == phase:
        words = gettext("These are the %(units)s of %(scenario)s, not of this scenario.")
        return words % {"units": units, "scenario": found.scenario}
    where = found.phase.name + (f", {found.scenario}" if found.scenario != scenario else "")
    words = gettext("These are the %(units)s of %(other)s, not of %(phase)s.")
    return words % {"units": units, "other": where, "phase": phase.name}


def _other_golds(phase: Phase, scenario: Scenario) -> list[Gold]:
    """Return the golds of the same family in the task's open phases, those of the same scenario first."""
    opened = phase.task.phases.filter(opens__lte=Now())
    golds = Gold.objects.in_force().filter(phase__in=opened, scenario__family=scenario.family)
    others = golds.exclude(phase=phase, scenario=scenario).select_related("phase", "scenario").order_by("version")
    return sorted(others, key=lambda gold: gold.scenario_id != scenario.pk)[:_MOST_GOLDS]
