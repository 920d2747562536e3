"""Shows the entries of a board as rows with the names that this visitor may see, and searches in them."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from evalsite.accounts.models import Team, User
from evalsite.challenges.access import Role, Visitor, role_of, sees_links, sees_names
from evalsite.challenges.models import FormerParticipation, Participation, Phase, Scenario, Task, TeamNumber
from evalsite.challenges.precision import precision_for
from evalsite.leaderboard.board.charts import Axis, axis_of, reference_word
from evalsite.leaderboard.making.best_runs import BEYOND, LATE, OF_TEAMS, REPORTED
from evalsite.leaderboard.making.editions import tell
from evalsite.leaderboard.making.gold_copies import GOLD, UNCOMPARED
from evalsite.leaderboard.models import Edition
from evalsite.results.page.missing_interval import absence
from evalsite.submissions.models import Submission
from evalsite.wording import SHARE, amount, exactly, interval
from scoring.scale import Scale


@dataclass(frozen=True)
class Sight:
    """Everything about a visitor that decides which part of a phase's boards is visible."""

    task: Task
    role: Role
    phase: Phase
    names: bool  # without them, days stand for times too: when somebody uploads may be known
    own_teams: frozenset[str]


def sight_of(user: Visitor, phase: Phase, known: Role | None = None) -> Sight:
    """Return what is visible to the user; `known` is the user's role, if it has been looked up."""
    role = role_of(user, phase.task) if known is None else known
    return Sight(phase.task, role, phase, sees_names(role, phase), own_keys(user))


def own_keys(user: Visitor) -> frozenset[str]:
    """Return the keys of the person's teams and of teams whose runs they took over; one query a request."""
    if not isinstance(user, User):
        return frozenset()
    known: frozenset[str] | None = getattr(user, "own_keys", None)
    if known is None:
        former = FormerParticipation.objects.filter(team__members=user).values_list("former")
        teams = Team.objects.filter(members=user).order_by().values_list("pk").union(former)
        known = user.own_keys = frozenset(str(team) for (team,) in teams)  # type: ignore[attr-defined]
    return known


@dataclass(frozen=True)
class Around:
    """The values that all rows of a board share; rows look up in it only what they are asked for."""

    scenario: Scenario
    headline: str
    sight: Sight
    called: dict[str, tuple[str, str]]  # by team: its name and its key, as this visitor may see them
    entries: dict[str, dict[str, Any]]  # by submission
    heads: dict[str, dict[str, Any]]  # by group: the first entry
    scale: Scale = SHARE  # how the score that ranks is said, with as many digits in all rows
    rough: Scale = SHARE  # how differences of it are said,
    rough_share: Scale = SHARE  # and p-values
    lower_is_better: bool = False
    links: dict[str, str] = field(default_factory=dict)  # by submission, see `find_links`


