"""Shows what gold has to look like for a scenario, in words and by an example that follows the scenario's options."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine

ALL_FILES, MOST_LINES, MOST_CHARACTERS = 3, 8, 600  # that are shown of an example


@dataclass(frozen=True)
class Excerpt:
    """The beginning of a file."""

    name: str
    text: str
    is_cut: bool


@dataclass(frozen=True)
class Layout:
    scenario: Scenario
    words: str
    files: Mapping[str, bytes]  # of the example; none where the family offers none

    @property
    def excerpts(self) -> list[Excerpt]:
        """Return all files if they are few; of many, which are alike, the first."""
        files = sorted(self.files.items())[: ALL_FILES if len(self.files) <= ALL_FILES else 1]
        return [_excerpt(name, content) for name, content in files]

    @property
    def n_more(self) -> int:
        return len(self.files) - len(self.excerpts)


def layout_of(scenario: Scenario) -> Layout:
    family = scenario.engine_family
    files = family.offer.specimen(scenario.configured).gold if family.offer.specimen else {}
    layout = family.offer.gold_layout or family.layout
    words = layout(scenario.configured) if callable(layout) else layout
    return Layout(scenario, from_engine(words), files)


def _excerpt(name: str, content: bytes) -> Excerpt:
    text = content.decode(errors="replace")
    lines = text.splitlines()
    beginning = "\n".join(lines[:MOST_LINES])[:MOST_CHARACTERS]
    return Excerpt(name, beginning, is_cut=len(beginning) < len(text.rstrip("\n")))
