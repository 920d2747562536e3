"""Checks an upload before it is queued, with the engine's own check, so that its scoring brings no surprise."""

import errno
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from django.conf import settings

import scoring as engine
from evalsite.base.faults import Fault, KnownFault, fault_of
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.starter_kit.samples import digests_of_sample
from evalsite.challenges.storage.files import named, require_temporary
from evalsite.jobs import sandbox
from evalsite.submissions import engine_jobs
from evalsite.submissions.causes import explanation_from_json, finding_from_json
from evalsite.submissions.checking import limits
from evalsite.submissions.checking.recognition import MadeFor, made_for
from evalsite.submissions.uploads import Upload
from scoring.messages import from_data
from scoring.readers.explanations import Explanation, explain

log = structlog.get_logger()


@dataclass(frozen=True)
class Checked:
    """The problems of an upload in one scenario, or of the archive itself where scenario is None."""

    scenario: Scenario | None
    problems: list[engine.Finding] = field(default_factory=list)
    causes: list[Explanation] = field(default_factory=list)  # the problems as the page shows them
    made_for: MadeFor | None = None  # the other phase or scenario that the upload seems to be for
    description: engine.Description | None = None  # what was read, if requested and nothing is wrong
    is_sample: bool = False  # whether the files are the site's own sample, about which nobody has to be asked
    left_aside: tuple[Scenario, ...] = ()  # of the first part: scenarios that the files, sent for none, are not for


def check(
    phase: Phase,
    upload: Upload,
    offered: list[Scenario],
    chosen: list[Scenario],
    *,
    describes: bool = False,
    is_stranger: bool = False,
    golds: Mapping[Scenario, Gold] | None = None,
) -> list[Checked]:
    """Return the problems in each scenario that the upload enters: the chosen ones, or those whose files it has.

    A large upload is checked by the names of its files alone. `describes` asks for a description of what was read, and
    `golds` are the phase's, where the caller has them. `is_stranger`: for somebody who reads no tables by label, so
    that nothing is told by labels that only hidden gold names. Raise KnownFault where the machine killed the check
    twice, or lost the files meanwhile, which says nothing about them.
    """
    entered = chosen or offered
    try:
        in_force = golds_in_force(phase) if golds is None else golds
        arguments = _arguments(upload, entered)
        arguments |= {"chosen": list(range(len(chosen))), "describes": describes}
        arguments |= {"gold_is_open": phase.gold_released, "hides_labels": is_stranger and not phase.gold_released}
        answer = _answer({scenario: in_force.get(scenario) for scenario in entered}, upload, arguments)
    except sandbox.LimitBroken as error:
        return [_stopped(limits.broken_check(error.kind))]
    except sandbox.Killed as killed:
        raise KnownFault(Fault.MACHINE, str(killed)) from killed
    except sandbox.Crashed as crashed:
        require_temporary(upload.path, upload.sha256, upload.name)
        if fault := fault_of(crashed) or _file_that_came_back(crashed):
            raise KnownFault(fault, str(crashed)) from crashed
        log.exception("an upload could not be checked")
        return [_stopped(limits.crashed_check())]
    if any(part["problems"] or part["gold_error"] for part in answer["parts"]):
        require_temporary(upload.path, upload.sha256, upload.name)
    parts = [_known_sample(_part(part, entered), in_force, answer.get("digest", "")) for part in answer["parts"]]
    left_aside = tuple(entered[index] for index in answer.get("left_aside", ()))
    first, *others = _told_once(_recognised(phase, upload, parts), phase)
    return [replace(first, left_aside=left_aside), *others]


def _file_that_came_back(crashed: sandbox.Crashed) -> Fault | None:
    """Return the fault of a child that may not open a stored file: it may open what was there when it began."""
    return Fault.STORAGE_AWAY if crashed.errno == errno.EACCES else None


