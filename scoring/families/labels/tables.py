"""Tables by label, of which label met which, and by slice."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers, owners, records
from scoring.families.f_beta import beside_f1, beta_of
from scoring.families.labels.averages import averages_of_slices
from scoring.families.labels.counting import Matches
from scoring.families.labels.kinds import ALWAYS, Counts
from scoring.families.labels.measures.icm import icm_kinds
from scoring.families.labels.scores import metrics, prf_of_labels
from scoring.family import Evidence, Folded, Options, Record, RowEvidence, Table
from scoring.labels import OTHER, Labels, all_labels, gold_labels
from scoring.readers.labels import Sets, has_shares
from scoring.rows import rows_of_entries
from scoring.significance import totals as sums_of
from scoring.significance.proportions import Proportion, prf_proportions
from scoring.table_columns import Column, Columns

MISSING = ""
_OF_SLICES = {
    "multi": ("subset_accuracy", "macro_f1", "micro_f1"),
    "graded": ("credit", "accuracy"),
    "soft": ("manhattan", "jensen_shannon", "icm_soft", "accuracy", "macro_f1"),
    "shares": ("manhattan", "jensen_shannon", "icm_soft", "subset_accuracy", "macro_f1", "micro_f1"),
}
_DEFAULT_SLICE_COLUMNS = ("accuracy", "macro_f1", "micro_f1")

COLUMNS: Columns = {
    "labels": (
        Column("label"),
        Column(
            "f1",
            "F1",
            is_share=True,
            is_main=True,
            formula="=IF({gold}+{system}=0,{zero},2*{correct}/({gold}+{system}))",
        ),
        Column(
            "fbeta",
            "Fβ",
            is_share=True,
            formula="=IF({gold}+{system}=0,{zero},(1+{beta}^2)*{correct}/({beta}^2*{gold}+{system}))",
        ),
        Column("precision", is_share=True, formula="=IF({system}=0,{zero},{correct}/{system})"),
        Column("recall", is_share=True, formula="=IF({gold}=0,{zero},{correct}/{gold})"),
        Column("gold"),
        Column("system", "run"),
        Column("correct", "right"),
    ),
    "slices": (
        Column("slice"),
        Column("items"),
        Column("manhattan", "distance"),
        Column("jensen_shannon", "divergence"),
        Column("icm_soft", "ICM-soft"),
        Column("accuracy"),
        Column("subset_accuracy", "exact sets"),
        Column("credit"),
        Column("macro_f1", "macro F1"),
        Column("macro_fbeta", "macro Fβ"),
        Column("micro_f1", "micro F1"),
        Column("micro_fbeta", "micro Fβ"),
    ),
}

_MOST_BITS = 3.0  # of a label: a system gets most of them right, so that of many labels few are open
# Scores that follow from how many items of each label are right, since the run tells how often it gives each.
_OF_ROWS = ("accuracy", "balanced_", "macro_", "micro_", "weighted_", "precision", "recall", "f1", "mcc", "kappa")
_OF_COUNT = {"accuracy": "right", "micro_f1": "right", "hamming_loss": "right", "subset_accuracy": "exact"}


def _bits(tables: Mapping[str, Sequence[Record]]) -> float:
    """Return the bits of an item: what a choice among so many labels has."""
    n_labels = len(tables.get("labels", ()))
    return min(_MOST_BITS, math.log2(n_labels)) if n_labels > 1 else 1.0


EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["items"]),
    bits=_bits,
    rows=lambda table: RowEvidence(("gold",), run=("system",)) if table == "labels" else None,
    gold_counts=frozenset({"items", "gold_labels"}),
    count_behind=lambda score: _OF_COUNT.get(score, ""),
    in_rows=lambda score: score == "hamming_loss" or score.startswith(_OF_ROWS),
)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables of the task; their columns and orders are public."""
    made = {}
    if options["task"] != "graded":
        made["labels"] = _labels(matches, options)
    if options["task"] in ("single", "ranked", "soft"):
        made["confusion"] = _confusion(matches)
    if matches.gold.slices:
        made["slices"] = _slices(matches, options)
    return made


def fold_labels(matches: Matches) -> Folded:
    """Fold all labels that the system alone has into one row, as labels=union may need it."""
    of_gold = matches.gold.labels
    folds = gold_labels(matches.labels.names, [name for name in matches.labels.names if of_gold.code(name) is not None])
    return Folded(replace(matches, shown=folds), folds.invented) if folds.invented else Folded(matches, [])


