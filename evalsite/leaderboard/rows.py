"""What a visitor reads of a board: its entries with the names that this visitor may see, and the search in them."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, Visitor, role_of, sees_names
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.leaderboard.charts import Axis, axis_of
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Submission


@dataclass(frozen=True)
class Sight:
    """Who looks at the boards of a task's phase."""

    task: Task
    role: Role
    names: bool
    own_teams: frozenset[str]


def sight_of(user: Visitor, phase: Phase) -> Sight:
    role = role_of(user, phase.task)
    own_teams = user.teams.values_list("pk", flat=True) if isinstance(user, User) else ()
    return Sight(phase.task, role, sees_names(role, phase), frozenset(map(str, own_teams)))


@dataclass(frozen=True, slots=True)
class Row:
    """An entry, with the names that the visitor may see; what is not for this visitor is empty."""

    entry: dict[str, Any]
    scenario: Scenario
    task: Task
    team: str
    method: str
    is_own: bool
    sees_run: bool

    @property
    def rank(self) -> int | None:
        return self.entry["rank"]

    @property
    def reference(self) -> str:
        """`baseline`, `human`, or "" where ranked."""
        return self.entry["reference"]

    @property
    def headline(self) -> float | None:
        return self.entry["headline"]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the headline."""
        return self.interval_of(self.scenario.headline)

    @property
    def n_runs(self) -> int:
        return self.entry["n_runs"]

    @property
    def date(self) -> datetime:
        return datetime.fromisoformat(self.entry["date"])

    @property
    def name(self) -> str:
        """What the row is called: a reference by its method, since nobody competes with it."""
        return self.method if self.reference else self.team

    @property
    def run_url(self) -> str:
        return reverse("submission", args=[self.entry["submission"]]) if self.sees_run else ""

    @property
    def history_url(self) -> str:
        return reverse("submissions", args=[self.task.slug]) if self.is_own else ""

    @property
    def css(self) -> str:
        """Classes of what makes the row special."""
        kinds = {"is-own": self.is_own, "is-reference": self.reference, "is-leader": self.rank == 1}
        return " ".join(name for name, applies in kinds.items() if applies)

    def score(self, name: str) -> float | None:
        return self.entry["scores"].get(name)

    def interval_of(self, name: str) -> tuple[float, float] | None:
        if name not in self.entry["lows"]:
            return None
        return self.entry["lows"][name], self.entry["highs"][name]


def rows_of(board: Board, scenario: Scenario, sight: Sight) -> list[Row]:
    entered = sight.task.participations.values_list("team_id", "number", "team__name")
    names = {str(pk): name if sight.names else f"Team {number}" for pk, number, name in entered}
    return [_row(entry, scenario, names, sight) for entry in board.entries]


def _row(entry: dict[str, Any], scenario: Scenario, names: dict[str, str], sight: Sight) -> Row:
    is_own = entry["team"] in sight.own_teams and not entry["reference"]
    # The name of a method often tells whose it is.
    sees_method = sight.names or is_own or entry["reference"]
    return Row(
        entry=entry,
        scenario=scenario,
        task=sight.task,
        team=names[entry["team"]],
        method=entry["method"] if sees_method else "",
        is_own=is_own,
        sees_run=is_own or sight.role == Role.ORGANISER,
    )


def common_axis(rows: Sequence[Row]) -> Axis | None:
    """One axis for all rows, with a line for the best baseline and for the best human run."""
    values: list[float] = []
    best: dict[str, float] = {}
    for row in rows:
        if row.headline is None:
            continue
        values += (row.headline, *(row.interval or ()))
        if row.reference:
            best[row.reference] = max(row.headline, best.get(row.reference, row.headline))
    return axis_of(values, [(kind, best[kind]) for kind in Submission.Reference.values if kind in best])


def matching(rows: Sequence[Row], query: str) -> list[Row]:
    """The rows in which each word of the query occurs, in what the visitor sees; accents and case don't matter."""
    words = plain(query).split()
    if not words:
        return list(rows)
    return [row for row in rows if _has_all(words, plain(f"{row.team} {row.method} {row.reference}"))]


def _has_all(words: Sequence[str], text: str) -> bool:
    return all(word in text for word in words)


def plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return decomposed if decomposed.isascii() else "".join(s for s in decomposed if not unicodedata.combining(s))
