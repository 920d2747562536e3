"""Reads `archive.json`, which says what an archive has, and what is to be computed again of what (docs/archive.md)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar

from scoring.errors import ConfigurationError
from scoring.signature import __version__
from scoring.verifying.opening import CONTENTS, FORMAT, Archive

Row = TypeVar("Row")


@dataclass(frozen=True)
class Phase:
    slug: str
    has_receipts: bool  # False where they are left out, since they would tell whose run is whose


@dataclass(frozen=True)
class Scenario:
    number: int
    name: str
    family: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Gold:
    phase: str
    scenario: int
    version: int
    file: str | None  # None where the site has lost it
    file_name: str
    keeps: dict[str, Any] = field(default_factory=dict)
    part: dict[str, Any] = field(default_factory=dict)  # of a gold that is split: `subset` and `seed`


@dataclass(frozen=True)
class Run:
    number: int
    run: str
    phase: str
    team: str
    reference: str  # empty for a run of a team
    arrived: str
    file: str | None
    file_name: str
    bytes: int
    sha256: str

    def __str__(self) -> str:
        return f"run {self.number} ({self.team or self.reference or self.file_name})"


@dataclass(frozen=True)
class StoredEvaluation:
    run: int
    phase: str
    scenario: int
    gold: int
    engine: str
    file: str
    # Where the run was judged elsewhere: the file of its scores, with file_name, sha256, and further options.
    judged: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredBoard:
    phase: str
    scenario: int
    gold: int | None
    engine: str
    file: str


@dataclass(frozen=True)
class StoredCombined:
    phase: str
    kind: str
    formula: str
    missing: str
    lower_is_better: bool
    golds: dict[str, Any]  # {number of a scenario: [version of the gold, engine]}, of all that the phase ranks
    file: str


@dataclass(frozen=True)
class StoredReceipts:
    before: str  # the head of the chain before the first link
    links: str  # the file with a line for each link
    receipts: str  # the file with the receipts of this task's runs


@dataclass(frozen=True)
class Contents:
    """What `archive.json` says; rows that lead nowhere were refused."""

    engine: str
    phases: dict[str, Phase]
    scenarios: dict[int, Scenario]
    golds: dict[tuple[str, int, int], Gold]
    runs: dict[int, Run]
    evaluations: list[StoredEvaluation]
    boards: list[StoredBoard]
    combined: list[StoredCombined]
    receipts: StoredReceipts | None


def read_contents(archive: Archive) -> Contents:
    """Return the contents; ConfigurationError where the archive is from a newer site, or is none."""
    value = archive.json(CONTENTS)
    if not isinstance(value, Mapping) or not isinstance(value.get("evalsite_archive"), int):
        raise ConfigurationError(f"{CONTENTS}: it has no number evalsite_archive, so this is no archive of a task")
    if value["evalsite_archive"] > FORMAT:
        raise ConfigurationError(
            f"{CONTENTS}: the archive has the format {value['evalsite_archive']}, and this evalsite {__version__} "
            f"reads {FORMAT}: install a newer one"
        )
    engine = _text(value.get("engine"), "engine")
    if not _VERSION.fullmatch(engine):
        raise ConfigurationError(f"{CONTENTS}: engine: expected a version such as 1.2.0, found {engine!r:.60}")
    if _as_numbers(engine) > _as_numbers(__version__):
        raise ConfigurationError(
            f"{CONTENTS}: the archive was made by the engine {engine}, and this is {__version__}: "
            f"pip install evalsite=={engine}"
        )
    contents = Contents(
        engine=engine,
        phases={row.slug: row for row in _phases(value)},
        scenarios={row.number: row for row in _rows(value, "scenarios", Scenario)},
        golds={(row.phase, row.scenario, row.version): row for row in _rows(value, "golds", Gold)},
        runs=_numbered_runs(value),
        evaluations=list(_rows(value, "evaluations", StoredEvaluation)),
        boards=list(_rows(value, "boards", StoredBoard)),
        combined=list(_rows(value, "combined", StoredCombined)),
        receipts=_row(value["receipts"], "receipts", StoredReceipts) if value.get("receipts") else None,
    )
    _check_references(contents)
    return contents


_VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}[0-9A-Za-z.+-]{0,40}")


def _as_numbers(version: str) -> list[int]:
    beginnings = (re.match("[0-9]{1,9}", part) for part in version.split("+")[0].split("."))
    return [int(digits[0]) if digits else 0 for digits in beginnings]


def _phases(value: Mapping[str, Any]) -> Iterator[Phase]:
    """Yield the phases; older archives say only whether teams were named, and so whether receipts are in them."""
    if isinstance(rows := value.get("phases"), list):
        for row in rows:
            if isinstance(row, dict):
                row.setdefault("has_receipts", row.get("is_anonymous") is not True)
    return _rows(value, "phases", Phase)


def _numbered_runs(value: Mapping[str, Any]) -> dict[int, Run]:
    """Return the runs by number; no two may share a number or an id, or one would stand behind the other's receipt."""
    runs: dict[int, Run] = {}
    ids: set[str] = set()
    for place, run in enumerate(_rows(value, "runs", Run)):
        if run.number in runs or run.run in ids:
            raise ConfigurationError(f"{CONTENTS}: runs[{place}]: run {run.number}, {run.run!r:.60}, stands twice")
        runs[run.number] = run
        ids.add(run.run)
    return runs


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigurationError(f"{CONTENTS}: {where}: expected a text, found {value!r:.60}")
    return value


