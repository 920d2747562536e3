"""Remakes an evaluation file that was lost or broken: from upload and gold, by the same draws, or not at all."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.files import FieldFile

import scoring as engine
from evalsite.challenges.storage.files import local_path, named
from evalsite.jobs import sandbox
from evalsite.leaderboard.models import BestRun, PerfectRun, RecordRun
from evalsite.submissions import engine_jobs
from evalsite.submissions.boards import update_board
from evalsite.submissions.checking import limits
from evalsite.submissions.models import Result
from scoring.readers.archive import Named

# What has to come out as it is stored; then the rows and draws, from which it all follows, are the same too.
NUMBERS = (
    "headline",
    "scores",
    "intervals",
    "interval_methods",
    "counts",
    "distribution",
    "n_units",
    "n_resamples",
    "confidence_level",
    "gold_digest",  # from which the seed follows
)


class CannotMake(Exception):
    """Raised with a reason, in words, if a file cannot be remade."""


def on_boards() -> QuerySet[Result]:
    """Return the results whose files boards and their histories read."""
    best, records = BestRun.objects.values("pk"), RecordRun.objects.values("pk")
    return with_scoring(Result.objects.filter(Q(pk__in=best) | Q(pk__in=records)))


def with_scoring(results: QuerySet[Result]) -> QuerySet[Result]:
    return results.select_related("scoring__submission", "scoring__scenario", "scoring__gold").order_by("pk")


def is_lost(result: Result) -> bool:
    """Return whether its file is not there, or is none. Raises OSError where the storage is away."""
    try:
        with local_path(result.evaluation) as path:
            path.stat()
            engine.Evaluation.load(path)
    except (FileNotFoundError, engine.ConfigurationError):
        return True
    return False


def make_again(result: Result) -> None:
    """Score the upload as it was scored, and store the file if the numbers are the stored ones. Raises CannotMake."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluation.npz")
        numbers = _scored(result, path)
        if other := [name for name in NUMBERS if _plain(numbers[name]) != _plain(getattr(result, name))]:
            raise CannotMake(f"other numbers come out than are stored: {', '.join(other)}")
        _store(result, path)


def _scored(result: Result, path: Path) -> dict[str, Any]:
    scoring = result.scoring
    with _existing(scoring.gold.file, "gold") as gold, _existing(scoring.source.file, "upload") as system:
        arguments = {
            "family": scoring.scenario.family,
            "options": scoring.options,
            "n_resamples": result.n_resamples,
            "keeps": scoring.gold.keeps,
            "part": scoring.gold.part_for_engine,
            "gold": gold,
            "system": system,
            "evaluation": str(path),
        }
        try:
            answer = sandbox.run(
                engine_jobs.evaluate,
                arguments,
                limits.of_scoring(),
                loads=[scoring.scenario.family],
                reads=[gold.path, system.path],
                writes=[str(path.parent)],
            )
        except (sandbox.LimitBroken, sandbox.Crashed) as error:
            raise CannotMake(f"the engine did not end: {error}") from error
    if "numbers" not in answer:
        raise CannotMake("the engine does not score it any more")
    numbers: dict[str, Any] = answer["numbers"]
    return numbers


@contextmanager
def _existing(file: FieldFile, what: str) -> Iterator[Named]:
    try:
        with named(file) as path:
            Path(path).stat()
            yield path
    except FileNotFoundError as error:
        raise CannotMake(f"the {what} is missing") from error


def _plain(value: object) -> object:
    return json.loads(json.dumps(value))


def _store(result: Result, path: Path) -> None:
    before, storage = result.evaluation.name, result.evaluation.storage
    with path.open("rb") as stream, transaction.atomic():
        result.evaluation.save("evaluation.npz", File(stream), save=False)
        Result.objects.filter(pk=result.pk).update(evaluation=result.evaluation.name)
        PerfectRun.objects.filter(pk=result.pk).update(is_copy=None)  # to be looked at again
        update_board(result.scoring.submission.phase_id, result.scoring.scenario_id)
    if before and before != result.evaluation.name:
        storage.delete(before)
