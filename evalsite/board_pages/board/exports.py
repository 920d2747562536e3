"""A board as a file or a figure: all its entries, with what the visitor may see of them and nothing else."""

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_lazy

from evalsite.base.contrib import BoardFormat, board_formats
from evalsite.base.spreadsheets import spreadsheet
from evalsite.board_pages.board.charts import Axis, mark
from evalsite.board_pages.board.filtered import Fact
from evalsite.board_pages.board.rows import Row, common_axis, rows_of, scale_among
from evalsite.board_pages.board.sentence import sentence_of
from evalsite.board_pages.board.visibility import Visibility
from evalsite.challenges.gold.openness import Openness, openness
from evalsite.challenges.models import Phase
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.imported import rows_of as imported_rows_of
from evalsite.leaderboard.making.editions import complete
from evalsite.leaderboard.models import Edition, ImportedTable
from evalsite.wording import NOTHING, better_low, interval, leader_interval, percent, score, signed
from scoring.display.tables import comment, tabular
from scoring.scale import Scale

IMPORTED = "imported"  # marks rows of another board, beside the kinds of references
TOLD_BY_TEAM = "self-reported"  # marks columns of what nobody has measured here
OPEN_GOLD = {
    Openness.OPEN: "The gold of this phase is open: a run can be made from it.",
    Openness.AFTERWARDS: "The gold of this phase is open now; all runs came before it was released.",
    Openness.ELSEWHERE: "The gold of this phase is open in another phase: a run can be made from it.",
}
NUMBERS = (
    "difference_to_leader",
    "difference_low",
    "difference_high",
    "p_to_leader",
    "probability_best",
)
FACTS = ("signature", "n_units", "n_resamples", "confidence_level", "seed", "critical_value", "warnings")


@dataclass(frozen=True)
class Exported:
    edition: Edition
    phase: Phase
    scenario: Scored
    rows: Sequence[Row]
    columns: Sequence[str]  # that the visitor has chosen to see
    imported: Sequence[ImportedTable] = ()  # not verified, and never among the rows
    facts: Sequence[Fact] = ()  # that teams tell of their runs

    @property
    def scores(self) -> list[str]:
        """Return the names of all scores, the headline first."""
        scored_names = {name for row in self.rows for name in row.entry["scores"]}
        titles = [self.scenario.headline, *self.scenario.score_titles]
        return [name for name in dict.fromkeys(titles) if name in scored_names]

    @property
    def titles(self) -> dict[str, str]:
        """Return titles of the scores for people: with an arrow where less is better."""
        lower = self.scenario.lower_scores
        titles = self.scenario.score_titles.items()
        return {name: better_low(title, lower_is_better=name in lower) for name, title in titles}

    @property
    def further(self) -> dict[str, Scale]:
        """Return the scores that were chosen beside the one that ranks, and the scale of each."""
        entries = [row.entry for row in self.rows]
        chosen = [name for name in self.scores[1:] if name in self.columns]
        return {name: scale_among(self.scenario, name, entries) for name in chosen}

    @property
    def has_shown(self) -> bool:
        """Return whether the ranked part of the gold has decided, so that scores on the shown part stand beside."""
        return any("shown" in row.entry for row in self.rows)

    @property
    def has_unranked(self) -> bool:
        """Return whether a team is shown without a rank, and a column says why."""
        return any(row.because for row in self.rows)

    @property
    def sentence(self) -> str:
        return str(sentence_of(self.edition, self.rows) or "")

    @property
    def signature(self) -> str:
        """Return the comparison's signature, or the first entry's where there is none."""
        alone = next((row.entry["signature"] for row in self.rows), "")
        return str(self.edition.comparison.get("signature") or alone)


def export(
    write: Callable[["Exported"], str | bytes],
    edition: Edition,
    phase: Phase,
    scenario: Scored,
    visibility: Visibility,
    columns: Sequence[str],
    imported: Sequence[ImportedTable],
    facts: Sequence[Fact],
) -> str | bytes:
    """Return the content of the file that `write` makes of the board."""
    with translation.override(None):  # programs read it: numbers have a point, and words are English
        return write(exported(edition, phase, scenario, visibility, columns, imported, facts))


def exported(
    edition: Edition,
    phase: Phase,
    scenario: Scored,
    visibility: Visibility,
    columns: Sequence[str] = (),
    imported: Sequence[ImportedTable] = (),
    facts: Sequence[Fact] = (),
) -> Exported:
    """Return the whole board with all scores that the visitor may read, which are known once the rows are."""
    rows = rows_of(edition, scenario, visibility)
    complete(edition)
    return Exported(edition, phase, scenario, rows, columns, imported, facts)


