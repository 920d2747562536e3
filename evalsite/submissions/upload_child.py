"""The child of the engine that scores an upload: for all its scenarios in turn, so that its archive is read once.

In a worker's process it then waits for the next upload of its phase: a new child costs as much as half a scoring. The
files of one upload alone are where the child can open them, and it forgets what it has read of one before the next.
"""

import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.db.models import QuerySet, Subquery

from evalsite.challenges.checked_files import checked_path, require_digest, require_temporary
from evalsite.challenges.golds import golds_of
from evalsite.faults import Fault, FaultyFile, KnownFault
from evalsite.jobs import limited
from evalsite.prepared import Prepared
from evalsite.submissions import given, limits, work
from evalsite.submissions.models import Scoring
from scoring.readers.archive import Named

OnStep = Callable[[str], None]
_PATIENCE = 60  # seconds that a child waits for the next upload


class UploadChild:
    """A context. Each scenario has its own limits; where one breaks them, the others get a new child.

    `others` are the scorings of the upload that wait to be scored after the last one; None while there was none yet.
    """

    def __init__(self) -> None:
        self.others: list[uuid.UUID] | None = None
        self._child: _Child | None = None
        self._may_stay = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._child is not None and self._may_stay and _waiting.comes(self._child):
            self._child = None
        self._end()

    def evaluate(self, scoring: Scoring, on_step: OnStep) -> tuple[dict[str, Any], Path]:
        """What `work.evaluate` answers, and where the evaluation then is, until this context ends.

        The engine blames whoever made a file that it cannot read, so both files are looked at before; and once more
        where it does, as the folders that they lie in may have gone meanwhile. Raises KnownFault, LimitBroken, Crashed.
        """
        if self.others is None:
            self.others = [pk for (pk,) in _OTHERS.values(pk=scoring.pk)]
        child = self._child_for(scoring)
        try:
            found, evaluation = child.evaluate(scoring, on_step)
        except limited.LimitBroken as error:
            self._end()
            if error.kind == "memory" and child.n_before:  # some of which uploads before this one may have left taken
                return self.evaluate(scoring, on_step)
            raise
        except limited.Left:
            self._end()
            if child.has_answered:  # and has waited too long, or was killed, while the upload was brought
                return self.evaluate(scoring, on_step)
            raise
        except limited.Crashed as crash:
            has_folders = child.has_folders
            self._end()
            if has_folders:
                raise
            raise KnownFault(Fault.MACHINE, f"temporary files were deleted: {crash}") from crash
        except BaseException:
            self._end()
            raise
        if "numbers" not in found:
            self._may_stay = False  # whatever is in this file, no other one meets it
            child.require_files(scoring)
            with checked_path(scoring.submission.file, scoring.submission.sha256):
                pass
        elif found["has_drawn"]:
            drawn = {name: found["numbers"][name] for name in ("seed", "n_units", "n_resamples")}
            limited.share(work.keep_draws, drawn)
        return found, evaluation

    def _child_for(self, scoring: Scoring) -> "_Child":
        self._child = self._child or _waiting.goes()
        if self._child is not None and not self._child.can_score(scoring):
            self._end()
        self._child = self._child or _Child(scoring)
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None  # whatever becomes of its end, it is asked no more
        if child is not None:
            child.end()


