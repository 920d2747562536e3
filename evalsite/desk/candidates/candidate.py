"""Compares a gold that can be published with the one in force, on the boards and for each run."""

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any
from uuid import UUID

from evalsite.accounts.models import Team
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job
from evalsite.board_pages.board.rows import Row, rows_with_names
from evalsite.board_pages.board.visibility import Visibility, team_names_of
from evalsite.challenges.gold.changes import GoldChanges, restored
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold
from evalsite.leaderboard.making.editions import edition_of
from evalsite.leaderboard.making.previews import difference, edition_of_preview, entry_key, scores_by
from evalsite.leaderboard.models import Preview
from evalsite.submissions.lifecycle.candidates import RESCORING, Progress, engine_of, progress_of
from evalsite.submissions.models import Scoring, Submission

MOST_FAILURES = 50


@dataclass(frozen=True)
class Beside:
    """A line of both boards: the row now, the row then, and `before`, where the latter's entry stands now."""

    now: Row | None
    then: Row | None
    before: Row | None

    @property
    def has_moved(self) -> bool:
        return self.then is not None and (self.before is None or self.then.rank != self.before.rank)

    @property
    def difference(self) -> float | None:
        """Return the difference of the score that ranks; None if it is the same, or there is none to compare with."""
        if self.then is None or self.before is None:
            return None
        return difference(self.before.headline, self.then.headline)


@dataclass(frozen=True)
class Rescored:
    """A run with its score now and by the candidate."""

    submission: Submission
    now: float | None
    then: float | None

    @property
    def difference(self) -> float | None:
        return difference(self.now, self.then)


class Candidate:
    """A gold that can be published, or the one in force by another engine."""

    def __init__(self, gold: Gold, visibility: Visibility) -> None:
        self.gold, self.visibility = gold, visibility
        self.in_force = gold_in_force(gold.phase, gold.scenario) or gold
        self.engine = engine_of(gold)
        self.is_of_engine = not gold.is_candidate

    @property
    def is_first(self) -> bool:
        """Return whether there is no board to compare with, since the runs wait for gold."""
        return self.in_force.is_input

    @cached_property
    def job(self) -> Job | None:
        return latest_job(RESCORING, self.gold.pk)

    @property
    def is_at_work(self) -> bool:
        return bool(self.job and self.job.is_active)

    @property
    def has_failed(self) -> bool:
        return bool(self.job and self.job.state == Job.State.FAILED)

    @cached_property
    def progress(self) -> Progress:
        return progress_of(self.gold)

    @cached_property
    def preview(self) -> Preview | None:
        return Preview.objects.select_related("gold").defer("order").filter(gold=self.gold).exclude(counts={}).first()

    @property
    def changes(self) -> GoldChanges | None:
        stored = self.preview.changes if self.preview else None
        return restored(stored) if stored else None

    @cached_property
    def lines(self) -> list[Beside]:
        """Return both boards side by side."""
        if self.preview is None:
            return []
        edition = edition_of(self.gold.phase, self.gold.scenario, only_compared=True)
        team_names = team_names_of(self.visibility)
        now = rows_with_names(edition, self.gold.scenario, self.visibility, team_names)
        coming = edition_of_preview(self.preview, edition.board)
        then = rows_with_names(coming, self.gold.scenario, self.visibility, team_names)
        rows_now = {entry_key(row.entry): row for row in now}
        pairs = zip_longest(now, then)
        return [Beside(left, right, rows_now.get(entry_key(right.entry)) if right else None) for left, right in pairs]

    @property
    def n_moved(self) -> int:
        """Return how many entries move, counted here, as the current board may have changed since."""
        return sum(line.has_moved for line in self.lines)

    @cached_property
    def lost(self) -> list[str]:
        """Return the names of the teams that would leave the board."""
        keys = self._counts.get("lost")
        return list(Team.objects.filter(pk__in=keys).order_by("name").values_list("name", flat=True)) if keys else []

    @property
    def failures(self) -> list[Scoring]:
        return list(self._failed.select_related("submission__team").order_by("submission__created")[:MOST_FAILURES])

    @property
    def n_failed(self) -> int:
        """Return how many scorings failed through no fault of their file."""
        return self.progress.states[Scoring.State.FAILED]

    @property
    def _failed(self):  # type: ignore[no-untyped-def]
        ended = (Scoring.State.REFUSED, Scoring.State.FAILED)
        return Scoring.objects.filter(gold=self.gold, engine_version=self.engine, state__in=ended)

    @property
    def is_ready(self) -> bool:
        return self.preview is not None and self.progress.is_over and not self.lost

    @property
    def n_runs(self) -> int:
        return int(self._counts.get("runs", 0))

    @property
    def n_changed_runs(self) -> int:
        return int(self._counts.get("changed", 0))

    @property
    def _counts(self) -> dict[str, Any]:
        """Return the counts of the time when the preview was made; it is made anew whenever a run changes."""
        return self.preview.counts if self.preview else {}

    def runs(self, first: int, last: int) -> list[Rescored]:
        """Return a slice of all runs, those that change most first, in a few queries for these alone."""
        if self.preview is None:
            return []
        order = bytes(Preview.objects.values_list("order", flat=True).get(pk=self.preview.pk))
        keys = [UUID(bytes=order[at : at + 16]) for at in range(16 * first, min(16 * last, len(order)), 16)]
        now = scores_by(self.in_force, self.in_force.engine, keys)
        then = scores_by(self.gold, self.engine, keys)
        submissions = Submission.objects.select_related("team").in_bulk(keys)
        return [Rescored(submissions[key], now.get(key), then.get(key)) for key in keys if key in submissions]
