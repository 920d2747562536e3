"""The rows of a combined board with the names and digits that a visitor may see, for its page and as a file."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.precision import FULL, KEPT, Precision, precision_for
from evalsite.leaderboard.board.charts import reference_word
from evalsite.leaderboard.board.finding import Finding, finding_among, isolated
from evalsite.leaderboard.board.visibility import Visibility
from evalsite.leaderboard.combined.making import is_fresh
from evalsite.leaderboard.making.comparison import unpacked
from evalsite.leaderboard.making.editions import OF_HEADLINE, SHARES
from evalsite.leaderboard.models import Combined
from evalsite.translating.messages import translated
from evalsite.wording import amount, bracketed, enumerated, score
from scoring.display.tables import harmless, tabular
from scoring.messages import from_data
from scoring.signature import joined, parsed
from scoring.significance.limits import FEWEST_UNITS

NAME = "combined"  # of the score, where digits are counted


@dataclass(frozen=True)
class CombinedRow:
    """A team or reference with its combined score."""

    entry: dict[str, Any]
    name: str
    is_own: bool
    is_ranks: bool

    @property
    def key(self) -> tuple[str, str]:
        """Return the key by which the rows of the scenarios find it."""
        return self.entry["team"], self.entry["submission"] if self.entry["reference"] else ""

    @property
    def rank_range(self) -> str:
        """Return the ranks that the data leave open; "" outside the ranks."""
        low, high = self.entry["rank_low"], self.entry["rank_high"]
        if low is None:
            return ""
        return amount(low) if low == high else f"{amount(low)}–{amount(high)}"

    @property
    def interval(self) -> tuple[float, float] | None:
        low, high = self.entry["low"], self.entry["high"]
        return None if low is None else (low, high)

    @property
    def score_text(self) -> str:
        """Return the score, or the mean rank with two decimals."""
        return score(self.entry["score"], 2 if self.is_ranks else 3)

    @property
    def range(self) -> str:
        """Return the range of a mean rank, or the interval of a score."""
        ends = self.interval
        if ends is None:
            return ""
        if not self.is_ranks:
            return bracketed([score(end) for end in ends])
        return f"({score(ends[0], 2)}–{score(ends[1], 2)})"

    @property
    def said(self) -> str:
        return f"{self.score_text} {self.range}".strip()

    @property
    def lacking(self) -> str:
        """Say why it has no place, or what it lost; "" where it has all."""
        missing = self.entry["lacking"]
        return _("no run in %(scenarios)s") % {"scenarios": enumerated(missing)} if missing else ""

    @property
    def reference_word(self) -> str:
        return reference_word(self.entry["reference"])


@dataclass(frozen=True)
class CombinedBoard:
    """The board of a phase's combined score, as one visitor reads it."""

    combined: Combined
    rows: list[CombinedRow]
    facts: dict[str, Any]
    is_fresh: bool

    @property
    def is_ranks(self) -> bool:
        return self.combined.kind == Combined.Kind.RANKS

    @property
    def problem(self) -> str:
        """Say why there is no board, for organisers."""
        return translated(self.facts.get("problem", ""))

    @property
    def awaited(self) -> int:
        """Runs that are scored once more before there can be a board."""
        return int(self.facts.get("awaited", 0))

    @property
    def n_ranked(self) -> int:
        return sum(row.entry["rank"] is not None for row in self.rows)

    @property
    def finding(self) -> Finding | None:
        return self._finding(str)

    @property
    def finding_in_html(self) -> SafeString:
        found = self._finding(isolated)
        if found is None:
            return SafeString("")
        # Names are escaped one by one; the other words are ours.
        return format_html("<strong>{}</strong> {}", mark_safe(found.answer), mark_safe(found.reason))  # noqa: S308

    @property
    def warnings(self) -> list[str]:
        return [translated(each) for each in self.facts.get("warnings", ())]

    def _finding(self, name_of: Callable[[str], str]) -> Finding | None:
        """Describe the first of the ranked rows; None without any."""
        ranked = [row for row in self.rows if row.entry["rank"] is not None]
        if not ranked:
            return None
        names = [name_of(row.name) for row in ranked]
        scores = [row.entry["score"] for row in ranked]
        n_scenarios, n_units = len(self.facts["scenarios"]), self.facts["n_units"]
        if len(ranked) == 1:
            return Finding(_("%(system)s is the only system so far.") % {"system": names[0]})
        over = ngettext("%(n)s scenario", "%(n)s scenarios", n_scenarios) % {"n": amount(n_scenarios)}
        if n_units < FEWEST_UNITS and not self.is_ranks:
            first = _("%(system)s (%(score)s)") % {"system": names[0], "score": score(scores[0])}
            reason = _("The smallest of %(scenarios)s has %(units)s units: too few to tell systems apart.")
            answer = _("First: %(system)s.") if self.combined.lower_is_better else _("Highest score: %(system)s.")
            return Finding(answer % {"system": first}, reason % {"scenarios": over, "units": amount(n_units)})
        size = len(ranked)
        return finding_among(names, scores, unpacked(self.facts["separated"], size, size), over)


