"""The boards of a drawer: each as the files that its page gives out, with all its pairs."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evalsite.board_pages.board.access import PhaseAccess
from evalsite.board_pages.board.exports import Exported, exported, formats_of
from evalsite.board_pages.board.rows import Row
from evalsite.board_pages.board.tables import usual_columns
from evalsite.board_pages.entry import EntryOnBoard
from evalsite.contrib.drawer.readme import Text
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.leaderboard.making.editions import edition_of
from evalsite.submissions.models import Submission
from evalsite.wording import NOTHING
from scoring.comparing.places import unpacked, unpacked_pairs
from scoring.display.tables import csv_of, tabular

MOST_IN_MATRIX = 40  # systems, as on a page
PAIRS = ("system", "other", "difference", "adjusted_p", "outcome")
BETTER, WORSE, OPEN = "better", "worse", "not told apart"
_SIGNS = {BETTER: "+", WORSE: "\N{MINUS SIGN}", OPEN: "="}
_ABOUT = {
    "csv": "all entries with all scores, intervals, ranks and groups",
    "json": "the same for programs, and how it was made",
    "tex": "a table for a paper (LaTeX, packages booktabs and graphicx)",
    "md": "the same table for a README",
    "svg": "a figure of the scores and intervals",
    "jsonl": "a record of each entry for Every Eval Ever, a line each",
}


@dataclass(frozen=True)
class DrawerBoard:
    """A board that the reader of the drawer may see, with the names and numbers of that reader."""

    access: PhaseAccess
    shown: Exported

    @property
    def title(self) -> str:
        return f"{self.shown.phase.name}, {self.shown.scenario}"

    @property
    def path(self) -> str:
        """Return the path of its files without their suffix."""
        scored = self.shown.scenario
        name = "combined" if isinstance(scored, CombinedScore) else f"scenario{scored.number}"
        return f"boards/{self.shown.phase.slug}/{name}"

    @property
    def ranked(self) -> list[Row]:
        return [row for row in self.shown.rows if row.rank is not None]

    def entry(self, row: Row) -> EntryOnBoard:
        shown = self.shown
        return EntryOnBoard(shown.edition, shown.scenario, row, shown.rows, self.access.address_of(shown.scenario))


def boards_of(accesses: Sequence[PhaseAccess]) -> Iterator[DrawerBoard]:
    """Yield the boards that the reader sees and that have entries, one at a time; the deciding one of a phase first."""
    for access in accesses:
        for scored in access.boards if access.is_allowed else ():
            edition = edition_of(access.phase, scored, only_compared=True)
            shown = exported(edition, access.phase, scored, access.visibility, usual_columns(scored))
            if shown.rows:
                yield DrawerBoard(access, shown)


def files_of(board: DrawerBoard) -> Iterator[Text]:
    """Yield the files of a whole board."""
    for suffix, about in _ABOUT.items():
        if form := formats_of(board.shown.phase).get(suffix):
            content = form.write(board.shown)
            content = content if isinstance(content, bytes) else content.encode()
            yield Text(f"{board.path}.{suffix}", content, about=f"{board.title}: {about}")
    if pairs := list(pairs_of(board)):
        about = f"{board.title}: every pair of ranked systems, with the outcome of the test of all pairs together"
        yield Text(f"{board.path}-pairs.csv", csv_of(PAIRS, pairs), about=about)
        about = f"{board.title}: the pairs as a matrix (LaTeX): + better, - worse, = not told apart"
        if len(board.ranked) > MOST_IN_MATRIX:
            about += f"; the first {MOST_IN_MATRIX} systems"
        yield Text(f"{board.path}-pairs.tex", matrix_of(board).encode(), about=about)


def pairs_of(board: DrawerBoard, own_runs: Collection[str] | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield the pairs of ranked systems as PAIRS, the better placed one first; with `own_runs` those of these
    submissions alone, which then come first."""
    ranked, edition = board.ranked, board.shown.edition
    facts, precision = edition.comparison, edition.precision
    if len(ranked) < 2 or not facts:
        return
    outcomes, p_values = _outcomes(board), facts.get("p_values")
    p = unpacked_pairs(p_values, len(ranked)) if p_values else None
    places: Any = combinations(range(len(ranked)), 2)
    if own_runs is not None:
        mine = [place for place, row in enumerate(ranked) if row.entry["submission"] in own_runs]
        places = ((place, other) for place in mine for other in range(len(ranked)) if other != place)
    for a, b in places:
        scores = ranked[a].headline, ranked[b].headline
        difference = None if None in scores else precision.difference(scores[0] - scores[1])  # type: ignore[operator]
        told_p = None if p is None else precision.share(float(p[a, b]))
        yield ranked[a].name, ranked[b].name, difference, told_p, outcomes[a, b]


def _outcomes(board: DrawerBoard) -> Any:
    """Return (ranked, ranked): what the row's system is, compared with the column's."""
    n_ranked = len(board.ranked)
    separated = unpacked(board.shown.edition.comparison["separated"], n_ranked, n_ranked)
    return np.where(separated, BETTER, np.where(separated.T, WORSE, OPEN))


def matrix_of(board: DrawerBoard) -> str:
    """Return the pairs as LaTeX: each row's system against each column's, which are the same in the same order."""
    shown, outcomes = board.ranked[:MOST_IN_MATRIX], _outcomes(board)
    rows = [
        [str(a + 1), row.name, *(NOTHING if a == b else _SIGNS[outcomes[a, b]] for b in range(len(shown)))]
        for a, row in enumerate(shown)
    ]
    numbers = [str(number + 1) for number in range(len(shown))]
    comments = [board.shown.signature, "A row's system is better (+) than a column's, worse, or not told apart (=)."]
    return tabular(comments, "rl" + "c" * len(shown), ["", "system", *numbers], rows)


def runs_on(boards: Sequence[DrawerBoard]) -> dict[str, Submission]:
    """Return the runs behind the rows of these boards, with their teams and phases, by their keys."""
    keys = {row.entry["submission"] for board in boards for row in board.shown.rows if not row.is_gold}
    runs = Submission.objects.filter(pk__in=keys).select_related("team", "phase__task")
    return {str(run.pk): run for run in runs.order_by("phase__opens", "team__name", "created")}
