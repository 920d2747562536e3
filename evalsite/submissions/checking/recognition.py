"""Recognises an upload that was made for another phase or scenario, by the input that it repeats.

Only inputs are compared, which participants have: sentences, names of documents, IDs of questions. Annotations of a
gold are never read, and phases that have not opened yet take no part.
"""

from collections.abc import Mapping, Sequence
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
        repeated = _repeated(phase, scenarios, others, upload)
    except (sandbox.LimitBroken, sandbox.Crashed, sandbox.NotStarted, OSError):
        log.exception("the input of an upload cannot be compared")
        return [None] * len(scenarios)
    made = [None if index is None else golds[index] for golds, index in zip(others, repeated, strict=True)]
    exchanged = {
        scenario: other.scenario
        for scenario, other in zip(scenarios, made, strict=True)
        if other and other.phase_id == phase.pk
    }
    return [
        None if gold is None else MadeFor(gold.phase, gold.scenario, _words(gold, phase, scenario, exchanged))
        for scenario, gold in zip(scenarios, made, strict=True)
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
            gold
            for scenario in compared
            for gold in (scenario["own"], *(other["gold"] for other in scenario["others"]))
            if gold
        ]
        repeated: list[int | None] = sandbox.run(
            engine_jobs.repeated_input,
            arguments,
            limits.of_check(),
            loads={scenario["family"] for scenario in compared},
            reads=[file.path for file in (upload, *golds)],
        )
        return repeated


def _arguments_of(phase: Phase, scenario: Scenario, others: Sequence[Gold], stack: ExitStack) -> dict[str, Any]:
    in_force = gold_in_force(phase, scenario)
    return {
        "family": scenario.family,
        "options": scenario.options,
        "own": in_force and stack.enter_context(named(in_force.file)),
        "others": [
            {
                "options": gold.scenario.options,
                "gold": stack.enter_context(named(gold.file)),
                "is_sister": gold.phase_id == phase.pk,
            }
            for gold in others
        ],
    }


def _words(gold: Gold, phase: Phase, scenario: Scenario, exchanged: Mapping[Scenario, Scenario]) -> str:
    """Say whose input it is; `exchanged` are the scenarios whose files have that of another one of the phase."""
    units = from_engine(gold.scenario.unit[1])
    if gold.phase == phase and exchanged.get(gold.scenario) == scenario:
        words = gettext(
            "%(folder)s has the %(units)s of %(other)s, and %(other_folder)s those of %(scenario)s: exchange them."
        )
        folders = {"folder": _place(scenario), "other_folder": _place(gold.scenario)}
        return words % (folders | {"units": units, "other": gold.scenario.name, "scenario": scenario.name})
    if gold.phase == phase:
        words = gettext("These are the %(units)s of %(scenario)s, not of this scenario.")
        return words % {"units": units, "scenario": gold.scenario}
    where = gold.phase.name + (f", {gold.scenario}" if gold.scenario != scenario else "")
    words = gettext("These are the %(units)s of %(other)s, not of %(phase)s.")
    return words % {"units": units, "other": where, "phase": phase.name}


def _place(scenario: Scenario) -> str:
    """Return the folder of a scenario's files, or its name where they have none."""
    folder = scenario.options.get("folder")
    return f"{folder}/" if folder else str(scenario)


def _other_golds(phase: Phase, scenario: Scenario) -> list[Gold]:
    """Return the golds of the same family in the task's open phases: those of this phase, then of the same scenario.

    Phases may share ids, and then files that are exchanged between scenarios fit another phase as well.
    """
    opened = phase.task.phases.filter(opens__lte=Now())
    golds = Gold.objects.in_force().filter(phase__in=opened, scenario__family=scenario.family)
    others = golds.exclude(phase=phase, scenario=scenario).select_related("phase", "scenario").order_by("version")
    return sorted(others, key=lambda gold: (gold.phase_id != phase.pk, gold.scenario_id != scenario.pk))[:_MOST_GOLDS]