def combined_board(
    phase: Phase, scenarios: Sequence[Scenario], visibility: Visibility, team_names: Mapping[str, tuple[str, str]]
) -> CombinedBoard | None:
    """Return the phase's combined board as it was last made; None where it has none."""
    combined = Combined.objects.filter(phase=phase).first()
    if combined is None:
        return None
    combined.phase = phase
    precision = _precision(combined, scenarios, visibility)
    rows = []
    for entry in combined.board.get("entries", ()):
        rounded = precision.of(entry | {NAME: entry["score"]})
        rounded["score"] = precision.of(entry["score"], NAME)
        rounded["parts"] = precision.scores(entry["parts"])
        if entry["low"] is not None:
            rounded["low"], rounded["high"] = precision.interval((entry["low"], entry["high"]), NAME)
        rounded |= {name: precision.difference(entry.get(name)) for name in OF_HEADLINE}
        rounded |= {name: precision.share(entry.get(name)) for name in SHARES}
        is_own = entry["team"] in visibility.own_teams and not entry["reference"]
        name = entry["method"] if entry["reference"] else team_names.get(entry["team"], (_("A former team"), ""))[0]
        rows.append(CombinedRow(rounded, name, is_own, combined.kind == Combined.Kind.RANKS))
    facts = combined.board | {
        "warnings": from_data(combined.board.get("warnings", [])),
        "signature": _signature(combined.board.get("signature", ""), precision),
        "parts": [part for part in combined.board.get("parts", ()) if precision.shows(part)],
    }
    return CombinedBoard(combined, rows, facts, is_fresh(combined))


def _signature(signature: str, precision: Precision) -> str:
    """Remove digests of golds, and seeds made of them, for those who may not compare golds with files of theirs."""
    if precision.is_full or not signature:
        return signature
    return joined({**parsed(signature), "gold": KEPT, "seed": KEPT})


def _precision(combined: Combined, scenarios: Sequence[Scenario], visibility: Visibility) -> Precision:
    """Return the scenarios' precision, whose scores are parts; where one tells much of single items, so does the
    combined one."""
    each = [precision_for(visibility.role, visibility.phase, scenario) for scenario in scenarios]
    if all(one.is_full for one in each):
        return FULL
    much = frozenset(
        f"{scenario.name}.{name}" for scenario, one in zip(scenarios, each, strict=True) for name in one.tell_much
    )
    tells_much = much & set(combined.board.get("parts", ()))
    shown = frozenset(
        f"{scenario.name}.{name}" for scenario, one in zip(scenarios, each, strict=True) for name in one.shown
    )
    return Precision(False, NAME, much | {NAME} if tells_much else much, shown=shown)


FACTS = ("signature", "n_units", "n_resamples", "confidence_level", "warnings", "scenarios")
NUMBERS = ("difference_to_leader", "difference_low", "difference_high", "p_to_leader", "probability_best", "borda")


def as_csv(phase: Phase, board: CombinedBoard) -> str:
    """Write a line for each entry; cells that a spreadsheet would calculate begin with an apostrophe."""
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    parts = board.facts.get("parts", [])
    numbers = [name for name in NUMBERS if any(name in row.entry for row in board.rows)]
    score = "mean_rank" if board.is_ranks else "score"
    head = ["rank", "rank_low", "rank_high", "group", "team", "reference", score, f"{score}_low", f"{score}_high"]
    lines.writerow([*head, *numbers, *map(harmless, parts), "lacking"])
    for row in board.rows:
        entry = row.entry
        rank_range = [entry["rank"], entry["rank_low"], entry["rank_high"], entry.get("group")]
        values = [entry["score"], entry["low"], entry["high"], *(entry.get(name) for name in numbers)]
        shares = [entry["parts"].get(name) for name in parts]
        rounded = [harmless(row.name), entry["reference"]]
        lines.writerow([*rank_range, *rounded, *values, *shares, harmless("; ".join(entry["lacking"]))])
    return text.getvalue()


def as_json(phase: Phase, board: CombinedBoard) -> str:
    return json.dumps(as_record(phase, board), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_record(phase: Phase, board: CombinedBoard) -> dict[str, Any]:
    """Return everything that the visitor may read, and how it was made."""
    return {
        "task": phase.task.title,
        "phase": phase.name,
        "kind": board.combined.kind,
        "formula": board.combined.formula if not board.is_ranks else None,
        "lower_is_better": board.is_ranks or board.combined.lower_is_better,
        "missing": board.combined.missing,
        "made": board.combined.made.isoformat() if board.combined.made else None,
        "is_newest": board.is_fresh,
        "finding": str(board.finding or ""),
        "comparison": {name: board.facts[name] for name in FACTS if name in board.facts} or None,
        "entries": [_entry(row) for row in board.rows],
    }


def _entry(row: CombinedRow) -> dict[str, Any]:
    kept = ("rank", "rank_low", "rank_high", "group", "score", "low", "high", *NUMBERS, "parts", "lacking")
    named = {"team": "" if row.entry["reference"] else row.name, "reference": row.entry["reference"]}
    named["method"] = row.name if row.entry["reference"] else ""
    return named | {name: row.entry[name] for name in kept if name in row.entry}


def as_latex(phase: Phase, board: CombinedBoard) -> str:
    """Write a table for a paper, with three decimals; it needs the package booktabs."""
    heading = "mean rank" if board.is_ranks else board.combined.formula
    ranked = [[row.rank_range or "–", row.name, row.said] for row in board.rows if not row.entry["reference"]]
    others = [["–", row.name, row.said] for row in board.rows if row.entry["reference"]]
    comments = [str(board.facts.get("signature", "")), str(board.finding or "")]
    return tabular(comments, "lll", ["rank", "system", heading], ranked, others)


FORMATS: dict[str, tuple[str, Callable[[Phase, CombinedBoard], str]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "json": ("application/json", as_json),
    "tex": ("application/x-tex; charset=utf-8", as_latex),
}
