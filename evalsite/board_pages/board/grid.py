"""Lays out the boards of a phase with many scenarios: what is scored down, languages across."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from django.utils.translation import gettext as _

from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine
from evalsite.wording import language_name

MIN_SCENARIOS = 10  # scenarios for which a row of links is too long to be read
_JOINTS = " :;,.–—-/|("  # between what is scored and its language, in a name


@dataclass(frozen=True)
class Cell:
    scenario: Scenario
    address: str
    is_here: bool


@dataclass(frozen=True)
class Kind:
    """Scenarios that differ in their language alone: a row of the grid."""

    key: str  # in addresses: the number of the first of them
    title: str
    cells: Sequence[Cell | None]  # by language


@dataclass(frozen=True)
class Grid:
    languages: Mapping[str, str]  # their names by codes; "" stands for scenarios of no language in particular
    kinds: Sequence[Kind]
    n: int

    def narrowed(self, language: str, kind: str) -> list[Scenario]:
        """Return the scenarios of a language, a kind, or both; of all where nobody has what is asked for."""
        cells = [(row.key, cell) for row in self.kinds for cell in row.cells if cell]
        chosen = [
            cell.scenario
            for key, cell in cells
            if kind in ("", key) and (not language or language_of(cell.scenario) == language)
        ]
        return chosen or [cell.scenario for _key, cell in cells]


def grid_of(scenarios: Sequence[Scenario], addresses: Mapping[int, str], here: int | None) -> Grid:
    """Return the grid of these scenarios, whose pages stand by their numbers; `here` is the number of this page's."""
    codes = sorted({language_of(scenario) for scenario in scenarios})
    rows: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        rows.setdefault(_kind_of(scenario), []).append(scenario)
    kinds = [
        Kind(str(alike[0].number), _title_of(alike), [_cell(row, addresses, here) for row in line])
        for alike in rows.values()
        for line in _lines(alike, codes)
    ]
    return Grid({code: language_name(code) if code else _("no language") for code in codes}, kinds, len(scenarios))


def language_of(scenario: Scenario) -> str:
    """Return the code of the language that distinguishes the scenario in an upload; "" for none."""
    return str(scenario.options.get("folder") or "") or (scenario.part.value if scenario.part else "")


def _kind_of(scenario: Scenario) -> str:
    """Return what scenarios have in common that are the same but for their language; those of none stand alone."""
    if not language_of(scenario):
        return str(scenario.number)
    options = {key: value for key, value in scenario.options.items() if key not in ("folder", "rows")}
    return f"{scenario.family} {sorted(options.items())!r}"


def _title_of(alike: Sequence[Scenario]) -> str:
    """Return what their names begin with, or the name of the first and how many others there are."""
    if len(alike) == 1:
        return alike[0].name
    shared = commonprefix([scenario.name for scenario in alike]).rstrip(_JOINTS)
    is_word = bool(shared) and all(not scenario.name[len(shared) :][:1].isalnum() for scenario in alike)
    return shared if is_word else from_engine(alike[0].engine_family.title)


def _lines(alike: Iterable[Scenario], codes: Sequence[str]) -> list[list[Scenario | None]]:
    """Return rows with one scenario for a language; a second one of the same language begins another row."""
    lines: list[list[Scenario | None]] = []
    for scenario in alike:
        place = codes.index(language_of(scenario))
        line = next((line for line in lines if line[place] is None), None)
        if line is None:
            line = [None] * len(codes)
            lines.append(line)
        line[place] = scenario
    return lines


def _cell(scenario: Scenario | None, addresses: Mapping[int, str], here: int | None) -> Cell | None:
    return Cell(scenario, addresses[scenario.number], scenario.number == here) if scenario else None
