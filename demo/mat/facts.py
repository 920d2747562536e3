"""The facts of one bulletin, and how they are put into its sentences."""

import random
import re
from collections.abc import Callable
from datetime import date, timedelta

from demo.chance import choice, shuffled
from demo.mat import vocabulary
from demo.mat.incidents import Kind
from demo.mat.vocabulary import FERRIES

FIRST_DAY = date(2034, 2, 6)
NUMBERS = ("two", "three", "four", "five", "six", "seven")
ORDINALS = ("second", "third", "fourth", "fifth", "sixth")

SLOT = re.compile(r"\{([a-z]+[23]?)(?::([^}]*))?\}")
CHOICE = re.compile(r"\(([^()|]+(?:\|[^()|]+)+)\)")


def _marked(letter: str, name: str) -> str:
    """The name between marks, its article before them."""
    article = "the " if name.startswith("the ") else ""
    return f"{article}<{letter}>{name.removeprefix(article)}</{letter}>"


def _between(low: int, high: int, rng: random.Random) -> int:
    return low + int(rng.random() * (high - low + 1))


def _short(day: date) -> str:
    return f"{day.day} {day:%B}"


# Roles whose holders are drawn without return: mark, names.
UNIQUE = {
    "vessel": ("V", vocabulary.SHIPS),
    "tug": ("V", vocabulary.TUGS),
    "harbour": ("P", vocabulary.HARBOURS),
    "water": ("P", vocabulary.WATERS),
    "point": ("P", vocabulary.POINTS),
    "berth": ("P", vocabulary.BERTHS),
    "owner": ("O", vocabulary.OWNERS),
    "lifeboat": ("V", vocabulary.LIFEBOATS),
    "authority": ("O", vocabulary.AUTHORITIES),
    "pilots": ("O", vocabulary.PILOTS),
    "rescuer": ("O", vocabulary.RESCUERS),
    "investigator": ("O", vocabulary.INVESTIGATORS),
    "warden": ("O", vocabulary.WARDENS),
    "union": ("O", vocabulary.UNIONS),
    "insurer": ("O", vocabulary.INSURERS),
    "goods": ("", vocabulary.GOODS),
    "first": ("", vocabulary.FIRST_NAMES),
    "last": ("", vocabulary.LAST_NAMES),
}
PEOPLE = {
    *("master", "mate", "engineer", "pilot", "harbourmaster", "coxswain", "inspector", "officer", "witness"),
    *("spokesperson", "unionist", "relief", "victim"),
}
FIGURES: dict[str, Callable[[random.Random], str]] = {
    "time": lambda rng: f"{_between(0, 23, rng):02}:{5 * _between(0, 11, rng):02}",
    "few": lambda rng: choice(NUMBERS, rng),
    "hours": lambda rng: choice((*NUMBERS, "eleven", "fourteen"), rng),
    "nth": lambda rng: choice(ORDINALS, rng),
    "items": lambda rng: choice(vocabulary.ITEMS, rng),
}
# From the day of the incident.
DATES: dict[str, Callable[[date, random.Random], str]] = {
    "date": lambda day, rng: choice((f"{day:%A} {_short(day)}", _short(day), f"{_short(day)} {day.year}"), rng),
    "day": lambda day, rng: f"{day:%A}",
    "nextday": lambda day, rng: f"{day + timedelta(days=1):%A}",
    "later": lambda day, rng: _short(day + timedelta(days=_between(1, 6, rng))),
    "muchlater": lambda day, rng: _short(day + timedelta(days=_between(20, 70, rng))),
    "month": lambda day, rng: f"{day - timedelta(days=_between(60, 300, rng)):%B}",
    "earlier": lambda day, rng: f"{_between(1, 28, rng)} {choice(('March', 'May', 'October'), rng)} {day.year - 1}",
    "since": lambda day, rng: str(_between(2018, 2030, rng)),
    "year": lambda day, rng: str(_between(1996, 2017, rng)),
    "old": lambda day, rng: str(_between(1888, 1926, rng)),
}


class Facts:
    """Names, dates and figures of one bulletin: drawn when a sentence asks for them, the same from then on."""

    def __init__(self, kind: Kind, is_ferry: bool, number: int, rng: random.Random) -> None:
        self.rng = rng
        self.day = FIRST_DAY + timedelta(days=2 * number + _between(0, 1, rng))
        self.names = {role: shuffled(names, rng) for role, (_, names) in UNIQUE.items()}
        ship = choice(FERRIES if is_ferry else kind.ships, rng)
        self.values = {"ship": ship, "ferry": ship, "ship2": choice(kind.others, rng)}
        self.introduced: set[str] = set()

    def fill(self, sentence: str) -> str:
        worded = CHOICE.sub(lambda found: choice(found[1].split("|"), self.rng), sentence)
        filled = SLOT.sub(lambda slot: self._value(slot[1], slot[2]), worded)
        filled = re.sub(r"\ba (?=(?:<\w>)?[aeiou])", "an ", filled)
        first = re.match(r"(?:<\w>)*", filled)
        start = first.end() if first else 0
        return filled[:start] + filled[start].upper() + filled[start + 1 :]

    def _value(self, slot: str, form: str | None) -> str:
        if slot == "n":
            low, _, high = (form or "").partition("-")
            return str(_between(int(low), int(high), self.rng))
        if slot == "date" and form == "short":
            return _marked("D", _short(self.day))
        if slot not in self.values:
            self.values[slot] = self._drawn(slot.rstrip("23"))
        value = self.values[slot]
        return self._person(slot, value, form == "last") if slot.rstrip("2") in PEOPLE else value

    def _person(self, slot: str, full: str, by_title: bool) -> str:
        """The full name at first, the last name later or after a title such as Captain."""
        is_known = slot in self.introduced
        self.introduced.add(slot)
        return _marked("N", full.split(" ")[1] if is_known or by_title else full)

    def _drawn(self, role: str) -> str:
        if role in PEOPLE:
            return f"{self.names['first'].pop()} {self.names['last'].pop()}"
        if role in FIGURES:
            return FIGURES[role](self.rng)
        if role in DATES:
            return _marked("D", DATES[role](self.day, self.rng))
        role = "harbour" if role == "origin" else role
        letter = UNIQUE[role][0]
        name = SLOT.sub(lambda inner: self._value(inner[1], None), self.names[role].pop())
        return _marked(letter, name) if letter else name
