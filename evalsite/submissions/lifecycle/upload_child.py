"""The child of the engine that scores an upload, for all its scenarios in turn, so that its archive is read once.

No child meets the files of two uploads: one that took its child over would else score those that come after it.
"""

import uuid
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.db.models import QuerySet, Subquery

from evalsite.base.faults import Fault, FaultyFile, KnownFault
from evalsite.challenges.models import Gold
from evalsite.challenges.storage.files import checked_path, require_digest
from evalsite.jobs import sandbox
from evalsite.submissions import engine_jobs
from evalsite.submissions.checking import limits
from evalsite.submissions.models import Scoring
from scoring.readers.archive import Named

OnStep = Callable[[str], None]


class UploadChild:
    """A context in which the scenarios of an upload are evaluated, each with its own limits.

    Where one breaks them, the others get a new child. `others` are the scorings of the upload that were queued when the
    first one began; None before that.
    """

    def __init__(self) -> None:
        self.others: list[uuid.UUID] | None = None
        self._golds_of_others: list[Gold] = []
        self._child: _Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def evaluate(self, scoring: Scoring, on_step: OnStep) -> tuple[dict[str, Any], Path]:
        """Return the answer of `engine_jobs.evaluate`, and the path of the evaluation, which exists until this context
        ends.

        The engine blames whoever made a file that it cannot read, so both files are verified before; and once more
        where it does, as their folders may have gone meanwhile. Raise KnownFault, LimitBroken, Crashed.
        """
        child = self._child_for(scoring)
        try:
            answer, evaluation = child.evaluate(scoring, on_step)
        except sandbox.LimitBroken as error:
            self._end()
            if error.kind == "memory" and child.has_answered:  # earlier scenarios may have left some allocated
                return self.evaluate(scoring, on_step)
            raise
        except BaseException:
            self._end()
            raise
        if "numbers" not in answer:
            child.require_files(scoring)
        elif answer["has_drawn"]:
            _share_draws(scoring.gold, answer["numbers"])
        return answer, evaluation

    def _child_for(self, scoring: Scoring) -> "_Child":
        if self.others is None:
            waiting = list(waiting_with(scoring.pk).select_related("gold__scenario"))
            self.others = [other.pk for other in waiting]
            self._golds_of_others = [other.gold for other in waiting]
        if self._child is not None and not self._child.serves(scoring):
            self._end()
        self._child = self._child or _Child(scoring, self._golds_of_others)
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None  # even if its end fails, it is not used again
        if child is not None:
            child.end()


class _Child:
    """A child that can open the upload, the gold of its scenarios, and a folder for the evaluations.

    In place of the upload it may have what a judge has said of it.
    """

    def __init__(self, scoring: Scoring, golds_of_others: Collection[Gold]) -> None:
        self.has_answered = False
        with ExitStack() as files:
            self._source, gold = scoring.source, scoring.gold
            self._is_judged = scoring.scenario.is_judged
            self._system = files.enter_context(checked_path(self._source.file, self._source.sha256))
            self.golds = {gold.pk: files.enter_context(checked_path(gold.file, gold.sha256))}
            for other in golds_of_others:
                with suppress(FaultyFile, OSError):  # reported when it is scored
                    self.golds.setdefault(other.pk, files.enter_context(checked_path(other.file, other.sha256)))
            self._made = Path(files.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))  # tidied later
            self._ask = files.enter_context(
                sandbox.child(
                    engine_jobs.evaluate,
                    limits.of_scoring(),
                    parts=len(self.golds),
                    loads={made.scenario.family for made in (gold, *golds_of_others)},
                    reads=[str(self._system), *map(str, self.golds.values())],
                    writes=[str(self._made)],
                )
            )
            self._files = files.pop_all()

    def serves(self, scoring: Scoring) -> bool:
        """Return whether it can open the files of this scoring; a judge's scores are of one gold."""
        return scoring.gold_id in self.golds and not self._is_judged and not scoring.scenario.is_judged

    def evaluate(self, scoring: Scoring, on_step: OnStep) -> tuple[dict[str, Any], Path]:
        if self.has_answered:  # the files of the first scenario were looked at a moment ago
            self.require_files(scoring)
        evaluation = self._made / f"{scoring.pk}.npz"
        arguments = {
            "family": scoring.scenario.engine_family.name,
            "options": scoring.options,
            "n_resamples": settings.N_RESAMPLES,
            "keeps": scoring.gold.keeps,
            "part": scoring.gold.part_for_engine,
            "gold": Named(str(self.golds[scoring.gold_id]), scoring.gold.file_name),
            "system": Named(str(self._system), self._source.file_name),
            "evaluation": str(evaluation),
        }
        try:
            answer = self._ask(arguments, on_step)
        except sandbox.Crashed as crash:
            if self._made.is_dir():
                raise
            # Some machines delete temporary files when they get old.
            raise KnownFault(Fault.MACHINE, f"temporary files were deleted: {crash}") from crash
        self.has_answered = True
        return answer, evaluation

    def require_files(self, scoring: Scoring) -> None:
        """Raise FaultyFile unless the files of the scoring have the bytes that were stored."""
        source, gold = self._source, scoring.gold
        require_digest(self.golds[gold.pk], gold.sha256, gold.file.name or "")
        require_digest(self._system, source.sha256, source.file.name or "")

    def end(self) -> None:
        self._files.close()


def _share_draws(gold: Gold, numbers: dict[str, Any]) -> None:
    """Have the server draw what this child had to draw, so that children of later uploads need not."""
    drawn = {"n_units": numbers["n_units"], "n_resamples": settings.N_RESAMPLES}
    seeds = [numbers["seed"], gold.keeps["seed"]] if gold.keeps else [numbers["seed"]]
    for seed in seeds:
        sandbox.run_in_server(engine_jobs.keep_draws, drawn | {"seed": seed})


def waiting_with(pk: uuid.UUID) -> QuerySet[Scoring]:
    """Return the other queued scorings of the same upload."""
    upload = Scoring.objects.filter(pk=pk).values("submission")
    waiting = Scoring.objects.filter(submission=Subquery(upload)).due()
    return waiting.exclude(pk=pk).order_by("created")