class _Child:
    """A child for a phase: it can open the gold of its scenarios, and a folder in which one upload lies at a time."""

    def __init__(self, scoring: Scoring) -> None:
        self.n_before = 0  # uploads before the one that it has now
        self.has_answered = False
        self._upload: uuid.UUID | None = None
        self._system = Path()
        with ExitStack() as files:
            self._folder = Path(files.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))  # tidied later
            self.golds = {scoring.gold_id: files.enter_context(checked_path(scoring.gold.file, scoring.gold.sha256))}
            for others in golds_of([scoring.submission.phase_id]).values():
                for gold in others.to_score:
                    with suppress(FaultyFile, OSError):  # said when its turn comes
                        self.golds.setdefault(gold.pk, files.enter_context(checked_path(gold.file, gold.sha256)))
            self._given, self._made = self._folder / "given", self._folder / "made"
            self._given.mkdir()
            self._made.mkdir()
            self._ask = files.enter_context(
                limited.child(
                    work.evaluate,
                    limits.of_scoring(),
                    parts=settings.UPLOADS_OF_A_CHILD * len(self.golds),
                    patience=_PATIENCE,
                    reads=[str(self._given), *map(str, self.golds.values())],
                    writes=[str(self._made)],
                )
            )
            self._files = files.pop_all()

    def can_score(self, scoring: Scoring) -> bool:
        gold = self.golds.get(scoring.gold_id)
        # The path at which gold lay before it was sealed is tidied away one day.
        return gold is not None and gold.exists() and self._ask.waits and self.has_folders

    @property
    def has_folders(self) -> bool:
        """Whether nobody has deleted them: they are temporary files, which some machines delete when they get old."""
        return self._given.is_dir() and self._made.is_dir()

    def require_files(self, scoring: Scoring) -> None:
        """Raise KnownFault unless what it reads of the scoring has the bytes that were stored."""
        run, gold = scoring.submission, scoring.gold
        require_digest(self.golds[gold.pk], gold.sha256, gold.file.name or "")
        require_temporary(self._system, run.sha256, run.file.name or "")

    def evaluate(self, scoring: Scoring, on_step: OnStep) -> tuple[dict[str, Any], Path]:
        gold = self.golds[scoring.gold_id]
        require_digest(gold, scoring.gold.sha256, scoring.gold.file.name or "")
        if self._upload != scoring.submission_id:
            self._give(scoring)
        evaluation = self._made / f"{scoring.pk}.npz"
        arguments = {
            "family": scoring.scenario.engine_family.name,
            "options": scoring.scenario.options,
            "n_resamples": settings.N_RESAMPLES,
            "keeps": scoring.gold.keeps,
            "gold": Named(str(gold), scoring.gold.file_name),
            "system": Named(str(self._system), scoring.submission.file_name),
            "evaluation": str(evaluation),
        }
        answer = self._ask(arguments, on_step)
        self.has_answered = True
        return answer, evaluation

    def _give(self, scoring: Scoring) -> None:
        """Put the upload where the child can open it."""
        run = scoring.submission
        with checked_path(run.file, run.sha256) as path:
            self._system = given.put(path, self._given)
        self._upload = run.pk

    def take_away(self) -> None:
        """What it was given of an upload, and what it has made of it."""
        given.clear(self._given)
        given.clear(self._made)
        self._upload = None
        self.n_before += 1

    def end(self) -> None:
        self._files.close()


class _Waiting:
    """The child of this process that waits for the next upload; a worker alone keeps one, between its jobs."""

    def __init__(self) -> None:
        self.keeps = False
        self._child: _Child | None = None

    def comes(self, child: _Child) -> bool:
        """Whether it is kept from now on, without its upload."""
        if not self.keeps or child.n_before + 1 >= settings.UPLOADS_OF_A_CHILD:
            return False
        try:
            child.take_away()
        except OSError:  # its folders are gone, or cannot be written to
            return False
        self.end()
        self._child = child
        return True

    def goes(self) -> _Child | None:
        """Who gets it lets it come again, or ends it."""
        child, self._child = self._child, None
        return child

    def end(self) -> None:
        if child := self.goes():
            child.end()


_waiting = _Waiting()


def keep_children() -> None:
    """From now on a child outlives its upload in this process, until `end_children`."""
    _waiting.keeps = True


def end_children() -> None:
    _waiting.keeps = False
    _waiting.end()


def waiting_with(pk: uuid.UUID) -> QuerySet[Scoring]:
    """The other queued scorings of the same upload."""
    upload = Scoring.objects.filter(pk=pk).values("submission")
    waiting = Scoring.objects.filter(submission=Subquery(upload)).due()
    return waiting.exclude(pk=pk).order_by("created")


_OTHERS = Prepared(lambda pk: waiting_with(pk).values_list("pk"), pk=uuid.UUID(int=0))
