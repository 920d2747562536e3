"""Compares the entries of a board: tests all pairs together on the draws stored with their results.

An edition's `comparison` has: signature, unit (singular, plural), n_units, n_resamples, confidence_level, seed,
critical_value, warnings; `separated`, the matrix of who is better than whom over the ranked entries, as packed bits in
base64; `p_values`, the adjusted p of each pair of them, "" on very large boards; `references`, by submission the bits
of the ranked entries that it is better and worse than; `power`, the fields of a `scoring.Power`, None where nothing is
told apart. It is empty where the entries could not be compared.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
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
from scoring.signature import parsed
from scoring.significance.limits import UNDEFINED_SHARE
from scoring.significance.pairs import Known

log = structlog.get_logger()
MOST_P_VALUES = 200  # entries; their pairs take 100 kB in every edition
FEWEST_KNOWN = 50  # entries, from which on it is kept what their pairs tell; three numbers for each pair
MOST_KNOWN = 4  # boards, in the memory of a process
_KNOWN: dict[UUID, Known] = {}
OF_THE_RESAMPLES = ("resamples", "confidence", "interval", "seed")  # fields of a signature
Entry = dict[str, Any]
OF_COMPARISON = (
    "rank_low",
    "rank_high",
    "group",
    "difference_to_leader",
    "difference_low",
    "difference_high",
    "p_to_leader",
    "probability_best",
    "identical_to",
)


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
    known = _known_of(board) if len(there) >= FEWEST_KNOWN else None
    return _compared(there, draws, results[there[0]["submission"]], board.scenario, known)


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
            found = load_draws(result)
        except Lost as lost:
            log.error("an entry has no place: its draws are lost", result=str(result.pk), error=str(lost))
            entry["is_lost"] = True
            continue
        if found is None or not len(found):
            return [], None
        if draws is None:
            draws = np.empty((len(entries), len(found)))
        draws[len(there)] = found
        there.append(entry)
    evict_draws()
    return there, None if draws is None else draws[: len(there)]


def comparable(draws: NDArray[np.float64], is_reference: Sequence[bool]) -> NDArray[np.bool_]:
    """Return (entries,): which entries can be compared on these draws (entries, resamples).

    A score may be undefined on some resamples, as a correlation is where all numbers of a run are equal, and those are
    left out for all. So that nobody can spoil the comparison of all others by a run that is undefined on many, those
    with the most go without a place, until what is left out is little enough. References are compared by themselves.
    """
    undefined = np.isnan(draws)
    number = undefined.sum(axis=1)
    fits = np.ones(len(draws), dtype=np.bool_)
    ranked = np.flatnonzero(~np.asarray(is_reference, dtype=np.bool_) & (number > 0))
    together = undefined[ranked].sum(axis=0)
    for place in ranked[np.argsort(-number[ranked], kind="stable")]:
        if np.count_nonzero(together) <= UNDEFINED_SHARE * draws.shape[1]:
            break
        fits[place] = False
        together -= undefined[place]
    return fits


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


def _known_of(board: Board) -> Known:
    """Return the test statistics of the board's pairs that this process has cached, for the boards compared last."""
    known = _KNOWN.pop(board.pk, None) or Known()
    _KNOWN[board.pk] = known
    while len(_KNOWN) > MOST_KNOWN:
        del _KNOWN[next(iter(_KNOWN))]
    return known


