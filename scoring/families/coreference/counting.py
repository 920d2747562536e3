"""All documents counted: a row for each, and what the tables show.

How matching works: documents pair by name, mentions by equality (or by less, `matching.py`), and entities by the
mentions that they share.

1. For each document a sparse table is built of the number of mentions that gold entity k and system entity s share
   (`overlap.py`), in one pass over the mentions. No step looks at all pairs of entities or of mentions.

       gold    K1 = {a, b, c}   K2 = {d, e, f, g}                   R1   R2   R3
       system  R1 = {a, b}      R2 = {c, d}   R3 = {f, g, h, i}  K1  2    1    .
                                                                 K2  .    1    2
2. Each metric reads its counts off this table (`document_counts.py`). MUC counts 6 common mentions - 4 cells = 2
   correct links of 2 + 3 in the gold. B³ adds up 2²/3 + 1²/3 + 1²/4 + 2²/4 = 35/12 for the recall of 7 mentions. CEAF
   needs entities matched one to one: K1 with R1 and K2 with R3 share the most mentions, 4. BLANC finds 2 pairs of
   mentions that are in one entity on both sides: a with b, and f with g.
3. With the protocol `reference` the rows of counts are added up over the documents and make the scores (`scores.py`).
   MUC recall is 2/5 here.
4. With scorch's protocols each document gets scores of its own first (`scorch.py`), and the row also holds these times
   their weights. The command's protocol adds the mentions h and i, which the gold lacks, to the gold as singletons.

The same in plain Python, over sets and all pairs: `tests/scoring/plain/coreference.py`.
"""

from dataclasses import dataclass
from math import fsum

import numpy as np

from scoring.columns import Floats
from scoring.families.coreference import scorch
from scoring.families.coreference.document_counts import COUNT_KINDS, Counts, document_counts
from scoring.families.coreference.errors import Errors, errors
from scoring.families.coreference.matching import matched
from scoring.families.coreference.measures.overlap import Overlap, overlap
from scoring.families.coreference.scores import PARTS
from scoring.family import Counted, Options, about_gold
from scoring.readers.coreference.sides import Side, System

# Counts that need not be whole numbers.
_FRACTIONAL = frozenset(
    ["b_cubed_recall_sum", "b_cubed_precision_sum", "ceaf_e_sum", "lea_recall_sum", "lea_precision_sum"]
)


@dataclass(frozen=True)
class Matches:
    """Holds what the tables are made of; all fields have one entry for each document, in the order of the gold."""

    # The names of the documents.
    units: list[str]
    # (documents, kinds): counts, then weights and weighted scores.
    rows: Floats
    # The scores under one of scorch's protocols; empty in the protocol `reference`.
    document_scores: list[scorch.DocumentScores]
    # {kind of error: its number}.
    errors: list[dict[str, Errors]]


def count(gold: Side, system: System, options: Options) -> Counted:
    """Count every document once; nothing is compared across documents."""
    overlaps = [overlap(*pair) for pair in matched(system.pairs, options)]
    counts = [document_counts(one) for one in overlaps]
    scores = _document_scores(overlaps, options)
    units = [document.name for document, _ in system.pairs]
    # The shape is given for the case of no documents.
    rows = np.array([[*one.values()] for one in counts], dtype=np.float64).reshape(len(units), len(COUNT_KINDS))
    rows = np.hstack([rows, _weighted(scores, len(units), averages=not system.is_file)])
    totals = _totals(counts, options) | {"documents": len(units), "missing_documents": system.n_missing}
    return Counted(
        units=units,
        rows=rows,
        totals=totals,
        warnings=[
            *about_gold(gold.warnings),
            *system.warnings,
            *scorch.flood_warnings(totals["added_singletons"], totals["gold_mentions"]),
        ],
        matches=Matches(units, rows, scores, [errors(one) for one in overlaps]),
    )


def _document_scores(overlaps: list[Overlap], options: Options) -> list[scorch.DocumentScores]:
    """Return the scores of each document under one of scorch's protocols; none in the protocol `reference`."""
    if options["protocol"] == "reference":
        return []
    adds_singletons = options["protocol"] == "scorch"
    return [scorch.document_scores(one, adds_singletons=adds_singletons) for one in overlaps]


def _weighted(scores: list[scorch.DocumentScores], n_units: int, *, averages: bool) -> Floats:
    """Return weights, then scores times weights: (documents, 3 + 5 * 3), all 0 without scores.

    A single file is not averaged: its weights are 1, so that its scores also stand if it has no mentions.
    """
    n_scores = len(scorch.METRICS) * len(PARTS)
    if not scores:
        return np.zeros((n_units, len(PARTS) + n_scores))
    # (documents, 2): the mentions of gold and system.
    mentions = np.array([[one.gold_mentions, one.system_mentions] for one in scores], dtype=np.float64)
    # (documents, parts): recall weighs by the gold's mentions, precision by the system's, F1 by both.
    weights = np.column_stack([mentions, mentions.sum(axis=1)]) if averages else np.ones((n_units, len(PARTS)))
    # (documents, metrics, parts).
    values = np.array([[one.scores[metric] for metric in scorch.METRICS] for one in scores])
    return np.hstack([weights, (values * weights[:, np.newaxis]).reshape(n_units, n_scores)])


def _totals(counts: list[Counts], options: Options) -> Counts:
    """Sum each count over the documents: whole numbers as integers, fractions rounded once."""
    totals: Counts = {}
    for kind in COUNT_KINDS:
        values = [one[kind] for one in counts]
        totals[kind] = fsum(values) if kind in _FRACTIONAL else sum(values)
    added = totals["system_mentions"] - totals["common_mentions"]
    totals["added_singletons"] = added if options["protocol"] == "scorch" else 0
    return totals
