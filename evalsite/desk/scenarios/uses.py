"""Lists the uses that organisers choose from, and finds the use of a scenario."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import slugify

import scoring
from evalsite.base.contrib import Ability, can
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
    """Return the uses of all families; one whose scores a judge posts only on a site where it can."""
    judges = can(Ability.JUDGING)
    return [way for family in scoring.FAMILIES.values() for way in ways_of(family) if judges or not way.use.is_judged]


@dataclass(frozen=True)
class Area:
    """Uses that people know their task as."""

    key: str  # as in an address
    title: str
    ways: list[Way]


def areas_of(offered: Iterable[Way]) -> list[Area]:
    """Return the uses by their areas; areas without any are left out."""
    listed = list(offered)
    by_area = ((area, [way for way in listed if way.area == area]) for area in AREAS)
    return [Area(slugify(area), from_engine(area), inside) for area, inside in by_area if inside]


def ways_for(query: str) -> list[Way]:
    """Return the uses whose text has each word of the query; all of them for an empty query."""
    words = plain(query).replace("-", " ").split()
    return [way for way in ways() if all(word in way.searched.replace("-", " ") for word in words)]


def ways_of(family: Family) -> list[Way]:
    """Return the uses of a family; one that names none is a use by its title."""
    return [Way(family, use) for use in family.offer.uses or (Use(family.name, family.title, ""),)]


def way(key: str) -> Way | None:
    return next((way for way in ways() if way.use.key == key), None)


def way_of(scenario: Scenario) -> Way:
    """Return the use that was chosen, else of those whose options the scenario has the most specific one.

    If there is none, it is the family's last.
    """
    offered = ways_of(scenario.engine_family)
    fitting = [
        candidate for candidate in offered if all(_is_same(candidate, scenario, key) for key in candidate.use.options)
    ]
    chosen = (candidate for candidate in fitting if candidate.use.key == scenario.use)
    return next(chosen, max(fitting, key=_n_of_its_own, default=offered[-1]))


def _n_of_its_own(candidate: Way) -> int:
    """Return how many options of a use are not the family's defaults, which any scenario has."""
    configured, usual = candidate.family.configure(candidate.use.options), candidate.family.configure({})
    return sum(configured[key] != usual[key] for key in candidate.use.options)


def _is_same(candidate: Way, scenario: Scenario, key: str) -> bool:
    """Return whether the option has the use's value; a list has to begin alike and hold the other values."""
    expected, actual = candidate.family.configure(candidate.use.options)[key], scenario.configured[key]
    if isinstance(expected, list) and isinstance(actual, list):
        return actual[:1] == expected[:1] and all(item in actual for item in expected)
    return option_value(expected) == option_value(actual)
