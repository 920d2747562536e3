"""Compares the entries of a board: tests all pairs together on the draws stored with their results.

An edition's `comparison` has: signature, unit (singular, plural), n_units, n_resamples, confidence_level, seed,
critical_value, warnings; `separated`, the matrix of who is better than whom over the ranked entries, as packed bits in
base64; `p_values`, the adjusted p of each pair of them, "" on very large boards; `references`, by submission the bits
of the ranked entries that it is better and worse than; `power`, the fields of a `scoring.Power`, None where nothing is
told apart. It is empty where the entries could not be compared.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import structlog
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.models import Scenario
from evalsite.leaderboard.making.draws import Lost, evict_draws, load_draws
from evalsite.leaderboard.making.gold_copies import UNCOMPARED
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result
from scoring.comparing.places import OF_COMPARISON, comparable, give_places
from scoring.significance.alone import PairTestCache

log = structlog.get_logger()
FEWEST_CACHED = 50  # entries, from which on it is kept what their pairs tell; three numbers for each pair
MOST_CACHES = 4  # boards, in the memory of a process
_CACHES: dict[UUID, PairTestCache] = {}
Entry = dict[str, Any]


def compare_entries(entries: Sequence[Entry], results: Mapping[str, Result], board: Board) -> dict[str, Any]:
    """Add its place to each entry with a score; `results` are by submission. Returns the edition's comparison.

    The gold and what teams report have no place, and nobody is compared with them. An entry whose file is lost or
    broken is `is_lost`, and takes no place of the others. Raises OSError where the storage is away: that is no fault of
    an entry.
    """
    for entry in entries:
        entry.update(dict.fromkeys(OF_COMPARISON))
    scored = [entry for entry in entries if entry["headline"] is not None and entry["reference"] not in UNCOMPARED]
    # Ranked ones first: in the order of the comparison their draws are not copied.
    scored.sort(key=lambda entry: bool(entry["reference"]))
    if not _share_resamples([results[entry["submission"]] for entry in scored]):
        return {}
    there, draws = _with_draws(scored, results)
    if draws is None or all(entry["reference"] for entry in there):
        return {}
    for entry in scored:
        if entry.get("is_lost"):
            entry["rank"] = None
    fits = comparable(draws, [bool(entry["reference"]) for entry in there])
    if not fits.all():
        there, draws = _without(there, draws, fits, board)
        if all(entry["reference"] for entry in there):
            return {}
    cache = _cache_of(board) if len(there) >= FEWEST_CACHED else None
    return _compared(there, draws, results[there[0]["submission"]], board.scenario, cache)


def _share_resamples(results: Sequence[Result]) -> bool:
    return len({(result.gold_digest, result.seed, result.n_resamples) for result in results}) == 1


def _with_draws(
    entries: Sequence[Entry], results: Mapping[str, Result]
) -> tuple[list[Entry], NDArray[np.float64] | None]:
    """Return the entries whose draws can be read, and these, (entries, resamples); None without resamples.

    The others are `is_lost`.
    """
    there: list[Entry] = []
    draws: NDArray[np.float64] | None = None
    for entry in entries:
        result = results[entry["submission"]]
        try:
            loaded = load_draws(result)
        except Lost as lost:
            log.error("an entry has no place: its draws are lost", result=str(result.pk), error=str(lost))
            entry["is_lost"] = True
            continue
        if loaded is None or not len(loaded):
            return [], None
        if draws is None:
            draws = np.empty((len(entries), len(loaded)))
        draws[len(there)] = loaded
        there.append(entry)
    evict_draws()
    return there, None if draws is None else draws[: len(there)]


def _without(
    entries: Sequence[Entry], draws: NDArray[np.float64], fits: NDArray[np.bool_], board: Board
) -> tuple[list[Entry], NDArray[np.float64]]:
    """Return the entries that fit, and their draws; the others have no rank."""
    for entry, fit in zip(entries, fits.tolist(), strict=True):
        if not fit:
            entry["rank"] = None
            log.warning(
                "an entry has no place: its score is undefined on too many resamples",
                board=str(board.pk),
                submission=entry["submission"],
            )
    return [entry for entry, fit in zip(entries, fits.tolist(), strict=True) if fit], draws[fits]


def _cache_of(board: Board) -> PairTestCache:
    """Return the test statistics of the board's pairs that this process has cached, for the boards compared last."""
    cache = _CACHES.pop(board.pk, None) or PairTestCache()
    _CACHES[board.pk] = cache
    while len(_CACHES) > MOST_CACHES:
        del _CACHES[next(iter(_CACHES))]
    return cache


def _compared(
    entries: Sequence[Entry],
    draws: NDArray[np.float64],
    one: Result,
    scenario: Scenario,
    cache: PairTestCache | None = None,
) -> dict[str, Any]:
    try:
        return give_places(
            entries,
            draws,
            signature=one.signature,
            n_units=one.n_units,
            confidence_level=one.confidence_level,
            lower_is_better=scenario.lower_is_better,
            unit=scenario.unit,
            cache=cache,
        )
    except engine.ConfigurationError:
        log.exception("entries cannot be compared", scenario=str(scenario.pk))
        return {}