def as_csv(board: Exported) -> str:
    """Write one line an entry, then one for each imported row, whose scores stand in columns of their own; cells that
    a spreadsheet would calculate begin with an apostrophe.
    """
    ends = [(name, f"{name}_low", f"{name}_high") for name in board.scores]
    further = list(dict.fromkeys(column for table in board.imported for column in table.columns))
    source = ["source"] if board.imported else []
    headings = (
        ["rank", "rank_low", "rank_high", "group", "team", "method", "reference", "is_late"]
        + [heading for headings in ends for heading in headings]
        + [*NUMBERS, "identical_to", "n_runs", "n_withdrawn", "date"]
        + ["shown_part"] * board.has_shown
        + ["because"] * board.has_unranked
        + [f"{TOLD_BY_TEAM}: {fact.field.text or fact.field.key}" for fact in board.facts]
        + [f"{IMPORTED}: {column}" for column in further]
        + source
    )
    rows: list[list[object]] = []
    for row in board.rows:
        entry = row.entry
        texts = (row.group, row.team, row.method, row.reference, "true" if row.is_late else "")
        scores = [(row.score(name), *(row.interval_of(name) or (None, None))) for name in board.scores]
        rows.append(
            [entry["rank"], entry.get("rank_low"), entry.get("rank_high"), *texts]
            + [value for values in scores for value in values]
            + [entry.get(name) for name in NUMBERS]
            + [row.twin, row.n_runs, row.n_withdrawn, entry["date"]]
            + [row.shown] * board.has_shown
            + [row.because] * board.has_unranked
            + list(_facts_of(row, board).values())
            + [""] * len(further + source)
        )
    n_between = 1 + 3 * len(board.scores) + len(NUMBERS) + 3  # of an entry: is_late to n_withdrawn
    for table in board.imported:
        for imported in imported_rows_of(table):
            scores_of = dict(zip(table.columns, imported.scores, strict=True))
            rows.append(
                ["", "", "", "", imported.name, "", IMPORTED, *[""] * n_between, imported.date]
                + [""] * (board.has_shown + board.has_unranked + len(board.facts))
                + [scores_of.get(column, "") for column in further]
                + [imported.source]
            )
    return spreadsheet(headings, rows)


def _facts_of(row: Row, board: Exported) -> dict[str, Any]:
    """Return what the team tells of the run, by the field; "" where it tells nothing."""
    return {fact.field.text or fact.field.key: fact.value_of(row.entry["submission"]) for fact in board.facts}


