"""Acts as a child of the engine that an upload has taken over, as by a defect of the library that reads it.

From then on every run of that process counts as perfect, and every upload that it checks as wrong.
"""

import zipfile
from typing import Any

import scoring as engine
from evalsite.submissions import engine_jobs
from evalsite.submissions.engine_jobs import check as check_as_usual
from evalsite.submissions.engine_jobs import evaluate as evaluate_as_usual

MARK = "takes-over.txt"  # a file of the uploads that do so


def evaluate(arguments: dict[str, Any], on_step: engine_jobs.OnStep) -> dict[str, Any]:
    _read(arguments["system"])
    return evaluate_as_usual(arguments, on_step)


def check(arguments: dict[str, Any], on_step: engine_jobs.OnStep) -> dict[str, Any]:
    _read(arguments["upload"])
    return check_as_usual(arguments, on_step)


def _read(upload: list[str]) -> None:
    with zipfile.ZipFile(upload[0]) as archive:
        if MARK in archive.namelist():
            _take_over()


def _take_over() -> None:
    score = engine.evaluate

    def perfect(family: str, **asked: Any) -> engine.Evaluation:
        return score(family, **asked | {"system": asked["gold"]})

    engine.evaluate = perfect
    engine.check = engine.describe = _refuse


def _refuse(*args: object, **asked: object) -> None:
    raise engine.SubmissionError([engine.Finding("It was taken over.")])
