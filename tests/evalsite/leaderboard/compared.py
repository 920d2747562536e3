"""Compares the entries of made-up boards as real ones are: on draws, which here scatter round each score."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from evalsite.challenges.models import Scenario
from evalsite.leaderboard.making.comparison import _compared
from evalsite.leaderboard.models import Edition
from scoring.comparing.places import OF_COMPARISON

N_RESAMPLES = 400


def compare(
    edition: Edition, scenario: Scenario, *, noise: float = 0.01, twins: tuple[tuple[int, int], ...] = ()
) -> None:
    """Give the edition's entries their places; `twins` are pairs of entries by number with the same draws."""
    entries: list[dict[str, Any]] = edition.entries
    for entry in entries:
        entry.update(dict.fromkeys(OF_COMPARISON))
    scored = [entry for entry in entries if entry["headline"] is not None]
    rng = np.random.default_rng(len(scored))
    draws = np.array([entry["headline"] for entry in scored])[:, None] + rng.normal(
        0, noise, (len(scored), N_RESAMPLES)
    )
    for one, other in twins:
        draws[other] = draws[one]
    signature = f"family:{scenario.family}|units:{scored[0]['n_units']}|resamples:{N_RESAMPLES}|seed:1"
    one = SimpleNamespace(n_units=scored[0]["n_units"], confidence_level=0.95, signature=signature)
    edition.comparison = _compared(scored, draws, one, scenario)
    edition.save()
