"""Lists shared tasks of these years, as `shared_tasks.toml` has them, for organisers whose task is like one of them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.text import slugify

import scoring
from evalsite.board_pages.board.rows import plain
from evalsite.challenges.models import Scenario
from evalsite.challenges.option_words import options_in_words
from evalsite.translating.engine import from_engine

FILE = Path(__file__).with_name("shared_tasks.toml")


@dataclass(frozen=True)
class SharedTask:
    """A shared task, or a part of one, and what scores it."""

    name: str  # as its event calls it
    about: str  # in English
    url: str  # where it is described
    family: str
    options: Mapping[str, Any]
    exact: bool = False  # whether its own program and ours agree to the last digit
    differs: str = ""  # what does not, in English
    note: str = ""  # what has to be done with its own files, in English

    @property
    def key(self) -> str:
        return slugify(f"{self.name} {self.about}")

    @property
    def subject(self) -> str:
        return from_engine(self.about)

    @property
    def title(self) -> str:
        return f"{self.name}, {self.subject}"

    @property
    def difference(self) -> str:
        return from_engine(self.differs)

    @property
    def advice(self) -> str:
        return from_engine(self.note)

    def scenario(self) -> Scenario:
        """Make a scenario with exactly these options, which is of no task yet."""
        name = self.subject[:1].upper() + self.subject[1:]
        return Scenario(number=1, name=name[:100], family=self.family, options=dict(self.options))

    @property
    def score(self) -> str:
        """Return the score that ranks."""
        scenario = self.scenario()
        return from_engine(scenario.engine_family.titles(scenario.configured)[scenario.headline])

    @property
    def program(self) -> str:
        return from_engine(scoring.FAMILIES[self.family].title)

    @property
    def options_said(self) -> str:
        return options_in_words(self.scenario())

    @property
    def searched(self) -> str:
        """Return the text that a search looks through."""
        return plain(" ".join((self.title, self.about, self.score, self.options_said, self.program, self.family)))


@dataclass(frozen=True)
class SharedEvent:
    """An event, such as a workshop of one year, with its tasks."""

    name: str
    tasks: list[SharedTask]


@cache
def shared_events() -> list[SharedEvent]:
    listed = tomllib.loads(FILE.read_text(encoding="utf-8"))["event"]
    return [
        SharedEvent(event["name"], [SharedTask(**{"url": event["url"], **row}) for row in event["task"]])
        for event in listed
    ]


def shared_task(key: str) -> SharedTask | None:
    return next((task for event in shared_events() for task in event.tasks if task.key == key), None)


def shared_events_for(query: str) -> list[SharedEvent]:
    """Return the events with those tasks whose text has each word of the query; all of them for an empty query."""
    words = plain(query).split()
    events = (
        replace(event, tasks=[task for task in event.tasks if all(word in task.searched for word in words)])
        for event in shared_events()
    )
    return [event for event in events if event.tasks]
