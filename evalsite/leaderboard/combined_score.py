"""The combined score of a phase as what a board ranks by: with the names, scales and words that a scenario has."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext

from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.models import Board, Combined, Edition
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE
from scoring.combining.formula import Component
from scoring.messages import from_data
from scoring.scale import Scale

NAME = "combined"  # of the score, and in addresses in place of a scenario's number
BORDA = "borda"
_RANKS = Scale(decimals=2, has_bounds=False)


@dataclass(frozen=True)
class CombinedScore:
    """The combined score of a phase over its `scenarios`."""

    combined: Combined
    scenarios: Sequence[Scenario]
    number = family = headline = NAME
    is_brought = False

    def __str__(self) -> str:
        return self.name

    @property
    def pk(self) -> Any:
        return self.combined.pk

    @property
    def name(self) -> str:
        return gettext("Mean rank") if self.is_ranks else gettext("Combined score")

    @property
    def is_ranks(self) -> bool:
        return self.combined.kind == Combined.Kind.RANKS

    @property
    def facts(self) -> dict[str, Any]:
        """Return what its board was made of (evalsite.leaderboard.combined.making)."""
        return self.combined.board

    @property
    def problem(self) -> str:
        """Say why there is no board; "" where there is one."""
        return from_engine(self.facts.get("problem", ""))

    @property
    def warnings(self) -> list[str]:
        return [from_engine(warning) for warning in self.facts.get("comparison", {}).get("warnings", ())]

    @cached_property
    def parts(self) -> dict[str, tuple[Scenario, str]]:
        """Return (scenario, score) by the name of each score that it is made of."""
        by_name = {
            key_of(scenario, score): (scenario, score) for scenario in self.scenarios for score in scenario.score_titles
        }
        return {name: by_name[name] for name in self.facts.get("parts", ()) if name in by_name}

    @property
    def score_titles(self) -> dict[str, str]:
        parts = {
            name: f"{scenario.name}: {gettext('Rank') if self.is_ranks else scenario.score_titles[score]}"
            for name, (scenario, score) in self.parts.items()
        }
        return {NAME: self.name, **parts, **({BORDA: gettext("Borda count")} if self.is_ranks else {})}

    @property
    def scores(self) -> list[str]:
        """Return the combined score, and those of its parts that their scenarios show."""
        parts = [name for name, (scenario, score) in self.parts.items() if score in scenario.scores]
        return [NAME, *parts, *([BORDA] if self.is_ranks else [])]

    @property
    def lower_is_better(self) -> bool:
        return self.is_ranks or self.combined.lower_is_better

    @property
    def lower_scores(self) -> frozenset[str]:
        lower = {
            name for name, (scenario, score) in self.parts.items() if self.is_ranks or score in scenario.lower_scores
        }
        return frozenset(lower | ({NAME} if self.lower_is_better else set()))

    @property
    def scale(self) -> Scale:
        return self.scale_of(NAME)

    def scale_of(self, name: str) -> Scale:
        """Return how a score is written: the combined one as its parts are, where these are written in one way."""
        if self.is_ranks:
            return _RANKS
        if name in self.parts:
            scenario, score = self.parts[name]
            return scenario.scale_of(score)
        scales = {scenario.scale_of(score) for scenario, score in self.parts.values()} or {SHARE}
        return scales.pop() if len(scales) == 1 else Scale(decimals=None)

    @property
    def unit(self) -> tuple[str, str]:
        """Return the name of the units of all its scenarios, or a general one."""
        units = {scenario.unit for scenario, _ in self.parts.values()}
        return units.pop() if len(units) == 1 else ("item", "items")

    @property
    def setup(self) -> "CombinedScore":
        """Return what decides how exactly its numbers are told: itself."""
        return self

    @property
    def tell_much(self) -> frozenset[str]:
        """Return the scores that compare single items of the gold; where a part does, so does what is made of it."""
        return self._with_own({name for name, (scenario, score) in self.parts.items() if score in _much(scenario)})

    @property
    def unbounded(self) -> frozenset[str]:
        return self._with_own(
            {name for name, (scenario, score) in self.parts.items() if score in scenario.setup.unbounded}
        )

    def _with_own(self, parts: set[str]) -> frozenset[str]:
        return frozenset(parts | {NAME} if parts and not self.is_ranks else parts)

    def as_record(self) -> dict[str, Any]:
        """Return what the organisers have set, for programs."""
        formula = None if self.is_ranks else self.combined.formula
        parts = {name: str(Component(scenario.name, score)) for name, (scenario, score) in self.parts.items()}
        return {"kind": self.combined.kind, "formula": formula, "missing": self.combined.missing, "parts": parts}

    @property
    def command(self) -> str:
        """Return the shell command that makes it of folders of evaluations, each with one of every scenario."""
        drawn = f"--resamples {self.facts['comparison']['n_resamples']}"
        if self.is_ranks:
            return f"python -m scoring mean-rank {drawn} runs/*"
        return f"python -m scoring combine {shlex.quote(self.combined.formula)} {drawn} runs/*"

    @property
    def edition(self) -> Edition:
        """Return its board as it was last made; the board is stale until it is the newest."""
        comparison = dict(self.facts.get("comparison", {}))
        if comparison:
            comparison["warnings"] = from_data(comparison["warnings"])
        contents: dict[str, Any] = {"entries": self.facts.get("entries", []), "comparison": comparison}
        if made := self.combined.made:
            contents |= {"made": made, "day": made.date()}
        return Edition(board=Board(phase=self.combined.phase), **contents)


def _much(scenario: Scenario) -> frozenset[str]:
    return scenario.setup.tell_much


def key_of(scenario: Scenario, score: str) -> str:
    """Return the name of a part, which stands in addresses too."""
    return f"{scenario.number}:{score}"


Scored = Scenario | CombinedScore  # what a board ranks by


def boards_of(phase: Phase, scenarios: Iterable[Scenario]) -> list[Scored]:
    """Return the same as `ranked_by`, with the phase's combined score, best read together with the phase."""
    return ranked_by(phase, scenarios, getattr(phase, "combined", None))


def ranked_by(phase: Phase, scenarios: Iterable[Scenario], combined: Combined | None) -> list[Scored]:
    """Return all that the phase has a board of; the first decides the task.

    That is the scenario that the organisers have named, or else the combined score, or else the first scenario.
    """
    boards: list[Scored] = list(scenarios)
    if combined and boards:
        combined.phase = phase
        boards.insert(0, CombinedScore(combined, [board for board in boards if isinstance(board, Scenario)]))
    return sorted(boards, key=lambda board: board.pk != phase.decided_by_id)
