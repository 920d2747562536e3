"""What a visitor reads of a board: its entries with the names that this visitor may see, and the search in them."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, Visitor, role_of, sees_names, sees_own_scores
from evalsite.challenges.models import FormerParticipation, Phase, Scenario, Task
from evalsite.leaderboard.charts import Axis, axis_of
from evalsite.leaderboard.gold_copies import GOLD
from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.places import unpacked
from evalsite.submissions.models import Submission
from scoring.comparing.ranking import finding
from scoring.significance.limits import FEWEST_UNITS


@dataclass(frozen=True)
class Sight:
    """Who looks at the boards of a task's phase."""

    task: Task
    role: Role
    names: bool
    own_teams: frozenset[str]
    runs: bool = True  # of other teams too, with their scores


def sight_of(user: Visitor, phase: Phase) -> Sight:
    role = role_of(user, phase.task)
    return Sight(phase.task, role, sees_names(role, phase), frozenset(own_keys(user)), sees_own_scores(role, phase))


def own_keys(user: Visitor) -> Iterator[str]:
    """Keys of the person's teams, and of teams whose runs have been brought into them."""
    if isinstance(user, User):
        former = FormerParticipation.objects.filter(team__members=user).values_list("former", flat=True)
        yield from map(str, user.teams.order_by().values_list("pk", flat=True).union(former))


@dataclass(frozen=True)
class Around:
    """What the rows of a board have in common; rows look up in it only what they are asked for."""

    scenario: Scenario
    headline: str
    sight: Sight
    called: dict[str, tuple[str, str]]  # by team: its name and its key, as this visitor may see them
    entries: dict[str, dict[str, Any]]  # by submission
    heads: dict[str, dict[str, Any]]  # by group: the first entry


@dataclass(frozen=True, slots=True)
class Row:
    """An entry, with the names that the visitor may see; what is not for this visitor is empty."""

    entry: dict[str, Any]
    around: Around

    @property
    def scenario(self) -> Scenario:
        return self.around.scenario

    @property
    def task(self) -> Task:
        return self.around.sight.task

    @property
    def team(self) -> str:
        return self._called[0]

    @property
    def key(self) -> str:
        """What stands for the entry in addresses: nothing that tells who it is where names are not shown."""
        if self.is_gold:
            return GOLD
        return self.entry["submission"] if self.reference else self._called[1]

    @property
    def _called(self) -> tuple[str, str]:
        return self.around.called.get(self.entry["team"], ("A former team", ""))

    @property
    def method(self) -> str:
        """The name of a method often tells whose it is."""
        return self.entry["method"] if self.sees_method else ""

    @property
    def sees_method(self) -> bool:
        return self.around.sight.names or self.is_own or bool(self.reference)

    @property
    def is_own(self) -> bool:
        return self.entry["team"] in self.around.sight.own_teams and not self.entry["reference"]

    @property
    def sees_run(self) -> bool:
        return self.is_own or self.around.sight.role == Role.ORGANISER

    @property
    def sees_runs(self) -> bool:
        """Whether there are further runs of the team that the visitor may see."""
        return self.n_runs > 1 and self.around.sight.runs and bool(self.key)

    @property
    def twin(self) -> str:
        """The name of the entry that it equals in every unit's counts."""
        return self._name_of(self.around.entries.get(self.entry.get("identical_to") or ""))

    @property
    def head(self) -> str:
        """The name of the first of its group."""
        return self._name_of(self.around.heads.get(self.group))

    def _name_of(self, entry: dict[str, Any] | None) -> str:
        return Row(entry, self.around).name if entry else ""

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
        """`baseline`, `human` or `gold`, or "" where ranked."""
        return self.entry["reference"]

    @property
    def is_gold(self) -> bool:
        """Whether it stands for the runs that equal the open gold."""
        return self.reference == GOLD

    @property
    def headline(self) -> float | None:
        return self.entry["headline"]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the headline."""
        return self.interval_of(self.around.headline)

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

    @property
    def css_across(self) -> str:
        """Without the leader, who may be another one in each scenario."""
        return self.css.replace("is-leader", "").strip()

    def score(self, name: str) -> float | None:
        return self.entry["scores"].get(name)

    def interval_of(self, name: str) -> tuple[float, float] | None:
        if name not in self.entry["lows"]:
            return None
        return self.entry["lows"][name], self.entry["highs"][name]


def finding_of(edition: Edition, rows: Sequence[Row], name_of: Callable[[str], str] = str) -> str:
    """The sentence above the board, with the names that the visitor sees; "" where nothing was compared."""
    facts = edition.comparison
    ranked = [row for row in rows if row.rank is not None]
    if not facts or not ranked:
        return ""
    is_worse = unpacked(facts["separated"], len(ranked), len(ranked))[0, 1:].tolist()
    one, many = facts["unit"]
    return finding(
        [name_of(row.name) for row in ranked],
        is_worse,
        facts["n_units"],
        (one, many),
        are_too_few=facts["n_units"] < FEWEST_UNITS,
    )


def finding_in_html(edition: Edition, rows: Sequence[Row]) -> SafeString:
    """The same for a page."""
    # Names are escaped one by one; the other words are the engine's.
    return mark_safe(finding_of(edition, rows, isolated))  # noqa: S308


def isolated(name: str) -> SafeString:
    """A name in another direction than the words around it leaves them in their order."""
    return format_html("<bdi>{}</bdi>", name)


def rows_of(edition: Edition, scenario: Scenario, sight: Sight) -> list[Row]:
    return rows_called(edition, scenario, sight, called_of(sight))


def called_of(sight: Sight) -> dict[str, tuple[str, str]]:
    """By team the name and the key under which this visitor sees it.

    A key never leads from a board with names to one without: there the number stands for the team, here its own key.
    """
    entered = sight.task.participations.values_list("team_id", "number", "team__name")
    former = sight.task.former_participations.values_list("former", "number", "name")
    # A team that has entered again, under another number, is called by that one.
    listed = sorted(former.union(entered, all=True), key=lambda row: row[1])
    if sight.names:
        return {str(pk): (name, str(pk)) for pk, number, name in listed}
    return {str(pk): (f"Team {number}", str(number)) for pk, number, name in listed}


def rows_called(edition: Edition, scenario: Scenario, sight: Sight, called: dict[str, tuple[str, str]]) -> list[Row]:
    heads: dict[str, dict[str, Any]] = {}
    for entry in edition.entries:
        if group := entry.get("group"):
            heads.setdefault(group, entry)
    by_submission = {entry["submission"]: entry for entry in edition.entries}
    around = Around(scenario, scenario.headline, sight, called, by_submission, heads)
    return [Row(entry, around) for entry in edition.entries]


def common_axis(rows: Sequence[Row]) -> Axis | None:
    """One axis for all rows but the gold's, with a line for the best baseline and for the best human run."""
    values: list[float] = []
    best: dict[str, float] = {}
    for row in rows:
        if row.headline is None or row.is_gold:
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
