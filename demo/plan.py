"""Reads what a demo task is made of: settings in a file of its own, and gold, downloads and runs in a folder a phase.

README.md beside this file tells how the files came about.
"""

import gzip
import io
import tomllib
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tasks"
# Whom one can log in as; no secret, since the demo listens on this machine only.
ORGANISER = "organiser@demo.invalid"
PARTICIPANT = "participant@demo.invalid"
PASSWORD = "evalsite-demo"


@dataclass(frozen=True)
class File:
    name: str  # as it was uploaded
    content: bytes

    def texts(self) -> dict[str, str]:
        """Return the texts of an archive by their paths."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return {path: archive.read(path).decode() for path in archive.namelist()}


@dataclass(frozen=True)
class ScenarioPlan:
    name: str
    description: str
    family: str
    options: dict[str, Any]
    shown_scores: list[str]
    gold: str  # the path of the gold in the folder of each phase


@dataclass(frozen=True)
class DownloadPlan:
    title: str
    description: str
    file: str  # the path in the folder of the phase


@dataclass(frozen=True)
class PhasePlan:
    slug: str
    name: str
    description: str
    opened: int  # days before the demo is made
    closes: int | None = None  # days after it; None: stays open
    gold_released: bool = False
    window_limit: int | None = None
    total_limit: int | None = None
    downloads: tuple[DownloadPlan, ...] = ()


@dataclass(frozen=True)
class Run:
    """An upload of a fictional team to one phase, or to several with a file of its own for each."""

    team: str
    method: str
    description: str
    scenarios: list[int]
    file: str  # the path in `runs`, in the folder of each phase
    reference: str = ""  # a Submission.Reference; empty for a ranked run
    is_brought: bool = False  # by the organisers, for the team
    phases: Sequence[str] = ()  # their slugs; empty: all of the task


@dataclass(frozen=True)
class TaskPlan:
    """Runs arrive in the order in which the file has them."""

    folder: Path
    slug: str
    title: str
    summary: str
    description: str
    data_language: str  # of the made-up texts
    scenarios: tuple[ScenarioPlan, ...]
    phases: tuple[PhasePlan, ...]
    all_runs: tuple[Run, ...]
    combined: str = ""  # the formula over the scores of all scenarios; empty for none

    def gold(self, phase: str, scenario: int) -> File:
        """Return the gold of a phase for the scenario with this number, from 1."""
        return self.file(phase, self.scenarios[scenario - 1].gold)

    def runs(self, phase: str) -> list[Run]:
        return [run for run in self.all_runs if not run.phases or phase in run.phases]

    def file_of(self, run: Run, phase: str) -> File:
        return self.file(phase, f"runs/{run.file}")

    def archives(self, phase: str, scenarios: Collection[int]) -> list[dict[str, str]]:
        """Return the texts by path of each run that enters all of these scenarios, where runs are archives."""
        entering = (run for run in self.runs(phase) if set(scenarios) <= set(run.scenarios))
        return [self.file_of(run, phase).texts() for run in entering]

    def file(self, phase: str, path: str) -> File:
        """Return a file of a phase, which may be stored with gzip."""
        stored = self.folder / phase / path
        packed = stored.with_name(f"{stored.name}.gz")
        return File(stored.name, gzip.decompress(packed.read_bytes()) if packed.exists() else stored.read_bytes())


@cache
def read_task(name: str) -> TaskPlan:
    """Return the task in the folder of this name."""
    folder = FOLDER / name
    with (folder / "task.toml").open("rb") as file:
        settings = tomllib.load(file)
    scenarios = tuple(ScenarioPlan(**each) for each in settings.pop("scenarios"))
    phases = tuple(_phase(each) for each in settings.pop("phases"))
    runs = tuple(Run(**each) for each in settings.pop("runs"))
    return TaskPlan(folder=folder, scenarios=scenarios, phases=phases, all_runs=runs, **settings)


def _phase(settings: dict[str, Any]) -> PhasePlan:
    downloads = tuple(DownloadPlan(**each) for each in settings.pop("downloads"))
    return PhasePlan(**settings, downloads=downloads)
