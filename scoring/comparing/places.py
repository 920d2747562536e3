"""Gives the entries of a board their places: what is stored of the comparison of all pairs, in values of JSON.

A site stores it with each edition of a board, and `evalsite verify` makes it again from runs and gold.
"""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.comparing.compare import compare_draws
from scoring.comparing.comparison import Comparison
from scoring.comparing.power import power_of
from scoring.signature import parsed
from scoring.significance.alone import PairTestCache
from scoring.significance.limits import UNDEFINED_SHARE

MOST_P_VALUES = 200  # entries; their pairs take 100 kB in every edition
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


def give_places(
    entries: Sequence[Entry],
    draws: NDArray[np.float64],
    *,
    signature: str,
    n_units: int,
    confidence_level: float,
    lower_is_better: bool,
    unit: tuple[str, str],
    cache: PairTestCache | None = None,
) -> dict[str, Any]:
    """Add its place to each entry, and return what is stored of the comparison; `signature` is that of any of them.

    The draws (entries, resamples) are of the score that ranks. Raises ConfigurationError where they cannot be compared.
    """
    # The signature has the options that only the gold could tell, and the seed to its last digit.
    drawn_with = parsed(signature)
    seed = int(drawn_with["seed"]) if "seed" in drawn_with else None
    comparison = compare_draws(
        [entry["submission"] for entry in entries],
        [entry["headline"] for entry in entries],
        draws,
        n_units,
        confidence_level=confidence_level,
        references=[entry["submission"] for entry in entries if entry["reference"]],
        lower_is_better=lower_is_better,
        unit=unit,
        seed=seed,
        fields={key: value for key, value in drawn_with.items() if key not in OF_THE_RESAMPLES},
        cache=cache,
    )
    rows = {row["name"]: row for row in comparison.table}
    twins = _twins(entries, draws)
    for entry in entries:
        if row := rows.get(entry["submission"]):
            entry.update({name: row[name] for name in ("rank", *OF_COMPARISON)})
        entry["identical_to"] = twins.get(entry["submission"])
    return facts_of(comparison, unit) | {"seed": None if seed is None else str(seed)}


def facts_of(comparison: Comparison, unit: Sequence[str]) -> dict[str, Any]:
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
        "power": None if (power := power_of(comparison)) is None else asdict(power),
    }


def _twins(entries: Sequence[Entry], draws: NDArray[np.float64]) -> dict[str, str]:
    """Map submissions to the one that equals them in score and on every resample: a reference, or an earlier entry."""
    first: dict[tuple[float, bytes], str] = {}
    twins = {}
    number = Counter(entry["headline"] for entry in entries)
    of_one_score = ((entry, row) for entry, row in zip(entries, draws, strict=True) if number[entry["headline"]] > 1)
    for entry, vector in sorted(of_one_score, key=lambda pair: not pair[0]["reference"]):
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
