"""What participants may try the way with: uploads that are valid as they are, the engine, and a command for it."""

import json
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.utils import timezone

import scoring
from evalsite.challenges.access import Role, Visitor, sees_against_gold
from evalsite.challenges.files import archive_of, local_path
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.overview import current_phase, given
from scoring.readers.archive import open_files


def sample_phase(scenario: Scenario, user: Visitor, slug: str = "") -> Phase | None:
    """The phase whose input a sample is made from: the one asked for, or else the current one."""
    offered = [
        phase for phase in scenario.task.phases.filter(golds__scenario=scenario).distinct() if given(phase, user)
    ]
    return current_phase([phase for phase in offered if slug in ("", phase.slug)])


def sample_of(scenario: Scenario, phase: Phase | None) -> dict[str, bytes]:
    """A small upload, {path: content}: valid for the phase and scored as it is; without a phase, of made-up data."""
    make = scenario.engine_family.sample
    gold = Gold.objects.filter(phase=phase, scenario=scenario).order_by("-version").first() if phase else None
    if make is None or gold is None:
        return scenario.example
    with local_path(gold.file) as path:
        return make(open_files(path), scenario.configured)


@dataclass(frozen=True)
class Command:
    """How to check a run on one's own machine, with gold that may be downloaded."""

    text: str  # as it is typed into a shell
    gold: Gold
    gold_name: str  # as the file is called when it is downloaded


def check_command(scenario: Scenario) -> Command | None:
    """None as long as no gold of the scenario may be downloaded by everybody."""
    golds = Gold.objects.filter(scenario=scenario, phase__opens__lte=timezone.now()).select_related("phase")
    newest = {gold.phase_id: gold for gold in golds.order_by("version")}
    released = [gold for gold in newest.values() if sees_against_gold(Role.STRANGER, gold.phase)]
    if not released:
        return None
    gold = released[0]
    name = PurePosixPath(gold.file.name or "gold.zip").name
    options = [f"-o {shlex.quote(f'{key}={_as_typed(value)}')}" for key, value in scenario.options.items()]
    files = [f"--gold {shlex.quote(name)}", f"--system {_run_name(scenario, name)}"]
    parts = [f"python -m scoring check {scenario.family}", *files, *options]
    return Command(" \\\n  ".join(parts), gold, name)


def _run_name(scenario: Scenario, gold_name: str) -> str:
    """What a run is usually called: an archive where the gold is one, else a file like that of the example."""
    return "run.zip" if gold_name.endswith(".zip") else f"run{PurePosixPath(next(iter(scenario.example))).suffix}"


def _as_typed(value: Any) -> str:
    """An option as the command line takes it: labels with commas between them, other lists as JSON."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def engine_archive() -> bytes:
    """The engine as a zip archive: unpacked into a folder, `python -m scoring` runs there."""
    package = Path(scoring.__file__).parent
    paths = (path.relative_to(package.parent) for path in sorted(package.rglob("*")) if path.is_file())
    files = {path.as_posix(): (package.parent / path).read_bytes() for path in paths if _is_source(path)}
    licence = Path(settings.BASE_DIR, "LICENSE")
    return archive_of(files | ({"LICENSE": licence.read_bytes()} if licence.is_file() else {}))


def _is_source(path: Path) -> bool:
    """Not what interpreters and other tools leave behind."""
    return not any(part == "__pycache__" or part.startswith(".") for part in path.parts)
