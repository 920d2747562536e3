"""What a demo task is made of: each folder beside this file plans one."""

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Rates = TypeVar("Rates")  # what a family's generator of errors takes


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
class Profile(Generic[Rates]):
    """A run of a fictional team. Without rates it is a baseline, which makes its own mistakes."""

    team: str
    run: str  # sets the runs of one team apart
    method: str
    description: str
    rates: Rates | None
    scenarios: tuple[int, ...]
    reference: str = ""  # a Submission.Reference, empty for a ranked run
    phases: tuple[str, ...] = ("development", "test")

    @property
    def name(self) -> str:
        """Seeds the run's mistakes."""
        return f"{self.team} {self.run}"


@dataclass(frozen=True)
class System:
    """What a run uploads: the text of one file, or the texts of an archive by their paths."""

    team: str
    run: str
    method: str
    description: str
    reference: str
    scenarios: tuple[int, ...]
    content: str | dict[str, str]


def system_of(profile: Profile[Any], content: str | dict[str, str], scenarios: tuple[int, ...] | None = None) -> System:
    """`scenarios` where the content is not for all those of the profile."""
    return System(
        profile.team,
        profile.run,
        profile.method,
        profile.description,
        profile.reference,
        profile.scenarios if scenarios is None else scenarios,
        content,
    )


@dataclass(frozen=True)
class Run:
    """An upload of a fictional team; `reference` is a Submission.Reference, empty for a ranked run."""

    team: str
    method: str
    description: str
    scenarios: tuple[int, ...]
    file: File
    reference: str = ""
    is_brought: bool = False  # by the organisers, for the team


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
    data_language: str = "en"  # of the made-up texts
    combined: str = ""  # the formula over the scores of all scenarios; "" for none


def zip_of(files: Mapping[str, str]) -> bytes:
    """An archive with equal bytes for equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            member = zipfile.ZipInfo(path)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return buffer.getvalue()


def runs_of(systems: Iterable[System], suffix: str = "zip", *, are_brought: bool = False) -> list[Run]:
    """The systems as uploads; `suffix` is that of a file that is no archive."""
    return [
        Run(
            system.team,
            system.method,
            system.description,
            system.scenarios,
            _file(system, suffix),
            system.reference,
            are_brought,
        )
        for system in systems
    ]


def _file(system: System, suffix: str) -> File:
    if isinstance(system.content, str):
        return File(f"{system.run}.{suffix}", system.content.encode())
    return File(f"{system.run}.zip", zip_of(system.content))


def input_of(phase: str, description: str, files: Mapping[str, str]) -> DownloadPlan:
    """What the participants get for a phase, as one archive."""
    return DownloadPlan(
        f"{phase.capitalize()}: what you get", f"{description} Synthetic.", File(f"{phase}-input.zip", zip_of(files))
    )
