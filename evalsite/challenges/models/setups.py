"""A family with the options of a scenario, and what follows from both, cached since a page asks a hundred times."""

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from scoring import FAMILIES
from scoring.families.parts import for_part
from scoring.family import Family, Options
from scoring.scale import Scale

MOST_KEPT = 1000


class Setup:
    """A family with options; each value is computed when it is first asked for, so that invalid options may be held."""

    def __init__(self, family: Family, given: Any) -> None:
        self._record, self._given = family, given
        # Options that are no dictionary are refused elsewhere.
        self.family = for_part(family, given) if isinstance(given, dict) else family

    def is_of(self, family: Family, given: Any) -> bool:
        return self._record is family and self._given == given

    @cached_property
    def options(self) -> Options:
        """Return all options, with the defaults that apply."""
        return self.family.configure(self._given)

    @cached_property
    def unit(self) -> tuple[str, str]:
        return self.family.unit(self.options)

    @cached_property
    def headline(self) -> str:
        return self.family.headline(self.options)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        return self.family.titles(self.options)

    @cached_property
    def lower_scores(self) -> frozenset[str]:
        return self.family.scores.lower_is_better(self.options)

    @cached_property
    def tell_much(self) -> frozenset[str]:
        return self.family.scores.tell_much(self.options)

    @cached_property
    def score_when_perfect(self) -> float | None:
        return self.family.score_when_perfect(self.options)

    @cached_property
    def scales(self) -> Mapping[str, Scale]:
        return self.family.scores.scales(self.options)

    @cached_property
    def unbounded(self) -> frozenset[str]:
        """Return the names of scores that are no shares and may be small."""
        return frozenset(name for name, scale in self.scales.items() if scale.decimals is None)

    def scale(self, score: str) -> Scale:
        """Return how this score is written."""
        return self.scales.get(score) or Scale()


def setup_of(family: str, options: Any, kept: Setup | None = None) -> Setup:
    """Return the setup; raise KeyError if there is no such family, as when its package is not installed here.

    `kept` is one that was found before: checking that it still fits is quicker than looking it up.
    """
    record = FAMILIES[family]
    if kept is not None and kept.is_of(record, options):
        return kept
    return _setup(record, json.dumps(options))


@lru_cache(maxsize=MOST_KEPT)
def _setup(family: Family, options: str) -> Setup:
    """Cache by the record and not by its name, which may be another one's once packages have been looked for anew."""
    return Setup(family, json.loads(options))
