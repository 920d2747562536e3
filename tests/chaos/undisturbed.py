"""What the engine says of the runs in a process where nothing goes wrong."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

import scoring as engine
from demo.plan import zip_of
from scoring.evaluation import stored_draws
from tests.chaos.seeding import PART, SCENARIOS, TASK

COMPARED = ("scores", "intervals", "counts")


@dataclass(frozen=True)
class Numbers:
    headline: float
    values: Mapping[str, Any]  # COMPARED, as JSON gives them back
    draws: str  # SHA-256


def numbers_of(runs: Sequence[Mapping[str, str]], folder: Path) -> dict[tuple[int, int], Numbers]:
    """By index of the run and number of the scenario; `folder` takes the files meanwhile."""
    gold = folder / "gold.zip"
    gold.write_bytes(TASK.gold(PART, 1).content)
    return {
        (index, scenario): _numbers(gold, run, scenario, folder)
        for index, run in enumerate(runs)
        for scenario in SCENARIOS
    }


def _numbers(gold: Path, run: Mapping[str, str], scenario: int, folder: Path) -> Numbers:
    system, stored = folder / "system.zip", folder / "evaluation.npz"
    system.write_bytes(zip_of(run))
    evaluation = engine.evaluate(
        "ehealthkd",
        gold=gold,
        system=system,
        options={"scenario": str(scenario)},
        n_resamples=settings.N_RESAMPLES,
        gold_labels_only=True,
    )
    evaluation.save(stored)
    numbers = json.loads(json.dumps(evaluation.as_dict()))
    draws = stored_draws(stored)
    assert draws is not None
    headline = numbers["scores"][evaluation.headline]
    return Numbers(headline, {name: numbers[name] for name in COMPARED}, digest_of(draws))


def digest_of(draws: Any) -> str:
    return hashlib.sha256(draws.tobytes()).hexdigest()
