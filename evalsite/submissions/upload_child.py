"""The child of the engine that scores one upload: for all its scenarios in turn, so that its archive is read once."""

import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.db.models import QuerySet, Subquery

from evalsite.challenges.checked_files import checked_path, require_digest
from evalsite.faults import FaultyFile
from evalsite.jobs import limited
from evalsite.submissions import limits, work
from evalsite.submissions.leases import due
from evalsite.submissions.models import Scoring

OnStep = Callable[[str], None]


class UploadChild:
    """A context. Each scenario has its own limits; where one breaks them, the others get a new child.

    `others` are the scorings of the upload that wait to be scored after the last one; None while there was none yet.
    """

    def __init__(self) -> None:
        self.others: list[uuid.UUID] | None = None
        self._files = ExitStack()
        self._folder = Path()
        self._golds: dict[uuid.UUID, Path] = {}  # that the living child may read, by key
        self._system = Path()
        self._ask: Callable[[dict[str, Any], OnStep | None], Any]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def evaluate(self, scoring: Scoring, on_step: OnStep) -> tuple[dict[str, Any], Path]:
        """What `work.evaluate` answers, and where the evaluation then is, until this context ends.

        The engine blames whoever made a file that it cannot read, so both files are looked at before; and once more
        where it does, as the folder that they lie in may have gone meanwhile. Raises FaultyFile, LimitBroken, Crashed.
        """
        if scoring.gold_id not in self._golds:
            self._start(scoring)
        gold = self._golds.pop(scoring.gold_id)  # of each scenario once
        evaluation = self._folder / f"{scoring.pk}.npz"
        arguments = {
            "family": scoring.scenario.engine_family.name,
            "options": scoring.scenario.options,
            "n_resamples": settings.N_RESAMPLES,
            "keeps": scoring.gold.keeps,
            "gold": str(gold),
            "system": str(self._system),
            "evaluation": str(evaluation),
        }
        try:
            found: dict[str, Any] = self._ask(arguments, on_step)
        except BaseException:
            self._golds.clear()
            raise
        if "numbers" not in found:
            require_digest(gold, scoring.gold.sha256, scoring.gold.file.name or "")
            require_digest(self._system, scoring.submission.sha256, scoring.submission.file.name or "")
        elif found["has_drawn"]:
            drawn = {name: found["numbers"][name] for name in ("seed", "n_units", "n_resamples")}
            limited.share(work.keep_draws, drawn)
        return found, evaluation

    def _start(self, scoring: Scoring) -> None:
        """A new child for this scoring and those that wait with it."""
        self._end()
        run = scoring.submission
        self._folder = Path(self._files.enter_context(TemporaryDirectory()))
        golds = {scoring.gold_id: self._files.enter_context(checked_path(scoring.gold.file, scoring.gold.sha256))}
        others = list(waiting_with(scoring.pk).select_related("gold"))
        self.others = [other.pk for other in others]
        for other in others:
            with suppress(FaultyFile, OSError):  # said when its turn comes
                golds[other.gold_id] = self._files.enter_context(checked_path(other.gold.file, other.gold.sha256))
        self._system = self._files.enter_context(checked_path(run.file, run.sha256))
        self._ask = self._files.enter_context(
            limited.child(
                work.evaluate,
                limits.of_scoring(),
                parts=len(golds),
                reads=[str(self._system), *map(str, golds.values())],
                writes=[str(self._folder)],
            )
        )
        self._golds = golds

    def _end(self) -> None:
        self._golds = {}
        self._files.close()


def waiting_with(pk: uuid.UUID) -> QuerySet[Scoring]:
    """The other queued scorings of the same upload."""
    upload = Scoring.objects.filter(pk=pk).values("submission")
    waiting = Scoring.objects.filter(due(), submission=Subquery(upload), state=Scoring.State.QUEUED)
    return waiting.exclude(pk=pk).order_by("created")