@dataclass(frozen=True, slots=True)
class Row:
    """An entry with the names that the visitor may see; what is not for this visitor is empty."""

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
        """Return the name of the team; "" for references, which are nobody's."""
        return self._called[0] if self.is_of_team else ""

    @property
    def is_of_team(self) -> bool:
        return self.reference in OF_TEAMS

    @property
    def key(self) -> str:
        """Return what stands for the entry in addresses: it tells nothing of who it is where names are not shown."""
        if self.is_gold:
            return GOLD
        return self.entry["submission"] if self.reference else self._called[1]  # a team may have a late one beside

    @property
    def _called(self) -> tuple[str, str]:
        return self.around.called.get(self.entry["team"]) or (_("A former team"), "")

    @property
    def method(self) -> str:
        """Return the name of the method, which often tells whose it is."""
        if self.is_gold:
            return _("The gold itself")
        return self.entry["method"] if self.sees_method else ""

    @property
    def sees_method(self) -> bool:
        return self.around.sight.names or self.is_own or not self.is_of_team

    @property
    def is_own(self) -> bool:
        return self.entry["team"] in self.around.sight.own_teams and self.is_of_team

    @property
    def own_mark(self) -> str:
        """Return the mark by which a script finds the rows of its visitor's teams, see `own_marks`; "" for
        references."""
        if not self.is_of_team:
            return ""
        key = self._called[1]
        return key if self.around.sight.names else _number_in(self.around.sight.phase.pk, key)

    @property
    def sees_run(self) -> bool:
        return self.is_own or self.around.sight.role >= Role.VIEWER

    @property
    def sees_runs(self) -> bool:
        """Return whether there are further runs of the team that the visitor may see."""
        return self.n_runs - self.n_withdrawn > 1 and bool(self.key)

    @property
    def twin(self) -> str:
        """Return the name of the entry that it equals in every unit's counts."""
        return self._name_of(self.around.entries.get(self.entry.get("identical_to") or ""))

    @property
    def head(self) -> str:
        """Return the name of the first of its group."""
        return self._name_of(self.around.heads.get(self.group))

    def _name_of(self, entry: dict[str, Any] | None) -> str:
        return Row(entry, self.around).name if entry else ""

    @property
    def rank(self) -> int | None:
        return self.entry["rank"]

    @property
    def places(self) -> str:
        """Return the ranks that the data leave open, as 2–5, or one number; "" outside the ranks."""
        low, high = self.entry.get("rank_low"), self.entry.get("rank_high")
        if low is None or low == high:
            return "" if self.rank is None else amount(self.rank)
        return f"{amount(low)}–{amount(high)}"  # type: ignore[arg-type]

    @property
    def group(self) -> str:
        """Return a letter: entries of one letter cannot be told apart from the first of them."""
        return self.entry.get("group") or ""

    @property
    def difference(self) -> tuple[float, float | None, float | None] | None:
        """Return the difference to the leader and the ends of its simultaneous interval; None for the leader and the
        unranked."""
        value = self.entry.get("difference_to_leader")
        if value is None or self.entry["difference_low"] is None:
            return None
        return value, self.entry["difference_low"], self.entry["difference_high"]

    @property
    def p_to_leader(self) -> float | None:
        return self.entry.get("p_to_leader")

    @property
    def probability_best(self) -> float | None:
        """Return the share of resamples in which it has the best score."""
        return self.entry.get("probability_best")

    @property
    def reference(self) -> str:
        """Return `baseline`, `human`, `gold`, `late`, `beyond` or `reported`, or "" where ranked."""
        return self.entry["reference"]

    @property
    def reference_word(self) -> str:
        return reference_word(self.reference)

    @property
    def tags(self) -> list[str]:
        """Return what marks the entry beside its name: what it is instead of ranked, and that it came late."""
        kinds = [] if self.reference in ("", LATE) else [self.reference_word]
        return [*kinds, pgettext("run", "late")] if self.is_late else kinds

    @property
    def is_gold(self) -> bool:
        """Return whether it stands for the runs that equal the open gold."""
        return self.reference == GOLD

    @property
    def is_reported(self) -> bool:
        """Return whether its score is the team's own word."""
        return self.reference == REPORTED

    @property
    def is_compared(self) -> bool:
        """Return whether others are compared with it, and drawn on one axis with it."""
        return self.reference not in UNCOMPARED

    @property
    def is_late(self) -> bool:
        """Return whether it came after the phase had closed, ranked or not."""
        return bool(self.entry.get("is_late"))

    @property
    def is_beyond_limit(self) -> bool:
        """Return whether it came from another team into this one, which had no room left for it."""
        return self.reference == BEYOND

    @property
    def is_lost(self) -> bool:
        """Return whether it could not be compared, because the file with its resamples is lost or broken."""
        return bool(self.entry.get("is_lost"))

    @property
    def headline(self) -> float | None:
        return self.entry["headline"]

    @property
    def scale(self) -> Scale:
        """Return the scale of the headline."""
        return self.around.scale

    @property
    def rough(self) -> Scale:
        """Return the scale of differences to other rows."""
        return self.around.rough

    @property
    def interval(self) -> tuple[float, float] | None:
        return self.interval_of(self.around.headline)

    @property
    def interval_told(self) -> tuple[str, str]:
        """Return the interval in words, and in full for the title; where there is none, the reason."""
        value = self.entry["headline"]
        if self.interval:
            return interval(self.interval, self.scale), exactly(value, self.interval)
        facts = {name: self.entry[name] for name in ("n_units", "n_resamples", "confidence_level")}
        return absence(value, self.scenario.unit, **facts)

    @property
    def n_runs(self) -> int:
        """Return how many were scored, withdrawn ones too: each has told the team something."""
        return self.entry["n_runs"]

    @property
    def n_withdrawn(self) -> int:
        return self.entry.get("n_withdrawn", 0)

    @property
    def date(self) -> datetime:
        """Return when it was uploaded; where names are not shown, midnight (UTC) of its day."""
        date = datetime.fromisoformat(self.entry["date"])
        return date if date.tzinfo else date.replace(tzinfo=UTC)

    @property
    def name(self) -> str:
        """Return the team's name; a reference is named by its method, since nobody competes with it."""
        return self.team if self.is_of_team else self.method

    @property
    def plain_name(self) -> str:
        """Return the name by which rows sort."""
        return plain(self.name)

    @property
    def run_url(self) -> str:
        return reverse("submission", args=[self.entry["submission"]]) if self.sees_run else ""

    @property
    def link(self) -> str:
        """Return the link to the paper or the code, where the visitor may see it."""
        return self.around.links.get(self.entry["submission"], "")

    @property
    def history_url(self) -> str:
        return reverse("submissions", args=[self.task.slug]) if self.is_own else ""

    @property
    def css(self) -> str:
        """Return the classes of what makes the row special."""
        kinds = {"is-own": self.is_own, "is-reference": self.reference, "is-leader": self.rank == 1}
        return " ".join(name for name, applies in kinds.items() if applies)

    @property
    def css_across(self) -> str:
        """Return the class without that of the leader, who may be another one in each scenario."""
        return self.css.replace("is-leader", "").strip()

    def score(self, name: str) -> float | None:
        return self.entry["scores"].get(name)

    def interval_of(self, name: str) -> tuple[float, float] | None:
        if name not in self.entry["lows"]:
            return None
        return self.entry["lows"][name], self.entry["highs"][name]