def _labels(matches: Matches, options: Options) -> Table:
    """Make a row for each label, in the order of the list."""
    shown = _shown(matches)
    sides = [
        Sets(of_side.starts, shown.row[of_side.codes]) for of_side in (matches.gold_sets, matches.sets, matches.both)
    ]
    n_labels = len(shown)
    shape = (len(matches.rows), n_labels, len(sides))
    entries = [_entries(sets, kind, matches, len(sides)) for kind, sets in enumerate(sides)]
    counts = [np.bincount(sets.codes, minlength=n_labels) for sets in sides]
    own_metrics = partial(_prf, options=options)
    rows = records(
        label=shown.names,
        **own_metrics(np.column_stack(counts)),
        gold=counts[0],
        system=counts[1],
        correct=counts[2],
    )
    return Table(
        rows,
        rows_of_entries(shape, entries),
        own_metrics,
        gold_items=counts[0],
        proportions=partial(_proportions, beta=beta_of(options)),
    )


def _shown(matches: Matches) -> Labels:
    """Return under which names the tables count the labels of the list."""
    return matches.shown or all_labels(matches.labels.names)


def _entries(sets: Sets, kind: int, matches: Matches, n_kinds: int) -> tuple[Array, Array, Array]:
    """Return what the labels of the items add to the columns of this kind."""
    item = owners(sets.sizes).astype(np.int32)
    unit = matches.gold.units.code[item]
    return unit, sets.codes * n_kinds + kind, np.ones(len(unit), dtype=np.int8)


def _prf(counts: Array, *, options: Options) -> dict[str, Floats]:
    """Make scores of t, p and c on the last axis."""
    t, p, c = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    return prf_of_labels(t, p, c, options)


def _proportions(counts: Array, *, beta: float | None) -> dict[str, Proportion]:
    t, p, c = np.moveaxis(counts, -1, 0)
    return prf_proportions(c, gold=t, system=p, beta=beta)


def _confusion(matches: Matches) -> Table:
    """Make a row for each pair of labels that met, in the order of the list.

    Then come no label, and one that is not in the list.
    """
    shown = _shown(matches)
    n_labels = len(shown)
    # Behind the list come the missing rows and then the labels that are not in it.
    row = np.concatenate([shown.row, [n_labels + 1, n_labels]])
    cell = shown.row[matches.gold_code] * (n_labels + 2) + row[matches.code]
    cells, number = _counted(cell, n_labels * (n_labels + 2))
    names = [*shown.names, MISSING, OTHER]
    rows = records(
        gold=[names[label] for label in (cells // (n_labels + 2)).tolist()],
        system=[names[label] for label in (cells % (n_labels + 2)).tolist()],
        count=number,
    )
    return Table(rows, placed=lambda: (matches.gold.units.code, np.searchsorted(cells, cell)))


def _counted(cell: Integers, n_cells: int) -> tuple[Integers, Integers]:
    """Return the cells that occur, ascending, and how often each does."""
    if n_cells > 4 * len(cell):
        return np.unique(cell, return_counts=True)
    number = np.bincount(cell, minlength=n_cells)
    return np.flatnonzero(number), number[number > 0]


def _slices(matches: Matches, options: Options) -> Table:
    """Make a row for each slice, in the order of first sight."""
    assert matches.gold.slices is not None
    task = "shares" if options.get("shares") else options["task"]
    columns = beside_f1(_OF_SLICES.get(task, _DEFAULT_SLICE_COLUMNS), options)

    def own_metrics(counts: Array) -> dict[str, Floats]:
        # Each slice alone is a corpus without slices.
        scores = metrics(np.asarray(counts)[..., np.newaxis, :], options | {"slices": None})
        return {column: scores[column] for column in columns}

    sums = sums_of(matches.rows)
    n_items = Counts(sums, options)["items"].astype(np.int64)
    rows: list[Record] = records(slice=matches.gold.slices.names, items=n_items, **own_metrics(sums))
    behind = None if task == "graded" else partial(averages_of_slices, matches, options)
    return Table(rows, matches.rows, own_metrics, gold_items=n_items, n_own_kinds=1, averages=behind)


def behind(table: str) -> dict[str, tuple[int, ...]]:
    """Return which kinds of the table of labels its counts add up."""
    return {"gold": (0,), "system": (1,), "correct": (2,)} if table == "labels" else {}


def are_mixed(options: Options) -> bool:
    """Return whether counts of an item follow from how frequent a label, or how large its shares, are in all."""
    return has_shares(options) or bool(icm_kinds(options))


def totals(options: Options) -> dict[str, tuple[int, ...]]:
    """Return which kinds of the corpus its totals add up."""
    return {"items": (ALWAYS.index("items"),), "correct": (ALWAYS.index("correct"),)}
