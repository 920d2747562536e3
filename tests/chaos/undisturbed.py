"""What the engine says of the runs in a process where nothing goes wrong."""

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

import scoring as engine
from scoring.evaluation import stored_draws
from tests.archives import zip_of
from tests.chaos.seeding import PART, SCENARIOS, TASK

Numbers = dict[str, Any]  # scores, intervals and counts as JSON gives them back; the draws' SHA-256; the headline


def numbers_of(runs: Sequence[Mapping[str, str]]) -> dict[tuple[int, int], Numbers]:
    """By index of the run and number of the scenario."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.zip").write_bytes(TASK.gold(PART, 1).content)
        return {
            (index, scenario): _numbers(run, scenario, folder)
            for index, run in enumerate(runs)
            for scenario in SCENARIOS
        }


def _numbers(run: Mapping[str, str], scenario: int, folder: Path) -> Numbers:
    system, stored = folder / "system.zip", folder / "evaluation.npz"
    system.write_bytes(zip_of(run))
    evaluation = engine.evaluate(
        "ehealthkd",
        gold=folder / "gold.zip",
        system=system,
        options={"scenario": str(scenario)},
        n_resamples=settings.N_RESAMPLES,
        gold_labels_only=True,
    )
    evaluation.save(stored)
    numbers = json.loads(json.dumps(evaluation.as_dict()))
    compared = {name: numbers[name] for name in ("scores", "intervals", "counts")}
    headline = numbers["scores"][evaluation.headline]
    return compared | {"draws": digest_of(stored_draws(stored)), "headline": headline}


def digest_of(draws: Any) -> str:
    """SHA-256; "" where there are none."""
    return "" if draws is None else hashlib.sha256(draws.tobytes()).hexdigest()
