"""Shows the entries of a board as rows with the names that this visitor may see, and searches in them."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from evalsite.board_pages.board.charts import Axis, axis_of, reference_word
from evalsite.board_pages.board.visibility import Visibility, names_of_one_team, number_in, team_names_of
from evalsite.challenges.access import Role, sees_entries, sees_links
from evalsite.challenges.models import Task
from evalsite.challenges.precision import precision_for
from evalsite.leaderboard.combined_score import Scored
from evalsite.leaderboard.making.best_runs import LATE, REPORTED, TEAM_KINDS
from evalsite.leaderboard.making.editions import disclose
from evalsite.leaderboard.making.gold_copies import GOLD, UNCOMPARED
from evalsite.leaderboard.models import Edition
from evalsite.results.page.missing_interval import absence, absence_in_row
from evalsite.submissions.models import Submission
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE, amount, enumerated, exactly, interval
from scoring.scale import Scale


class Words(dict[str, str]):
    """Holds messages in the visitor's language, which are translated when they are first asked for."""

    def __missing__(self, message: str) -> str:
        return self.setdefault(message, _(message))


@dataclass(frozen=True)
class BoardContext:
    """The values that all rows of a board share; rows look up in it only what they are asked for."""

    scenario: Scored
    headline: str
    visibility: Visibility
    team_names: dict[str, tuple[str, str]]  # by team: its name and its key, as this visitor may see them
    entries: dict[str, dict[str, Any]]  # by submission
    heads: dict[str, dict[str, Any]]  # by group: the first entry
    scale: Scale = SHARE  # how the score that ranks is said, with as many digits in all rows
    rough: Scale = SHARE  # how differences of it are said,
    rough_share: Scale = SHARE  # and p-values
    lower_is_better: bool = False
    links: dict[str, str] = field(default_factory=dict)  # by submission, see `find_links`
    insiders: set[str] = field(default_factory=set)  # teams with somebody who could read the gold
    words: Words = field(default_factory=Words)


