"""What people do, as organisers choose it: each use of each family, and the use that a scenario is."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import slugify

import scoring
from evalsite.challenges.models import Scenario
from evalsite.leaderboard.board.rows import plain
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
        """In the engine's words; one of an installed package that is none of ours stands with the further ones."""
        area = self.use.area or self.family.area
        return area if area in AREAS else FURTHER

    @property
    def searched(self) -> str:
        """All by which somebody may look for it, the names of its scores too."""
        scores = (*self.family.score_titles, *map(from_engine, self.family.score_titles.values()))
        return plain(" ".join((self.title, self.about, self.program, from_engine(self.area), *scores)))

    @property
    def program(self) -> str:
        """What the family reproduces, for those who know it."""
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
    """The ways by their areas, in the order of these; areas without any are left out."""
    listed = list(found)
    by_area = ((area, [each for each in listed if each.area == area]) for area in AREAS)
    return [Area(slugify(area), from_engine(area), inside) for area, inside in by_area if inside]


def ways_for(query: str) -> list[Way]:
    """Those in which each word of the query occurs, as it is or as the beginning of a score's name; all for none."""
    words = plain(query).replace("-", " ").split()
    return [each for each in ways() if all(word in each.searched.replace("-", " ") for word in words)]


def ways_of(family: Family) -> list[Way]:
    """A family that names no use is one by its title."""
    return [Way(family, use) for use in family.uses or (Use(family.name, family.title, ""),)]


def way(key: str) -> Way | None:
    return next((each for each in ways() if each.use.key == key), None)


def way_of(scenario: Scenario) -> Way:
    """The one that was chosen, or else of those whose options the scenario has the one that asks for most.

    Without any it is the family's last.
    """
    known = ways_of(scenario.engine_family)
    fitting = [each for each in known if _fits(each, scenario)]
    chosen = (each for each in fitting if each.use.key == scenario.use)
    asking = max(fitting, key=lambda each: len(each.use.options), default=known[-1])
    return next(chosen, asking)


def _fits(each: Way, scenario: Scenario) -> bool:
    return all(_is_same(each, scenario, key) for key in each.use.options)


def _is_same(each: Way, scenario: Scenario, key: str) -> bool:
    """Of lists the use's first stands first, and the others stand among them."""
    wanted, own = each.family.configure(each.use.options)[key], scenario.configured[key]
    if isinstance(wanted, list) and isinstance(own, list):
        return own[:1] == wanted[:1] and all(item in own for item in wanted)
    return option_value(wanted) == option_value(own)