def _rows(value: Mapping[str, Any], name: str, kind: type[Row]) -> Iterator[Row]:
    rows = value.get(name)
    if not isinstance(rows, list):
        raise ConfigurationError(f"{CONTENTS}: {name}: expected a list, found {rows!r:.60}")
    for place, row in enumerate(rows):
        yield _row(row, f"{name}[{place}]", kind)


def _row(row: Any, where: str, kind: type[Row]) -> Row:
    if not isinstance(row, Mapping):
        raise ConfigurationError(f"{CONTENTS}: {where}: expected an object, found {row!r:.60}")
    values = {}
    for part in fields(kind):  # type: ignore[arg-type]
        has_default = part.default is not MISSING or part.default_factory is not MISSING
        if part.name not in row and has_default:
            continue
        value = row.get(part.name)
        if not isinstance(value, _TYPES[str(part.type)]) or (isinstance(value, bool) and "bool" not in str(part.type)):
            raise ConfigurationError(
                f"{CONTENTS}: {where}.{part.name}: expected {_NAMES[_TYPES[str(part.type)][0]]}, found {value!r:.60}"
            )
        values[part.name] = value
    return kind(**values)


_TYPES: dict[str, tuple[type, ...]] = {
    str(int): (int,),
    str(str): (str,),
    str(bool): (bool,),
    str(str | None): (str, type(None)),
    str(int | None): (int, type(None)),
    str(dict[str, Any]): (dict,),
}
_NAMES = {int: "a whole number", str: "a text", bool: "true or false", dict: "an object"}


def _check_references(contents: Contents) -> None:
    for place, row in enumerate(contents.evaluations):
        if row.run not in contents.runs:
            raise ConfigurationError(f"{CONTENTS}: evaluations[{place}].run: there is no run {row.run}")
        if (row.phase, row.scenario, row.gold) not in contents.golds:
            words = f"there is no gold of {row.phase}, scenario {row.scenario}, version {row.gold}"
            raise ConfigurationError(f"{CONTENTS}: evaluations[{place}]: {words}")
    numbers = [*(row.scenario for row in contents.golds.values()), *(row.scenario for row in contents.boards)]
    for number in numbers:
        if number not in contents.scenarios:
            raise ConfigurationError(f"{CONTENTS}: there is no scenario {number}")
