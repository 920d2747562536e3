"""Samples for participants: uploads that are valid as they are, the engine, and commands to check a run."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache as once
from hashlib import sha256
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.cache import cache
from django.urls import reverse

from evalsite.base import moment
from evalsite.challenges.access import Role, Visitor, role_of, sees_against_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.starter_kit.wheel import NAME, engine_digest, engine_files
from evalsite.challenges.storage.files import archive_of, named
from evalsite.challenges.task_page.overview import current_phase, may_have_sample
from evalsite.wording import option_value
from scoring.readers.archive import Made, open_files

_CACHED_FOR = 24 * 3600  # seconds


def sample_phase(scenario: Scenario, user: Visitor, slug: str = "") -> Phase | None:
    """Return the phase whose input a sample is made from: the one asked for, or else the current one."""
    role = role_of(user, scenario.task)
    offered = [
        phase
        for phase in scenario.task.phases.filter(golds__scenario=scenario).distinct()
        if may_have_sample(phase, user, role)
    ]
    return current_phase([phase for phase in offered if slug in ("", phase.slug)])


def sample_of(scenario: Scenario, phase: Phase | None) -> dict[str, bytes]:
    """Return a small upload by path, valid for the phase and scored as it is; without a phase, of made-up data."""
    gold = gold_in_force(phase, scenario) if phase else None
    return _sample_from(gold) if gold else scenario.example


def _sample_from(gold: Gold) -> dict[str, bytes]:
    make = gold.scenario.engine_family.files.sample
    if make is None:
        return gold.scenario.example
    with named(gold.file) as path:
        return make(open_files(path), gold.scenario.configured)


def digests_of_sample(gold: Gold) -> list[str]:
    """Return the digests by which the engine knows the gold's sample, as a folder or archive and as a single file."""
    options = sha256(json.dumps(gold.scenario.options, sort_keys=True).encode()).hexdigest()
    key = f"sample-{gold.pk}-{options}-{engine_digest()}"
    digests: list[str] | None = cache.get(key)
    if digests is None:
        digests = _digests_of(_sample_from(gold))
        cache.set(key, digests, _CACHED_FOR)
    return digests


def _digests_of(sample: dict[str, bytes]) -> list[str]:
    alone = [sha256(content).hexdigest() for content in sample.values()] if len(sample) == 1 else []
    return [Made(sample).digest(sample), *alone]


@dataclass(frozen=True)
class Command:
    """A command that checks a run on one's own machine, with gold that may be downloaded."""

    text: str  # as it is typed into a shell
    gold: Gold
    gold_name: str  # as the file is called when it is downloaded


def check_command(scenario: Scenario, phase: Phase) -> Command | None:
    """Return the command; None as long as not everybody may download the phase's gold."""
    if phase.opens > moment.now() or not sees_against_gold(Role.STRANGER, phase):
        return None
    golds = Gold.objects.in_force().filter(scenario=scenario, phase=phase, is_input=False)
    gold = golds.select_related("phase__task", "scenario").first()
    if gold is None:
        return None
    name = gold.download_name
    options = typed_options(scenario)
    files = [f"--gold {shlex.quote(name)}", f"--system {_run_name(scenario, name)}"]
    parts = [f"evalsite check {scenario.family}", *files, *options]
    return Command(" \\\n  ".join(parts), gold, name)


def input_command(scenario: Scenario, scenarios: Sequence[Scenario]) -> str:
    """Return the command that checks the sample in a starter kit for all these scenarios; "" if there are no units."""
    if scenario.engine_family.files.inputs is None:
        return ""
    suffix = f"-{scenario.number}" if len(scenarios) > 1 else ""
    return check_beside_input(scenario, f"units{suffix}", f"sample{suffix}")


def check_beside_input(scenario: Scenario, inputs: str, system: str) -> str:
    """Return the command that checks a run without gold, beside the units in the folder `inputs` of a starter kit."""
    files = [f"--input {inputs}", f"--system {shlex.quote(system)}"]
    return " \\\n  ".join([f"evalsite check {scenario.family}", *files, *typed_options(scenario)])


def engine_address() -> str:
    """Return the path from which the engine can be installed, without the host."""
    return reverse("engine_package", args=[NAME])


def typed_options(scenario: Scenario) -> list[str]:
    """Return the options that the organisers chose, each as it is typed into a shell."""
    return [f"-o {_quoted(f'{key}={option_value(value)}')}" for key, value in scenario.options.items()]


def _quoted(text: str) -> str:
    """Return a text as every shell takes it, that of Windows too, where it has but an apostrophe."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\!%') else shlex.quote(text)


def _run_name(scenario: Scenario, gold_name: str) -> str:
    """Return a usual name of a run: an archive if the gold is one, else a file like that of the example."""
    return "run.zip" if gold_name.endswith(".zip") else f"run{PurePosixPath(next(iter(scenario.example))).suffix}"


@once
def engine_archive() -> bytes:
    """Return the engine as a zip archive: unpacked into a folder, `python -m scoring` runs there."""
    licence = Path(settings.BASE_DIR, "LICENSE")
    return archive_of(engine_files() | ({"LICENSE": licence.read_bytes()} if licence.is_file() else {}))