def own_marks(keys: Iterable[str], **where: Any) -> list[str]:
    """Return what stands for these teams on public pages: their keys, and in phases without names their numbers."""
    named = list(keys)
    if not named:
        return []
    numbers = TeamNumber.objects.filter(team__in=named, phase__is_anonymous=True, **where)
    return named + [_number_in(*each) for each in numbers.values_list("phase", "number")]


def _number_in(phase: UUID, number: object) -> str:
    return f"{phase}/{number}"


def rows_of(edition: Edition, scenario: Scenario, sight: Sight) -> list[Row]:
    return rows_called(edition, scenario, sight, called_of(sight))


def called_of(sight: Sight) -> dict[str, tuple[str, str]]:
    """Return by team the name and the key under which this visitor sees it.

    A key never leads from a board with names to one without: there the number stands for the team, here its own key.
    """
    return called_across([sight])[sight.phase.pk]


def called_across(sights: Sequence[Sight]) -> dict[UUID, dict[str, tuple[str, str]]]:
    """Return the same by phase, for one visitor and several phases, in two queries at most."""
    numbered = [sight.phase.pk for sight in sights if not sight.names]
    named = list({sight.task.pk for sight in sights if sight.names})
    by_phase: dict[UUID, dict[str, tuple[str, str]]] = {key: {} for key in numbered}
    if numbered:
        numbers = TeamNumber.objects.filter(phase__in=numbered).values_list("phase_id", "team", "number")
        for phase, team, number in numbers:
            by_phase[phase][str(team)] = (_("Team %(number)s") % {"number": number}, str(number))
    by_task: dict[UUID, dict[str, tuple[str, str]]] = {key: {} for key in named}
    if named:
        found = _names_in(task__in=named)
        # A team that has entered again, under another name, is called by that one.
        for task, team, _number, name in sorted(found, key=lambda row: row[2]):
            by_task[task][str(team)] = (name, str(team))
    return by_phase | {sight.phase.pk: by_task[sight.task.pk] for sight in sights if sight.names}


def _names_in(**tasks: Any) -> QuerySet[Any, Any]:
    entered = Participation.objects.filter(**tasks).values_list("task_id", "team_id", "number", "team__name")
    former = FormerParticipation.objects.filter(**tasks).values_list("task_id", "former", "number", "name")
    return former.union(entered, all=True)