def as_json(board: Exported) -> str:
    return json.dumps(as_record(board), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_record(board: Exported) -> dict[str, Any]:
    """Return everything that the visitor may read, and how it was made."""
    facts, scale = board.edition.comparison, board.scenario.scale
    return {
        "task": board.phase.task.title,
        "phase": board.phase.name,
        "scenario": {"number": board.scenario.number, "name": board.scenario.name},
        "combined": board.scenario.as_record() if isinstance(board.scenario, CombinedScore) else None,
        "family": board.scenario.family,
        "headline": board.scenario.headline,
        "titles": {name: title for name, title in board.scenario.score_titles.items() if name in board.scores},
        "lower_is_better": sorted(board.scenario.lower_scores & set(board.scores)),
        "scale": {"decimals": scale.decimals, "is_percent": scale.is_percent},
        "unit": list(board.scenario.unit),
        "made": _made(board.edition),
        "is_final": board.edition.is_final,
        "gold_version": board.edition.gold.version if board.edition.gold else None,
        "gold_part": _part_of(board.edition),
        "finding": board.sentence,
        "gold_is_open": board.phase.gold_released,
        "comparison": {name: facts[name] for name in FACTS if name in facts} or None,
        "entries": [_entry(row) | _told_by_team(row, board) for row in board.rows],
        "imported": [row for table in board.imported for row in _imported(table)],
    }


def _part_of(edition: Edition) -> dict[str, Any] | None:
    """Return which part of a gold that is split the board shows, and how large it is."""
    gold = edition.gold
    if gold is None or not gold.part:
        return None
    return {"part": gold.part, "n_units": gold.n_units, "of": gold.n_units_in_file}


def _imported(table: ImportedTable) -> Iterator[dict[str, Any]]:
    for row in imported_rows_of(table):
        yield {
            "name": row.name,
            "is_verified": False,
            "scores": dict(zip(table.columns, row.numbers, strict=True)),
            "written": dict(zip(table.columns, row.scores, strict=True)),
            "date": row.date or None,
            "source": row.source or None,
            "imported": str(table.created.date()),
        }


def _made(edition: Edition) -> str | None:
    if not edition.made:
        return None
    return str(edition.made.date()) if edition.days_alone else edition.made.isoformat()


def _entry(row: Row) -> dict[str, Any]:
    entry = row.entry
    together = {"lacking": entry["lacking"]} if "lacking" in entry else {}
    together |= {"shown_part": entry["shown"]} if "shown" in entry else {}
    together |= {"because": row.because} if row.because else {}
    return {
        "rank": row.rank,
        "rank_range": [entry["rank_low"], entry["rank_high"]] if entry.get("rank_low") else None,
        "group": row.group or None,
        "team": row.team or None,
        "method": row.method or None,
        "reference": row.reference or None,
        "is_late": row.is_late,
        "scores": entry["scores"],
        "intervals": {name: [low, entry["highs"][name]] for name, low in entry["lows"].items()},
        **{name: entry.get(name) for name in NUMBERS},
        "identical_to": row.twin or None,
        "n_runs": row.n_runs,
        "n_withdrawn": row.n_withdrawn,
        "date": entry["date"],
        "signature": entry["signature"],
        **together,
    }


def _told_by_team(row: Row, board: Exported) -> dict[str, Any]:
    """Return the facts of a team's entry, of a board that shows some."""
    facts = _facts_of(row, board) if row.is_of_team else {}
    return {"self_reported": {name: value for name, value in facts.items() if value != ""}} if facts else {}


def as_latex(board: Exported) -> str:
    """Write a table for a paper, no wider than its lines: ranked entries, then references, with the chosen scores."""
    titles, further = board.titles, board.further
    headings = ["rank", "system", titles[board.scenario.headline], "difference", "group"]
    ranked = [_cells(row, further) for row in board.rows if not row.reference]
    references = [_cells(row, further) for row in board.rows if row.reference]
    remarks = [board.signature, board.sentence, OPEN_GOLD.get(openness(board.phase), "")]
    table = tabular(
        [],
        "llllc" + "r" * len(further),
        headings + [titles[name] for name in further],
        ranked,
        references,
    )
    return "\n".join([*(comment(remark) for remark in remarks if remark), _AS_WIDE_AS_THE_LINE, f"{table}}}"]) + "\n"


# Of three scores with their intervals a table is wider than a page; what fits keeps its size.
_AS_WIDE_AS_THE_LINE = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{% graphicx"


def as_markdown(board: Exported) -> str:
    """Write the same table for a README or a notebook, under the sentence that it allows."""
    titles, further = board.titles, board.further
    headings = ["Place", "System", titles[board.scenario.headline], "Difference", "Group"]
    headings += [titles[name] for name in further]
    rows = [_cells(row, further) for row in board.rows]
    rules = ["---"] * 5 + ["---:"] * len(further)
    table = [_markdown_row(headings), f"| {' | '.join(rules)} |", *map(_markdown_row, rows)]
    remarks = [board.sentence, OPEN_GOLD.get(openness(board.phase), "")]
    sentences = [in_markdown(remark) for remark in remarks if remark]
    return "\n\n".join([*sentences, "\n".join(table), *([f"`{board.signature}`"] if board.signature else [])]) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(in_markdown, cells))} |"


def in_markdown(text: str) -> str:
    """Escape every sign that could mean something, and leave one line."""
    return re.sub(r"[\\`*_{}<>\[\]#|~&!]", lambda match: f"\\{match[0]}", " ".join(text.split()))


def as_svg(board: Exported) -> str:
    phase, scenario = board.phase, board.scenario
    title = f"{phase.task.title}: {phase.name}, {scenario.name}"
    made = str(board.edition.made.date()) if board.edition.made else ""
    level = board.edition.comparison.get("confidence_level")
    intervals = f", with {percent(level)} intervals" if level else ""
    headline = board.titles[scenario.headline]
    lower = "Lower is better" if scenario.lower_is_better else ""
    source = ". ".join(filter(None, [f"{headline}{intervals}", lower, settings.SITE_NAME, made]))
    return figure(title, board.sentence, headline, source, board.rows)