@dataclass(frozen=True, slots=True)
class Row:
    """An entry with the names that the visitor may see; what is not for this visitor is empty."""

    entry: dict[str, Any]
    context: BoardContext

    @property
    def scenario(self) -> Scored:
        return self.context.scenario

    @property
    def task(self) -> Task:
        return self.context.visibility.task

    @property
    def team(self) -> str:
        """Return the name of the team; "" for references, which are nobody's."""
        return self._name_and_key[0] if self.is_of_team else ""

    @property
    def is_of_team(self) -> bool:
        return self.entry["reference"] in TEAM_KINDS

    @property
    def key(self) -> str:
        """Return what stands for the entry in addresses: it tells nothing of who it is where names are not shown."""
        if self.is_gold:
            return GOLD
        return (
            self.entry["submission"] if self.reference else self._name_and_key[1]
        )  # a team may have a late one beside

    @property
    def _name_and_key(self) -> tuple[str, str]:
        return self.context.team_names.get(self.entry["team"]) or (_("A former team"), "")

    @property
    def method(self) -> str:
        """Return the name of the method, which often tells whose it is."""
        if self.is_gold:
            return _("The gold itself")
        return self.entry["method"] if self.sees_method else ""

    @property
    def sees_method(self) -> bool:
        return self.context.visibility.shows_names or self.is_own or not self.is_of_team

    @property
    def is_own(self) -> bool:
        return self.entry["team"] in self.context.visibility.own_teams and self.is_of_team

    @property
    def own_mark(self) -> str:
        """Return the mark by which a script finds the rows of its visitor's teams, see `own_marks`; "" for
        references."""
        if not self.is_of_team:
            return ""
        key = self._name_and_key[1]
        return key if self.context.visibility.shows_names else number_in(self.context.visibility.phase.pk, key)

    @property
    def sees_run(self) -> bool:
        return self.is_own or self.context.visibility.role >= Role.VIEWER

    @property
    def sees_runs(self) -> bool:
        """Return whether there are further runs of the team that the visitor may see."""
        return (self.n_runs - self.n_withdrawn > 1 or "runs" in self.entry) and bool(self.key)

    @property
    def twin(self) -> str:
        """Return the name of the entry that it equals in every unit's counts."""
        return self._name_of(self.context.entries.get(self.entry.get("identical_to") or ""))

    @property
    def is_head(self) -> bool:
        """Return whether it is the first of its group."""
        return self.context.heads.get(self.group) is self.entry

    @property
    def head(self) -> str:
        """Return the name of the first of its group."""
        return self._name_of(self.context.heads.get(self.group))

    def _name_of(self, entry: dict[str, Any] | None) -> str:
        return Row(entry, self.context).name if entry else ""

    @property
    def rank(self) -> int | None:
        return self.entry["rank"]

    @property
    def rank_range(self) -> str:
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
        """Return what marks the entry beside its name: what it is instead of ranked, that it came late, and that
        somebody of its team could read the gold.
        """
        kinds = [] if self.reference in ("", LATE) else [self.reference_word]
        if self.is_late:
            kinds.append(pgettext("run", "late"))
        if self.is_of_team and self.entry["team"] in self.context.insiders:
            kinds.append(pgettext("team", "could read the gold"))
        return kinds

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
    def because(self) -> str:
        """Return why the organisers show the team without a rank; "" for others."""
        reason: str = self.entry.get("because", "")
        return reason

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
        return self.context.scale

    @property
    def rough(self) -> Scale:
        """Return the scale of differences to other rows."""
        return self.context.rough

    @property
    def rough_share(self) -> Scale:
        """Return the scale of p-values."""
        return self.context.rough_share

    @property
    def interval(self) -> tuple[float, float] | None:
        return self.interval_of(self.context.headline)

    @property
    def interval_told(self) -> tuple[str, str]:
        """Return the interval in words, and in full for the title; where there is none, the reason."""
        value = self.entry["headline"]
        if ends := self.interval:
            return interval(ends, self.scale), exactly(value, ends)
        if reason := self.entry.get("no_interval"):
            shown, why = absence_in_row(reason)
            return shown, why or from_engine(reason)
        facts = {name: self.entry[name] for name in ("n_units", "n_resamples", "confidence_level")}
        return absence(value, self.scenario.unit, **facts)

    @property
    def lacking(self) -> str:
        """Say which scenarios its combined score lacks; "" where it has all."""
        missing = self.entry.get("lacking")
        return _("no run in %(scenarios)s") % {"scenarios": enumerated(missing)} if missing else ""

    @property
    def shown(self) -> float | None:
        """Return what the run had on the shown part of the gold, where the ranked part has decided."""
        return self.entry.get("shown")

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
        return self._name_and_key[0] if self.is_of_team else self.method

    @property
    def plain_name(self) -> str:
        """Return the name by which rows sort."""
        return plain(self.name)

    @property
    def run_url(self) -> str:
        return reverse("submission", args=[self.entry["submission"]]) if self.sees_run else ""

    @property
    def page_url(self) -> str:
        """Return the address of the run for who sees it, and else of its public page once the results are released."""
        phase = self.context.visibility.phase
        if self.run_url or not sees_entries(self.context.visibility.role, phase) or self.is_gold:
            return self.run_url
        return reverse("entry", args=[self.task.slug, phase.slug, self.entry["submission"]])

    @property
    def link(self) -> str:
        """Return the link to the paper or the code, where the visitor may see it."""
        return self.context.links.get(self.entry["submission"], "")

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


def rows_of(edition: Edition, scenario: Scored, visibility: Visibility) -> list[Row]:
    return rows_with_names(edition, scenario, visibility, team_names_of(visibility))


def rows_with_names(
    edition: Edition, scenario: Scored, visibility: Visibility, team_names: dict[str, tuple[str, str]]
) -> list[Row]:
    precision = precision_for(visibility.role, visibility.phase, scenario)
    disclose(edition, precision, days_alone=not visibility.shows_names)
    heads: dict[str, dict[str, Any]] = {}
    for entry in edition.entries:
        if group := entry.get("group"):
            heads.setdefault(group, entry)
    by_submission = {entry["submission"]: entry for entry in edition.entries}
    headline = scenario.headline
    scale = scale_among(scenario, headline, edition.entries)
    rough, rough_share = precision.roughly(scale), precision.roughly(SHARE)
    of_all = (team_names, by_submission, heads, scale, rough, rough_share, scenario.lower_is_better)
    context = BoardContext(scenario, headline, visibility, *of_all)
    return [Row(entry, context) for entry in edition.entries]


