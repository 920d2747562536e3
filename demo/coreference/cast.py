"""Who and what a story is about, and how each mention is worded by what came before.

A pronoun is only used where nobody else of that gender has been mentioned in this sentence or the last one, unless
the sentence itself asks for a pronoun.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from demo.chance import choice, shuffled
from demo.coreference import vocabulary
from demo.coreference.plots import Plot

PRONOUNS = {
    "f": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "m": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "n": {"he": "it", "him": "it", "his": "its", "himself": "itself"},
    "p": {"he": "they", "him": "them", "his": "their", "himself": "themselves"},
}
# How often a pronoun is used where it is clear whom it means.
PRONOUN_SHARE = {"f": 0.8, "m": 0.8, "n": 0.55, "p": 0.7}
# Before a subject; before anything else we take the other case.
BEFORE_SUBJECT = re.compile(
    r"(?:^|[,;:] |[,;] (?:and|but) |^(?:In|Under|On|Without) [^,]*[\]}] "
    r"|\b(?:that|because|since|when|until|whether|where|while|which|as|if|so|why|how|After|but) )$"
)
# Where a pronoun would be no English.
NO_PRONOUN_AFTER = re.compile(r"(?:\b(?:said|replied|decided|of|on)|\} and|\] and|the owner,) $")
NO_PRONOUN_BEFORE = re.compile(r"^(?:,? (?:that|who|which|whose)\b|, to whom| and [{\[]|, [^ ]+ for| included)")

MARK = re.compile(
    r"\{(?P<slot>[a-z]+2?)(?::(?P<form>[\w-]+))?\}|\[(?P<id>[a-z]+|\.)(?:/(?P<gender>[fmnp]))? |(?P<end>\])"
)
CHOICE = re.compile(r"\(([^()|]+(?:\|[^()|]+)+)\)")


@dataclass(frozen=True)
class Figure:
    """`first` words the first mention, `later` some later ones, `short` one before the possessive s."""

    gender: str
    first: str
    short: str
    later: tuple[str, ...]


@dataclass
class Memory:
    """Entities by gender that the last sentence and this one have mentioned."""

    last: dict[str, list[str]] = field(default_factory=dict)
    current: dict[str, list[str]] = field(default_factory=dict)

    def note(self, name: str, gender: str) -> None:
        self.current.setdefault(gender, []).append(name)

    def next_sentence(self) -> None:
        self.last, self.current = self.current, {}

    def is_clear(self, name: str, gender: str) -> bool:
        now, before = set(self.current.get(gender, [])), set(self.last.get(gender, []))
        return now == {name} if gender == "n" and now else now | before == {name}


class Cast:
    """Fills the sentences of one story, in their order."""

    def __init__(self, plot: Plot, rng: random.Random) -> None:
        self.rng = rng
        self.memory = Memory()
        self.known: set[str] = set()
        self.streets = shuffled(vocabulary.STREETS, rng)
        self.values: dict[str, str] = {}
        self.locals: dict[str, str] = {}
        self.n_alone = 0
        self.figures = self._figures(plot)

    def fill(self, sentence: str) -> str:
        """With mentions as <ENTITY:KIND:GENDER|words>, of kind name, description or pronoun."""
        self.memory.next_sentence()
        self.locals = {}
        worded = CHOICE.sub(lambda found: choice(found[1].split("|"), self.rng), sentence)
        return MARK.sub(lambda mark: self._filled(mark, worded), worded)

    def _figures(self, plot: Plot) -> dict[str, Figure]:
        rng = self.rng
        last_names, jobs = shuffled(vocabulary.LAST_NAMES, rng), shuffled(vocabulary.JOBS, rng)
        self.first_names = {gender: shuffled(names, rng) for gender, names in vocabulary.FIRST_NAMES.items()}
        thing, thing_later = choice(plot.things, rng)
        group, group_later = choice(plot.groups, rng)
        figures = {
            "x": Figure("n", thing, thing_later[0], thing_later),
            "g": Figure("p", group, group_later[0], group_later),
            "court": Figure("n", "the town court", "the court", ("the court",)),
            "j": self._magistrate(last_names.pop()),
        }
        roles = {"a": "the complainant", "b": "the accused", "w": "the witness"}
        return figures | {
            role: self._person(role, last_names.pop(), jobs.pop(), called) for role, called in roles.items()
        }

    def _magistrate(self, last: str) -> Figure:
        gender = choice("fm", self.rng)
        full = f"Magistrate {self.first_names[gender].pop()} {last}"
        return Figure(gender, full, last, (last, "the magistrate", "the magistrate"))

    def _person(self, role: str, last: str, job: str, called: str) -> Figure:
        gender = choice("fm", self.rng)
        full = f"{self.first_names[gender].pop()} {last}"
        street = f"<{role}home:name:n|{self.streets.pop()}>"
        first = choice((f"{full}, a {job}~", f"the {job} {full}", f"{full}, a {job} from {street}~"), self.rng)
        return Figure(gender, first, last, (last, last, f"the {job}", choice((last, called), self.rng)))

    def _filled(self, mark: re.Match[str], sentence: str) -> str:
        if mark["end"]:
            return ">"
        if mark["id"]:
            return self._opened(mark["id"], mark["gender"], sentence[mark.end() :])
        slot, form = mark["slot"], mark["form"]
        if slot in self.figures:
            return self._mention(slot, form, sentence[: mark.start()], sentence[mark.end() :])
        if slot in self.locals:
            return self._marked(f"{slot}@", "pronoun", self.locals[slot], PRONOUNS[self.locals[slot]][form])
        if slot.rstrip("2") == "street":
            self.values.setdefault(slot, self.streets.pop())
            return self._marked(slot, "name", "n", self.values[slot])
        return self._figure_or_day(slot, form)

    def _opened(self, name: str, gender: str | None, rest: str) -> str:
        """The beginning of a mention whose words follow in the sentence."""
        words = rest.split("]")[0]
        is_pronoun = words in {form for forms in PRONOUNS.values() for form in forms.values()}
        if name == ".":
            self.n_alone += 1
            name = f"alone{self.n_alone}"
        elif len(name) == 1:
            gender = self.locals.setdefault(name, gender or "n")
            name += "@"
        gender = gender or "n"
        self.memory.note(name, gender)
        kind = "pronoun" if is_pronoun else "name" if words[0].isupper() and words[1:].islower() else "description"
        return f"<{name}:{kind}:{gender}|"

    def _mention(self, role: str, form: str | None, before: str, after: str) -> str:
        figure = self.figures[role]
        pronouns = PRONOUNS[figure.gender]
        if form and form != "own":
            return self._marked(role, "pronoun", figure.gender, pronouns[form])
        if self._may_be_pronoun(role, before, after):
            form = "his" if form else "he" if BEFORE_SUBJECT.search(before) else "him"
            return self._marked(role, "pronoun", figure.gender, pronouns[form])
        if form:
            return self._marked(role, "name", figure.gender, f"{figure.short} 's")
        if role not in self.known:
            return self._marked(role, "name" if role in "abwj" else "description", figure.gender, figure.first)
        words = choice(figure.later, self.rng)
        return self._marked(role, "description" if words.startswith("the ") else "name", figure.gender, words)

    def _may_be_pronoun(self, role: str, before: str, after: str) -> bool:
        gender = self.figures[role].gender
        if role == "court" or role not in self.known or not self.memory.is_clear(role, gender):
            return False
        if NO_PRONOUN_AFTER.search(before) or NO_PRONOUN_BEFORE.search(after):
            return False
        return self.rng.random() < PRONOUN_SHARE[gender]

    def _marked(self, name: str, kind: str, gender: str, words: str) -> str:
        self.known.add(name)
        self.memory.note(name, gender)
        return f"<{name}:{kind}:{gender}|{words}>"

    def _figure_or_day(self, slot: str, form: str | None) -> str:
        if slot == "n":
            low, _, high = (form or "").partition("-")
            return str(int(low) + int(self.rng.random() * (int(high) - int(low) + 1)))
        if slot not in self.values or slot == "few":
            pool: Sequence[str] = vocabulary.DAYS if slot.startswith("day") else vocabulary.NUMBERS
            if slot == "year":
                pool = [str(year) for year in range(1871, 1889)]
            self.values[slot] = choice([value for value in pool if value not in self.values.values()], self.rng)
        return self.values[slot]