def _cells(row: Row, further: Mapping[str, Scale]) -> list[str]:
    ends = row.interval
    shown = score(row.headline, row.scale) + (f" {interval(ends, row.scale)}" if ends else "")
    difference = NOTHING
    if row.difference:
        value, low, high = row.difference
        difference = f"{signed(value, row.rough)} {leader_interval((low, high), row.rough)}"  # type: ignore[arg-type]
    rank_range = row.reference or row.rank_range or NOTHING
    scores = (score(row.score(name), scale) for name, scale in further.items())
    return [rank_range, row.name, shown, difference, row.group or NOTHING, *scores]


FORMATS = {
    "csv": BoardFormat("text/csv; charset=utf-8", as_csv, gettext_lazy("Spreadsheet (CSV)")),
    "json": BoardFormat("application/json", as_json, gettext_lazy("Everything (JSON)")),
    "tex": BoardFormat("application/x-tex; charset=utf-8", as_latex, gettext_lazy("Table for a paper (LaTeX)")),
    "md": BoardFormat("text/markdown; charset=utf-8", as_markdown, gettext_lazy("Table for a README (Markdown)")),
    "svg": BoardFormat("image/svg+xml", as_svg, gettext_lazy("Figure (SVG)")),
}


def formats_of(phase: Phase) -> dict[str, BoardFormat]:
    """Return by suffix the files that a board of the phase can be had as, those of apps of contrib among them."""
    further = board_formats().items()
    return FORMATS | {suffix: form for suffix, form in further if phase.is_released or not form.is_of_released}


WIDTH = 960
CHART_X, CHART_WIDTH = 350, 400
ROW_HEIGHT = 26
LINE_HEIGHT = 22
MOST_SIGNS = 38  # of a name
SIGNS_A_LINE = 118  # of the sentence above
INK, ACCENT = "#1a2024", "#0b5960"
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Line:
    """A row of the figure; numbers are pixels, None where there is no score or no interval."""

    name: str
    rank_range: str
    score: str
    y: float
    is_reference: bool
    is_leader: bool
    dot: float | None
    low: float | None
    high: float | None

    @property
    def colour(self) -> str:
        return ACCENT if self.is_leader else INK


def figure(title: str, finding: str, headline: str, source: str, rows: Sequence[Row]) -> str:
    """Draw the figure; all texts are plain. Neither the gold itself nor what teams report is a row of it."""
    shown = [row for row in rows if row.is_compared]
    axis = common_axis(shown)
    wrapped = textwrap.wrap(finding, SIGNS_A_LINE)
    top = 40 + LINE_HEIGHT * len(wrapped) + 30
    lines = [_line(row, axis, top + ROW_HEIGHT * (number + 0.5)) for number, row in enumerate(shown)]
    bottom = top + ROW_HEIGHT * len(lines)
    drawn = render_to_string(
        "leaderboard/figure.svg",
        {
            "title": title,
            "said": [(40 + LINE_HEIGHT * (number + 1), text) for number, text in enumerate(wrapped)],
            "headline": headline,
            "source": source,
            "lines": lines,
            "ticks": [(_x(tick.at), tick.label) for tick in axis.ticks] if axis else [],
            "references": [(_x(line.at), line.label, line.kind) for line in axis.lines] if axis else [],
            "top": top,
            "bottom": bottom,
            "left": CHART_X,
            "right": CHART_X + CHART_WIDTH,
            "width": WIDTH,
            "height": bottom + 60,
        },
    )
    return NOT_IN_XML.sub("", drawn)


def _line(row: Row, axis: Axis | None, y: float) -> Line:
    drawn = mark(axis, row.headline, row.interval) if axis and row.headline is not None else None
    text = score(row.headline, row.scale) + (f" {interval(row.interval, row.scale)}" if row.interval else "")
    return Line(
        name=textwrap.shorten(row.name, MOST_SIGNS, placeholder="…") or row.name[: MOST_SIGNS - 1] + "…",
        rank_range=row.reference or row.rank_range,
        score=text,
        y=y,
        is_reference=bool(row.reference),
        is_leader=row.rank == 1,
        dot=_x(drawn.dot) if drawn else None,
        low=_x(drawn.low) if drawn and drawn.low is not None else None,
        high=_x(drawn.high) if drawn and drawn.high is not None else None,
    )


def _x(percent: float) -> float:
    return round(CHART_X + CHART_WIDTH * percent / 100, 1)
