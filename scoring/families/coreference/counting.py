"""All documents counted: a row for each, and what the tables show."""

from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from scoring.families.coreference import scorch
from scoring.families.coreference.document_counts import KINDS as COUNTS
from scoring.families.coreference.document_counts import Counts, counts
from scoring.families.coreference.errors import Errors, errors
from scoring.families.coreference.overlap import Overlap, overlap
from scoring.families.coreference.scores import PARTS
from scoring.family import Counted, Options
from scoring.readers.coreference.sides import Side, System


@dataclass(frozen=True)
class Matches:
    """What the tables are made of, one entry for each document; `scored` is empty in the protocol `reference`."""

    units: list[str]
    rows: NDArray[np.float64]
    scored: list[scorch.Scored]
    errors: list[dict[str, Errors]]


def count(gold: Side, system: System, options: Options) -> Counted:
    """Every document once; nothing is compared across documents."""
    overlaps = [overlap(*pair) for pair in system.pairs]
    counted = [counts(one) for one in overlaps]
    scored = _scored(overlaps, options)
    units = [document.name for document, _ in system.pairs]
    rows = np.array([[*one.values()] for one in counted], dtype=np.float64).reshape(len(units), len(COUNTS))
    rows = np.hstack([rows, _weighted(scored, len(units), averages=not system.is_file)])
    totals = _totals(counted, options) | {"documents": len(units), "missing_documents": system.n_missing}
    return Counted(
        units=units,
        rows=rows,
        totals=totals,
        warnings=[
            *(f"gold: {warning}" for warning in gold.warnings),
            *system.warnings,
            *scorch.flood(totals["added_singletons"], totals["gold_mentions"]),
        ],
        matches=Matches(units, rows, scored, [errors(one) for one in overlaps]),
    )


def _scored(overlaps: list[Overlap], options: Options) -> list[scorch.Scored]:
    if options["protocol"] == "reference":
        return []
    adds_singletons = options["protocol"] == "scorch"
    return [scorch.score(one, adds_singletons=adds_singletons) for one in overlaps]


def _weighted(scored: list[scorch.Scored], n_units: int, *, averages: bool) -> NDArray[np.float64]:
    """Weights, and scores times weights. A single file is not averaged: its weights are 1, also if it is empty."""
    n_scores = len(scorch.METRICS) * len(PARTS)
    if not scored:
        return np.zeros((n_units, len(PARTS) + n_scores))
    mentions = np.array([[one.gold_mentions, one.system_mentions] for one in scored], dtype=np.float64)
    weights = np.column_stack([mentions, mentions.sum(axis=1)]) if averages else np.ones((n_units, len(PARTS)))
    scores = np.array([[one.scores[metric] for metric in scorch.METRICS] for one in scored])
    return np.hstack([weights, (scores * weights[:, np.newaxis]).reshape(n_units, n_scores)])


def _totals(counted: list[Counts], options: Options) -> Counts:
    totals: Counts = {}
    for kind in COUNTS:
        values = [one[kind] for one in counted]
        totals[kind] = fsum(values) if kind in _FRACTIONAL else sum(values)
    added = totals["system_mentions"] - totals["common_mentions"]
    totals["added_singletons"] = added if options["protocol"] == "scorch" else 0
    return totals


_FRACTIONAL = frozenset(
    ["b_cubed_recall_sum", "b_cubed_precision_sum", "ceaf_e_sum", "lea_recall_sum", "lea_precision_sum"]
)
