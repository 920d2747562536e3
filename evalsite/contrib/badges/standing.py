"""What a badge says: the place that the tests allow, the score with its interval, and of when it is.

Badges are English, as all that programs and other sites take of a board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils import timezone

from evalsite.board_pages.board.access import BoardAccess
from evalsite.board_pages.board.rows import Row, rows_of
from evalsite.leaderboard.making.editions import EditionQuery, edition_of
from evalsite.leaderboard.models import Edition
from evalsite.wording import better_low, interval, score
from scoring.significance.limits import FEWEST_UNITS

LONGEST_LABEL, LONGEST_NAME = 48, 28  # signs
MOST_NAMED = 2  # of those that share the first place
MOST_ROWS = 10  # of a table


@dataclass(frozen=True)
class Standing:
    """A board at some time, as strangers see it."""

    access: BoardAccess
    edition: Edition
    rows: Sequence[Row]  # without the gold itself
    day: date | None  # None: as it is now

    @property
    def label(self) -> str:
        """Return the task, with the name of the scenario where the phase has several boards."""
        title = self.access.phase.task.title
        if len(self.access.boards) == 1:
            return _short(title, LONGEST_LABEL)
        return f"{_short(title, LONGEST_NAME)} · {_short(self.access.scenario.name, LONGEST_NAME)}"

    @property
    def ranked(self) -> list[Row]:
        return [row for row in self.rows if row.rank is not None]

    @property
    def table(self) -> list[tuple[str, str, str, str]]:
        """Return the first rows that are ranked: place, name, score and interval."""
        return [(row.rank_range, row.name, *scored_cells(row)) for row in self.ranked[:MOST_ROWS]]

    @property
    def n_more(self) -> int:
        """Return how many are ranked below the table."""
        return max(0, len(self.ranked) - MOST_ROWS)

    def row_of(self, submission: str) -> Row | None:
        return next((row for row in self.rows if row.entry["submission"] == submission), None)

    def message_of(self, row: Row) -> str:
        """Return the place and the score of an entry: shared 1st of 9 · F1 0.651 [0.62, 0.68]."""
        return self._dated(f"{self.place_of(row)} · {self._scored(row)}")

    @property
    def message(self) -> str:
        """Return who is first, with the best score: shared 1st of 9: Ada, Bo · F1 0.651 [0.62, 0.68]."""
        if not self.ranked:
            return self._dated("no system yet")
        best = self.ranked[0]
        first = self._first or [best]
        names = [_short(row.name, LONGEST_NAME) for row in first[:MOST_NAMED]]
        more = [f"{len(first) - MOST_NAMED} more"] if len(first) > MOST_NAMED else []
        return self._dated(f"{self.place_of(best)}: {', '.join(names + more)} · {self._scored(best)}")

    def place_of(self, row: Row) -> str:
        """Return the place as far as the data tell it: "1st of 9", "shared 1st of 9", "place 3–5 of 9"."""
        if row.because:
            return f"not ranked: {_short(row.because, LONGEST_NAME)}"
        if row.rank is None:
            return f"{row.reference_word}, not ranked" if row.reference else "not ranked"
        number = len(self.ranked)
        if number == 1:
            return "the only system"
        if not self.is_tested:
            return f"{ordinal(row.rank)} of {number} by score, untested"
        if row.entry["rank_low"] == 1 and len(self._first) > 1:
            return f"shared 1st of {number}"
        if row.entry["rank_low"] == row.entry["rank_high"]:
            return f"{ordinal(row.rank)} of {number}"
        return f"place {row.rank_range} of {number}"

    @property
    def is_tested(self) -> bool:
        """Return whether systems were compared, on units enough to tell them apart."""
        n_units: int = self.edition.comparison.get("n_units", 0)
        return n_units >= FEWEST_UNITS

    @property
    def _first(self) -> list[Row]:
        """Return those that no other is shown to be better than; none before they are compared."""
        return [row for row in self.ranked if row.entry.get("rank_low") == 1] if self.is_tested else []

    def _scored(self, row: Row) -> str:
        scored = self.access.scenario
        title = better_low(scored.score_titles[scored.headline], lower_is_better=scored.lower_is_better)
        return " ".join(filter(None, [title, *scored_cells(row)]))

    def _dated(self, message: str) -> str:
        return f"{message} · {self.day.day} {self.day:%b %Y}" if self.day else message


def standing_of(access: BoardAccess, day: date | None) -> Standing | None:
    """Return the board of today, or at the end of a day; None where none stood then, or the day is still to come."""
    if day and day > timezone.now().date():
        return None
    edition = edition_of(access.phase, access.scenario, EditionQuery(day=day))
    if not edition.is_compared:  # a large board appears some seconds before its tests
        compared = edition_of(access.phase, access.scenario, only_compared=True)
        edition = compared if compared.pk else edition
    if day and not edition.entries:
        return None
    rows = rows_of(edition, access.scenario, access.visibility)
    return Standing(access, edition, [row for row in rows if not row.is_gold], day)


def scored_cells(row: Row) -> tuple[str, str]:
    """Return score and interval, which is "" where there is none."""
    return score(row.headline, row.scale), interval(row.interval, row.scale) if row.interval else ""


def _short(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