def _compared(
    entries: Sequence[Entry],
    draws: NDArray[np.float64],
    one: Result,
    scenario: Scenario,
    known: Known | None = None,
) -> dict[str, Any]:
    # The result's own signature has the options that only its gold could tell, and its seed to the last digit, of which
    # some databases keep fifteen in a decimal.
    told = parsed(one.signature)
    seed = int(told["seed"]) if "seed" in told else None
    try:
        comparison = engine.compare_draws(
            [entry["submission"] for entry in entries],
            [entry["headline"] for entry in entries],
            draws,
            one.n_units,
            confidence_level=one.confidence_level,
            references=[entry["submission"] for entry in entries if entry["reference"]],
            lower_is_better=scenario.lower_is_better,
            unit=scenario.unit,
            seed=seed,
            fields={key: value for key, value in told.items() if key not in OF_THE_RESAMPLES},
            known=known,
        )
    except engine.ConfigurationError:
        log.exception("entries cannot be compared", scenario=str(scenario.pk))
        return {}
    rows = {row["name"]: row for row in comparison.table}
    twins = _twins(entries, draws)
    for entry in entries:
        if row := rows.get(entry["submission"]):
            entry.update({name: row[name] for name in ("rank", *OF_COMPARISON)})
        entry["identical_to"] = twins.get(entry["submission"])
    return facts_of(comparison, scenario.unit) | {"seed": None if seed is None else str(seed)}


def facts_of(comparison: engine.Comparison, unit: Sequence[str]) -> dict[str, Any]:
    """Return what an edition keeps of a comparison, without its seed."""
    return {
        "signature": comparison.signature,
        "unit": list(unit),
        "n_units": comparison.n_units,
        "n_resamples": comparison.n_resamples,
        "confidence_level": comparison.confidence_level,
        "seed": None,
        "critical_value": comparison.critical_value,
        "warnings": comparison.warnings,
        "separated": packed(comparison.separated),
        "p_values": packed_pairs(comparison.p_adjusted) if len(comparison.table) <= MOST_P_VALUES else "",
        "references": {
            row["name"]: _against(row["against"], lower_is_better=comparison.lower_is_better)
            for row in comparison.references
        },
        "power": None if (power := engine.power_of(comparison)) is None else asdict(power),
    }


def _twins(entries: Sequence[Entry], draws: NDArray[np.float64]) -> dict[str, str]:
    """Map submissions to the one that equals them in score and on every resample: a reference, or an earlier entry."""
    first: dict[tuple[float, bytes], str] = {}
    twins = {}
    for entry, vector in sorted(zip(entries, draws, strict=True), key=lambda pair: not pair[0]["reference"]):
        twin = first.setdefault((entry["headline"], sha256(vector.tobytes()).digest()), entry["submission"])
        if twin != entry["submission"]:
            twins[entry["submission"]] = twin
    return twins


def _against(rows: Sequence[Mapping[str, Any]], *, lower_is_better: bool) -> dict[str, str]:
    """Pack the ranked entries that a reference is better and worse than as bits."""
    separated = np.array([row["separated"] for row in rows], dtype=bool)
    # Whether the ranked one is the better of the two; a difference is ranked minus reference.
    ahead = np.array([(row["difference"] < 0) if lower_is_better else (row["difference"] > 0) for row in rows], bool)
    return {"better": packed(separated & ~ahead), "worse": packed(separated & ahead)}


def packed(flags: NDArray[np.bool_]) -> str:
    return base64.b64encode(np.packbits(flags).tobytes()).decode("ascii")


def unpacked(text: str, *shape: int) -> NDArray[np.bool_]:
    """Return the flags of this shape that `packed` has written."""
    bits = np.frombuffer(base64.b64decode(text), dtype=np.uint8)
    return np.unpackbits(bits, count=int(np.prod(shape))).reshape(shape).astype(bool)


def packed_pairs(values: NDArray[np.float64]) -> str:
    """Pack a symmetric matrix: its part above the diagonal, row by row, as 32-bit numbers in base64."""
    above = values[np.triu_indices(len(values), 1)]
    return base64.b64encode(above.astype("<f4").tobytes()).decode("ascii")


def unpacked_pairs(text: str, size: int) -> NDArray[np.float64]:
    """Return the matrix (size, size) that `packed_pairs` has written, with 1 on its diagonal."""
    above = np.frombuffer(base64.b64decode(text), dtype="<f4").astype(np.float64)
    values = np.ones((size, size))
    rows, columns = np.triu_indices(size, 1)
    values[rows, columns] = values[columns, rows] = above
    return values