def _answer(golds: Mapping[Scenario, Gold | None], upload: Upload, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the child's answer, or a second child's if one was killed. Raise LimitBroken, Crashed, or OSError."""
    try:
        return _answer_of_child(golds, upload, arguments)
    except sandbox.Killed as killed:
        log.warning("a check was killed, so it is done once more", error=str(killed))
        return _answer_of_child(golds, upload, arguments)


def _answer_of_child(
    golds: Mapping[Scenario, Gold | None], upload: Upload, arguments: dict[str, Any]
) -> dict[str, Any]:
    """Return the answer of `engine_jobs.check`, in a child that can open the upload and these golds alone."""
    with ExitStack() as files:
        gold_files = [gold and files.enter_context(named(gold.file)) for gold in golds.values()]
        scenarios = [
            scenario | {"gold": file, "is_input": gold is not None and gold.is_input}
            for scenario, file, gold in zip(arguments["scenarios"], gold_files, golds.values(), strict=True)
        ]
        answer: dict[str, Any] = sandbox.run(
            engine_jobs.check,
            arguments | {"upload": upload.named, "scenarios": scenarios},
            limits.of_check(),
            loads={scenario["family"] for scenario in scenarios},
            reads=[str(upload.path), *(gold.path for gold in gold_files if gold)],
        )
    return answer


def is_in_order(checked: Sequence[Checked]) -> bool:
    """Return True if there is no problem."""
    return not any(part.problems for part in checked)


def is_odd(checked: Sequence[Checked]) -> bool:
    """Return True if the files can be scored but may not be what their author meant; only a description tells."""
    return any(part.description and part.description.oddities for part in checked)


def _arguments(upload: Upload, scenarios: list[Scenario]) -> dict[str, Any]:
    return {
        "own_archive": upload.name if upload.is_packed_here else None,
        "scenarios": [
            {
                "number": scenario.number,
                "family": scenario.engine_family.name,
                "options": scenario.options,
                "is_judged": scenario.is_judged,
            }
            for scenario in scenarios
        ],
        "at_once": settings.CHECK_AT_ONCE_BYTES,
    }


def _stopped(problem: engine.Finding) -> Checked:
    return Checked(None, [problem], explain([problem]))


def _part(part: dict[str, Any], scenarios: list[Scenario]) -> Checked:
    scenario = None if part["scenario"] is None else scenarios[part["scenario"]]
    if part["gold_error"]:
        log.error("gold cannot be checked against", scenario=str(scenario), error=str(from_data(part["gold_error"])))
    problems, causes = [*map(finding_from_json, part["problems"])], [*map(explanation_from_json, part["causes"])]
    return Checked(scenario, problems, causes, description=_description(part["description"]))


def _description(read: dict[str, Any] | None) -> engine.Description | None:
    if read is None:
        return None
    oddities = [finding_from_json(oddity) for oddity in read["oddities"]]
    return engine.Description(**from_data(read) | {"oddities": oddities})


def _known_sample(part: Checked, golds: Mapping[Scenario, Gold], digest: str) -> Checked:
    """Return the part without what is odd, if the files with this digest are the sample that the site gives out."""
    gold = golds.get(part.scenario) if part.scenario else None
    if gold is None or part.description is None or not _is_sample_of(gold, digest):
        return part
    return replace(part, description=replace(part.description, oddities=[]), is_sample=True)


def _is_sample_of(gold: Gold, digest: str) -> bool:
    try:
        return bool(digest) and digest in digests_of_sample(gold)
    except (OSError, engine.ScoringError):
        return False


def _recognised(phase: Phase, upload: Upload, parts: list[Checked]) -> list[Checked]:
    entered = {part.scenario: part.scenario for part in parts if part.problems and part.scenario}
    if not entered:
        return parts
    made = dict(zip(entered, made_for(phase, list(entered.values()), upload.named), strict=True))
    return [replace(part, made_for=made.get(part.scenario)) if part.scenario else part for part in parts]


def _told_once(parts: list[Checked], phase: Phase) -> list[Checked]:
    """Merge the parts of all scenarios if the upload is another phase's in all of them."""
    made = [part.made_for for part in parts if part.made_for]
    if len(parts) < 2 or len(made) < len(parts) or {gold.phase for gold in made} != {made[0].phase} - {phase}:
        return parts
    problems = [problem for part in parts for problem in part.problems]
    causes = [cause for part in parts for cause in part.causes]
    return [Checked(None, problems, causes, made[0])]
