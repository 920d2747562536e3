"""Finds the runs that equal an open gold: one unranked entry, "the gold itself", stands for all of them.

A run is one if the gold was released when it was uploaded and the counts of its newest result equal, in every unit,
those of the gold scored against itself. So a run counts as the gold by all that the scenario scores, whatever its files
look like, and a run that is perfect in the score that ranks alone stays a run.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import structlog
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.gold.checks import rows_of_itself
from evalsite.challenges.models import Gold, Phase
from evalsite.challenges.storage.files import local_path
from evalsite.leaderboard.making.best_runs import REPORTED, remove_copies
from evalsite.leaderboard.models import Board, PerfectRun
from evalsite.submissions.models import Result

log = structlog.get_logger()
GOLD = "gold"  # the `reference` and the key of the entry
UNCOMPARED = (GOLD, REPORTED)
NAME = gettext_noop("The gold itself")
A_DAY = 86_400  # seconds
Entry = dict[str, Any]


def identify_copies(board: Board, gold: Gold) -> None:
    """Find out which of the possible copies equal the gold, which is the board's.

    One whose file cannot be read stays a run, and is looked at again with the next edition.
    """
    if not board.phase.gold_released:
        return
    unknown = list(_standing(gold).filter(is_copy=None).select_related("result"))
    own_digest = _digest_of_itself(gold) if unknown else ""
    digests = {run.pk: _digest_of(run.result) for run in unknown} if own_digest else {}
    PerfectRun.objects.filter(pk__in=[pk for pk, digest in digests.items() if digest not in ("", own_digest)]).update(
        is_copy=False
    )
    if copies := [pk for pk, digest in digests.items() if digest == own_digest]:
        remove_copies(board, copies)


def copies_of(phase: Phase, gold: Gold) -> list[Result]:
    """Return the results of the runs that equal the gold, which is the phase's, in the order of arrival."""
    if not phase.gold_released:
        return []
    runs = _standing(gold).filter(is_copy=True).select_related("result__scoring__submission")
    return [run.result for run in runs.order_by("result__scoring__submission__created")]


def _standing(gold: Gold) -> QuerySet[PerfectRun]:
    return PerfectRun.objects.filter(
        gold=gold, result__scoring__submission__withdrawn=None, result__scoring__submission__reference=""
    ).defer(*(f"result__{name}" for name in ("counts", "distribution", "warnings")))


def _digest_of_itself(gold: Gold) -> str:
    """Return the digest of perfect counts, cached for a day; "" if it cannot be known."""
    key = f"gold-copies:{gold.pk}:{gold.scenario.engine_version}"
    if digest := cache.get(key):
        return str(digest)
    try:
        digest = _digest(rows_of_itself(gold))
    except (engine.ScoringError, OSError):
        log.exception("gold cannot be scored against itself", gold=str(gold.pk))
        return ""
    cache.set(key, digest, A_DAY)
    return digest


def _digest_of(result: Result) -> str:
    try:
        with local_path(result.evaluation) as path:
            return _digest(np.asarray(engine.Evaluation.load(path).rows))
    except (engine.ConfigurationError, OSError):
        log.exception("rows cannot be read", result=str(result.pk))
        return ""


def _digest(rows: NDArray[Any]) -> str:
    values = np.ascontiguousarray(rows, dtype=np.float64)
    return hashlib.sha256(f"{values.shape}".encode() + values.tobytes()).hexdigest()


def add_copy(entries: list[Entry], entry: Entry) -> None:
    """Let the entry of a copy stand for the gold, or add it to the one that does: the earliest.

    It is nobody's, since it says nothing of who uploaded it. `copies` are the submissions.
    """
    first = next((entry for entry in entries if entry["reference"] == GOLD), None)
    if first is None:
        first = entry | {"reference": GOLD, "team": "", "method": NAME, "n_runs": 1, "copies": []}
        entries.append(first)
    first["copies"].append(entry["submission"])


def all_copies(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the submissions among a board's entries that equal the gold."""
    return frozenset(pk for entry in entries for pk in entry.get("copies", ()))
