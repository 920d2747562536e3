"""What a demo task is made of: each folder beside this file plans one."""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class File:
    name: str
    content: bytes


@dataclass(frozen=True)
class ScenarioPlan:
    name: str
    description: str
    family: str
    options: dict[str, Any]
    shown_scores: tuple[str, ...]


@dataclass(frozen=True)
class PhasePlan:
    """`opened` counts days back from now, `closes` days ahead; None: stays open."""

    slug: str
    name: str
    description: str
    opened: int
    closes: int | None = None
    gold_released: bool = False
    window_limit: int | None = None
    total_limit: int | None = None


@dataclass(frozen=True)
class DownloadPlan:
    title: str
    description: str
    file: File


@dataclass(frozen=True)
class Run:
    """An upload of a fictional team; `reference` is a Submission.Reference, empty for a ranked run."""

    team: str
    method: str
    description: str
    scenarios: tuple[int, ...]
    file: File
    reference: str = ""


PHASES = (
    PhasePlan(
        "development",
        "Development",
        "The gold of this phase is open: download it and score on your own machine as well.",
        opened=60,
        gold_released=True,
    ),
    PhasePlan(
        "test", "Test", "The gold of this phase is hidden.", opened=20, closes=40, window_limit=5, total_limit=30
    ),
)


@dataclass(frozen=True)
class TaskPlan:
    """`gold` takes the slug of a phase and the number of a scenario, from 1; the others take the slug.

    Runs arrive in the order in which `runs` gives them.
    """

    slug: str
    title: str
    summary: str
    description: str
    scenarios: tuple[ScenarioPlan, ...]
    gold: Callable[[str, int], File]
    downloads: Callable[[str], list[DownloadPlan]]
    runs: Callable[[str], list[Run]]
    phases: tuple[PhasePlan, ...] = PHASES


def zip_of(files: Mapping[str, str]) -> bytes:
    """An archive with equal bytes for equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            member = zipfile.ZipInfo(path)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return buffer.getvalue()