def rows_called(edition: Edition, scenario: Scenario, sight: Sight, called: dict[str, tuple[str, str]]) -> list[Row]:
    precision = precision_for(sight.role, sight.phase, scenario)
    tell(edition, precision, days_alone=not sight.names)
    heads: dict[str, dict[str, Any]] = {}
    for entry in edition.entries:
        if group := entry.get("group"):
            heads.setdefault(group, entry)
    by_submission = {entry["submission"]: entry for entry in edition.entries}
    headline = scenario.headline
    scale = scale_among(scenario, headline, edition.entries)
    rough, rough_share = precision.roughly(scale), precision.roughly(SHARE)
    of_all = (called, by_submission, heads, scale, rough, rough_share, scenario.lower_is_better)
    around = Around(scenario, headline, sight, *of_all)
    return [Row(entry, around) for entry in edition.entries]


def scale_among(scenario: Scenario, name: str, entries: Sequence[dict[str, Any]]) -> Scale:
    """Return the scale of a score of these entries, with one number of digits for all of them."""
    scale = scenario.scale_of(name)
    if scale.decimals is not None:
        return scale
    intervals = [(entry["lows"][name], entry["highs"][name]) for entry in entries if name in entry["lows"]]
    return scale.fitted([entry["scores"].get(name) for entry in entries], intervals)


def find_name(row: Row) -> None:
    """Look up the name of the row's own team, for a row whose board was read without names."""
    sight, team = row.around.sight, row.entry["team"]
    if sight.names:
        called = [(name, team) for _number, name in sorted(_names_of_team(sight.task.pk, UUID(team)))]
    else:
        numbers = TeamNumber.objects.filter(phase=sight.phase, team=team).values_list("number", flat=True)
        called = [(_("Team %(number)s") % {"number": number}, str(number)) for number in numbers]
    row.around.called.update((team, each) for each in called)


def find_names(rows: Sequence[Row]) -> None:
    """Look up the names of some rows, and of those to which they are equal."""
    for row in rows:
        find_name(row)
        if twin := row.around.entries.get(row.entry.get("identical_to") or ""):
            find_name(Row(twin, row.around))


def _names_of_team(task: UUID, team: UUID) -> QuerySet[Any, Any]:
    entered = Participation.objects.filter(task=task, team=team).values_list("number", "team__name")
    former = FormerParticipation.objects.filter(task=task, former=team).values_list("number", "name")
    return former.union(entered, all=True)


def find_links(rows: Sequence[Row]) -> None:
    """Look up the links that the teams of these rows gave, where they may be shown; the rows are of one board."""
    if not rows or not sees_links(rows[0].around.sight.role, rows[0].around.sight.phase):
        return
    keys = [row.entry["submission"] for row in rows if not row.is_gold]
    given = Submission.objects.filter(pk__in=keys).exclude(link="").values_list("pk", "link")
    rows[0].around.links.update((str(pk), link) for pk, link in given)


def common_axis(rows: Sequence[Row]) -> Axis | None:
    """Return one axis for all rows that are compared, with a line for the best baseline and for the best human run."""
    values: list[float] = []
    best: dict[str, float] = {}
    around = rows[0].around if rows else None
    better = min if around and around.lower_is_better else max
    for row in rows:
        if row.headline is None or not row.is_compared:
            continue
        values += (row.headline, *(row.interval or ()))
        if not row.is_of_team:
            best[row.reference] = better(row.headline, best.get(row.reference, row.headline))
    references = [(kind, best[kind]) for kind in Submission.Reference.values if kind in best]
    return axis_of(values, references, around.scale if around else SHARE)


def matching(rows: Sequence[Row], query: str) -> list[Row]:
    """Return the rows that have each word of the query in what the visitor sees; accents and case don't matter."""
    words = plain(query).split()
    if not words:
        return list(rows)
    return [
        row for row in rows if _has_all(words, plain(f"{row.team} {row.method} {row.reference} {row.reference_word}"))
    ]


def _has_all(words: Sequence[str], text: str) -> bool:
    return all(word in text for word in words)


def plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return decomposed if decomposed.isascii() else "".join(s for s in decomposed if not unicodedata.combining(s))
