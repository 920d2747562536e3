"""What a visitor reads of a board: its entries with the names that this visitor may see, and the search in them."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, Visitor, role_of, sees_names
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.leaderboard.charts import Axis, axis_of
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.places import unpacked
from evalsite.submissions.models import Submission
from scoring.arguments import FEWEST_UNITS
from scoring.ranking import finding


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
    twin: str = ""  # the name of the entry that it equals in every unit's counts
    head: str = ""  # the name of the first of its group

    @property
    def rank(self) -> int | None:
        return self.entry["rank"]

    @property
    def places(self) -> str:
        """The ranks that the data leave open, as 2–5, or one number; "" outside the ranks."""
        low, high = self.entry.get("rank_low"), self.entry.get("rank_high")
        if low is None or low == high:
            return "" if self.rank is None else f"{self.rank:,}"
        return f"{low:,}–{high:,}"

    @property
    def group(self) -> str:
        """A letter: entries of one letter cannot be told apart from the first of them."""
        return self.entry.get("group") or ""

    @property
    def difference(self) -> tuple[float, float | None, float | None] | None:
        """To the leader, with the ends of its simultaneous interval; None for the leader and outside the ranks."""
        value = self.entry.get("difference_to_leader")
        if value is None or self.entry["difference_low"] is None:
            return None
        return value, self.entry["difference_low"], self.entry["difference_high"]

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


def edition_of(phase: Phase, scenario: Scenario) -> Edition:
    """The newest; an empty one where no result has come."""
    editions = Edition.objects.filter(board__phase=phase, board__scenario=scenario).select_related("board")
    if found := editions.order_by("-made").first():
        return found
    board = Board.objects.filter(phase=phase, scenario=scenario).first() or Board(phase=phase, scenario=scenario)
    return Edition(board=board, entries=[], comparison={})


def finding_of(edition: Edition, rows: Sequence["Row"]) -> str:
    """The sentence above the board, with the names that the visitor sees; "" where nothing was compared."""
    facts = edition.comparison
    ranked = [row for row in rows if row.rank is not None]
    if not facts or not ranked:
        return ""
    is_worse = unpacked(facts["separated"], len(ranked), len(ranked))[0, 1:].tolist()
    one, many = facts["unit"]
    return finding(
        [row.name for row in ranked],
        is_worse,
        facts["n_units"],
        (one, many),
        are_too_few=facts["n_units"] < FEWEST_UNITS,
    )


def rows_of(edition: Edition, scenario: Scenario, sight: Sight) -> list[Row]:
    entered = sight.task.participations.values_list("team_id", "number", "team__name")
    names = {str(pk): name if sight.names else f"Team {number}" for pk, number, name in entered}
    rows = [_row(entry, scenario, names, sight) for entry in edition.entries]
    return _with_relatives(rows)


def _with_relatives(rows: list[Row]) -> list[Row]:
    """Each row with the names of its twin and of the head of its group, as this visitor may see them."""
    called = {row.entry["submission"]: row.name for row in rows}
    heads: dict[str, str] = {}
    for row in rows:
        heads.setdefault(row.group, row.name)
    return [
        replace(row, twin=called.get(row.entry.get("identical_to"), ""), head=heads[row.group] if row.group else "")
        for row in rows
    ]


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
