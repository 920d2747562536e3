"""Runs that equal an open gold: on boards one entry, "the gold itself", stands for all of them outside the ranks.

A run is one if the gold was released when it was uploaded and the counts of its newest result equal, in every unit,
those of the gold scored against itself. So a run counts as the gold by all that the scenario scores, whatever its
files look like, and a run that is perfect in the score that ranks alone stays a run.
"""

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import structlog
from django.core.cache import cache
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Gold, Phase
from evalsite.challenges.services import rows_of_itself
from evalsite.submissions.models import Result

log = structlog.get_logger()
GOLD = "gold"  # the `reference` and the key of the entry
NAME = gettext_noop("The gold itself")
A_DAY = 86_400  # seconds
Entry = dict[str, Any]


def copies_of(phase: Phase, gold: Gold, results: Sequence[Result]) -> frozenset[uuid.UUID]:
    """The submissions among those of the results that equal the gold, which is the phase's."""
    if not phase.gold_released:
        return frozenset()
    since = phase.gold_released_since
    # No other result can be one: gold is taken only if it reaches 1 against itself.
    perfect = [
        result
        for result in results
        if result.headline == 1 and (since is None or result.scoring.submission.created >= since)
    ]
    own = _digest_of_itself(gold) if perfect else ""
    return frozenset(result.scoring.submission_id for result in perfect if own and _digest_of(result) == own)


def _digest_of_itself(gold: Gold) -> str:
    """Kept for a day, as a board with such a run on it is made anew with every result; "" if that cannot be known."""
    key = f"gold-copies:{gold.pk}:{engine.__version__}"
    if found := cache.get(key):
        return str(found)
    try:
        found = _digest(rows_of_itself(gold))
    except (engine.ScoringError, OSError):
        log.exception("gold cannot be scored against itself", gold=str(gold.pk))
        return ""
    cache.set(key, found, A_DAY)
    return found


def _digest_of(result: Result) -> str:
    try:
        with local_path(result.evaluation) as path:
            return _digest(engine.Evaluation.load(path).rows)
    except (engine.ConfigurationError, OSError):
        log.exception("rows cannot be read", result=str(result.pk))
        return ""


def _digest(rows: NDArray[Any]) -> str:
    values = np.ascontiguousarray(rows, dtype=np.float64)
    return hashlib.sha256(f"{values.shape}".encode() + values.tobytes()).hexdigest()


def add_copy(entries: dict[tuple[str, ...], Entry], entry: Entry) -> None:
    """Let the entry of a copy stand for the gold, or add it to the one that does: the earliest.

    It is nobody's, since it says nothing of who uploaded it. `copies` are the submissions.
    """
    first = entries.setdefault(
        (GOLD,), entry | {"reference": GOLD, "team": "", "method": NAME, "n_runs": 1, "copies": []}
    )
    first["copies"].append(entry["submission"])


def all_copies(entries: Iterable[Entry]) -> frozenset[str]:
    """The submissions that equal the gold, of a board's entries."""
    return frozenset(pk for entry in entries for pk in entry.get("copies", ()))