def rows_among(
    edition: Edition, entries: Sequence[dict[str, Any]], scenario: Scored, visibility: Visibility
) -> list[Row]:
    """Return the rows of a few entries of an edition as it is stored: to round all of them takes as long as a board."""
    # The digits of a score without bounds follow all entries.
    others = edition.entries if scenario.scale.decimals is None else []
    copied = Edition(entries=[dict(entry) for entry in (*entries, *others)], comparison={})
    return rows_with_names(copied, scenario, visibility, {})[: len(entries)]


# What says who an entry is and where it stands. No score is among them, so that nothing has to be rounded.
_STANDING = (
    *("team", "submission", "method", "reference", "identical_to"),
    *("rank", "rank_low", "rank_high", "is_late", "is_lost"),
)


def standings(edition: Edition, scenario: Scored, visibility: Visibility) -> list[Row]:
    """Return the rows of the own teams without any score, from an edition as it is stored."""
    own_entries = [entry for entry in edition.entries if entry["team"] in visibility.own_teams]
    named = {entry["submission"] for entry in own_entries} | {entry.get("identical_to") for entry in own_entries}
    by_submission = {
        entry["submission"]: {name: entry[name] for name in _STANDING if name in entry}
        for entry in edition.entries
        if entry["submission"] in named
    }
    context = BoardContext(scenario, scenario.headline, visibility, {}, by_submission, {})
    rows = [Row(by_submission[entry["submission"]], context) for entry in own_entries]
    find_names(own_rows := [row for row in rows if row.is_own])
    return own_rows


def scale_among(scenario: Scored, name: str, entries: Sequence[dict[str, Any]]) -> Scale:
    """Return the scale of a score of these entries, with one number of digits for all of them."""
    scale = scenario.scale_of(name)
    if scale.decimals is not None:
        return scale
    intervals = [(entry["lows"][name], entry["highs"][name]) for entry in entries if name in entry["lows"]]
    return scale.fitted([entry["scores"].get(name) for entry in entries], intervals)


def find_name(row: Row) -> None:
    """Look up the name of the row's own team, for a row whose board was read without names."""
    team = row.entry["team"]
    row.context.team_names.update((team, name) for name in names_of_one_team(row.context.visibility, team))


def find_names(rows: Sequence[Row]) -> None:
    """Look up the names of some rows, and of those to which they are equal."""
    for row in rows:
        find_name(row)
        if twin := row.context.entries.get(row.entry.get("identical_to") or ""):
            find_name(Row(twin, row.context))


def find_links(rows: Sequence[Row]) -> None:
    """Look up the links that the teams of these rows gave, where they may be shown; the rows are of one board."""
    if not rows or not sees_links(rows[0].context.visibility.role, rows[0].context.visibility.phase):
        return
    keys = [row.entry["submission"] for row in rows if not row.is_gold]
    given = Submission.objects.filter(pk__in=keys).exclude(link="").values_list("pk", "link")
    rows[0].context.links.update((str(pk), link) for pk, link in given)


def common_axis(rows: Sequence[Row]) -> Axis | None:
    """Return one axis for all rows that are compared, with a line for the best baseline and for the best human run."""
    values: list[float] = []
    best: dict[str, float] = {}
    context = rows[0].context if rows else None
    better = min if context and context.lower_is_better else max
    for row in rows:
        if row.headline is None or not row.is_compared:
            continue
        values += (row.headline, *(row.interval or ()))
        if not row.is_of_team:
            best[row.reference] = better(row.headline, best.get(row.reference, row.headline))
    references = [(kind, best[kind]) for kind in Submission.Reference.values if kind in best]
    return axis_of(values, references, context.scale if context else SHARE)


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
