"""Tells how large a test has to be from two runs, which are scored for this alone."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

import scoring as engine
from evalsite.board_pages.board.power import Plan
from evalsite.challenges.models import Gold, Scenario
from evalsite.challenges.storage.files import named
from evalsite.contrib.power import pair_work
from evalsite.jobs import sandbox
from evalsite.submissions.checking import limits
from evalsite.submissions.engine_jobs import COMPARISONS
from evalsite.submissions.uploads import as_upload
from scoring.messages import from_data

USUAL_SYSTEMS = 10  # of a board that there is not yet
N_RESAMPLES = 2_000  # enough for a standard error, which they tell to 2 %


def plan_of_pair(
    gold: Gold, scenario: Scenario, runs: list[list[UploadedFile]], n_systems: int
) -> tuple[Plan | None, list[list[str]]]:
    """Return a plan from two runs, the files of each, for a board of so many systems, and the problems of each run.

    They are scored in the limited child and stored nowhere. Without a plan and without problems they do not differ, or
    the gold is too small for any difference. Raises LimitBroken, Crashed, or GoldError.
    """
    with as_upload(runs[0]) as one, as_upload(runs[1]) as other, named(gold.file) as gold_file:
        systems = [one.named, other.named]
        arguments: dict[str, Any] = {
            "family": scenario.family,
            "options": scenario.options,
            "n_resamples": min(N_RESAMPLES, settings.N_RESAMPLES),
            "gold": gold_file,
            "part": gold.part_for_engine,
            "systems": systems,
        }
        reads = [file.path for file in (*systems, gold_file)]
        loads = [scenario.family, COMPARISONS]
        answer = sandbox.run(pair_work.power_of_pair, arguments, limits.of_pair(), loads=loads, reads=reads)
    if "error" in answer:
        raise engine.GoldError(from_data(answer["error"]))
    if "problems" in answer:
        return None, from_data(answer["problems"])
    if not answer["power"]:
        return None, [[], []]
    return Plan(engine.Power(**answer["power"]).among(n_systems), scenario.unit), [[], []]
