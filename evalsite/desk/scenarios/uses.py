"""Lists the uses that organisers choose from, and finds the use of a scenario."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import slugify

import scoring
from evalsite.board_pages.board.rows import plain
from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine
from evalsite.wording import option_value
from scoring.family import AREAS, FURTHER, Family, Use


@dataclass(frozen=True)
class Way:
    """A use in the visitor's language, and the family that scores it."""

    family: Family
    use: Use

    @property
    def title(self) -> str:
        return from_engine(self.use.title)

    @property
    def about(self) -> str:
        return from_engine(self.use.about)

    @property
    def area(self) -> str:
        """Return the area in the engine's words; an unknown one of an installed package counts as further."""
        area = self.use.area or self.family.offer.area
        return area if area in AREAS else FURTHER

    @property
    def searched(self) -> str:
        """Return the text that a search looks through, the names of its scores included."""
        scores = (*self.family.score_titles, *map(from_engine, self.family.score_titles.values()))
        return plain(" ".join((self.title, self.about, self.program, from_engine(self.area), *scores)))

    @property
    def program(self) -> str:
        """Return what the family reproduces, for those who know it."""
        return from_engine(self.family.title)


def ways() -> list[Way]:
    return [way for family in scoring.FAMILIES.values() for way in ways_of(family)]


@dataclass(frozen=True)
class Area:
    """Uses that people know their task as."""

    key: str  # as in an address
    title: str
    ways: list[Way]


def areas_of(found: Iterable[Way]) -> list[Area]:
    """Return the uses by their areas; areas without any are left out."""
    listed = list(found)
    by_area = ((area, [each for each in listed if each.area == area]) for area in AREAS)
    return [Area(slugify(area), from_engine(area), inside) for area, inside in by_area if inside]


def ways_for(query: str) -> list[Way]:
    """Return the uses whose text has each word of the query; all of them for an empty query."""
    words = plain(query).replace("-", " ").split()
    return [each for each in ways() if all(word in each.searched.replace("-", " ") for word in words)]


def ways_of(family: Family) -> list[Way]:
    """Return the uses of a family; one that names none is a use by its title."""
    return [Way(family, use) for use in family.offer.uses or (Use(family.name, family.title, ""),)]


def way(key: str) -> Way | None:
    return next((each for each in ways() if each.use.key == key), None)


def way_of(scenario: Scenario) -> Way:
    """Return the use that was chosen, else of those whose options the scenario has the most specific one.

    If there is none, it is the family's last.
    """
    known = ways_of(scenario.engine_family)
    fitting = [each for each in known if all(_is_same(each, scenario, key) for key in each.use.options)]
    chosen = (each for each in fitting if each.use.key == scenario.use)
    asking = max(fitting, key=lambda each: len(each.use.options), default=known[-1])
    return next(chosen, asking)


def _is_same(each: Way, scenario: Scenario, key: str) -> bool:
    """Return whether the option has the use's value; a list has to begin alike and hold the other values."""
    expected, own = each.family.configure(each.use.options)[key], scenario.configured[key]
    if isinstance(expected, list) and isinstance(own, list):
        return own[:1] == expected[:1] and all(item in own for item in expected)
    return option_value(expected) == option_value(own)
