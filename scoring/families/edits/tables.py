"""Tables of sentences and of types of edits; of ERRANT's types, also by what is done and by what is concerned."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers, records
from scoring.families.edits.matches import Matches
from scoring.families.edits.scores import KINDS, metrics
from scoring.family import Evidence, Options, RowEvidence, Table
from scoring.labels import NOT_IN_GOLD
from scoring.readers.edits import UNKNOWN
from scoring.readers.gc_pause import without_collector
from scoring.rows import rows_of_entries
from scoring.significance.proportions import Proportion, prf_proportions
from scoring.table_columns import Column, Columns

ITEM_TABLES = ("sentences",)
OF_TYPES = ("types", "operations", "categories")
# ERRANT: missing, unnecessary or replaced; and a word class or another category, such as R:VERB:SVA.
_ERRANT = re.compile("[MUR]:.+")


# An edit is right or wrong; its type is no part of the task. Types of wrong edits are those that the run gave them, so
# that nothing is told that is made of their counts. Operations and categories add up types.
_BY_RUN = ("fp", "precision", "fbeta")
_EVIDENCE = {
    name: RowEvidence(("tp", "fn"), numbers=int(name == "types"), run=("tp", "fp"), by_run=_BY_RUN) for name in OF_TYPES
}
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["tp"]),
    rows=_EVIDENCE.get,
    gold_counts=frozenset({"sentences"}),  # not its edits: which annotator counts follows from the run
    count_behind=lambda score: "right",
    in_rows=lambda score: True,
)

_COUNTS = (Column("tp", "right"), Column("fp", "wrong"), Column("fn", "missed"))
_TYPES = (
    Column("type"),
    Column("fbeta", "Fβ", is_share=True),
    Column("precision", is_share=True),
    Column("recall", is_share=True),
    *_COUNTS,
)
COLUMNS: Columns = {
    **dict.fromkeys(OF_TYPES, _TYPES),
    "sentences": (Column("sentence"), Column("annotator"), *_COUNTS),
}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables; their columns and orders are public."""
    rows = matches.rows
    with without_collector():
        sentences = records(
            sentence=matches.gold.names,
            annotator=[matches.gold.annotators[group] for group in matches.chosen.tolist()],
            **{name: rows[:, kind] for kind, name in enumerate(KINDS)},
        )
    is_used = np.bincount(matches.type, minlength=len(matches.types)) > 0
    types_of_gold = {matches.gold.types[k] for k in np.unique(matches.gold.type).tolist()}
    names = [name for name, is_own in zip(matches.types, is_used.tolist(), strict=True) if is_own]
    types = _Types(names, (np.cumsum(is_used) - 1)[matches.type], types_of_gold)
    by_name = {"sentences": Table(sentences), "types": _grouped(matches, types, options, str)}
    if all(map(_ERRANT.fullmatch, types_of_gold - {UNKNOWN})):
        by_name["operations"] = _grouped(
            matches, types, options, lambda type_: type_ if type_ == UNKNOWN else type_[:1]
        )
        by_name["categories"] = _grouped(
            matches, types, options, lambda type_: type_ if type_ == UNKNOWN else type_[2:]
        )
    return by_name


@dataclass(frozen=True)
class _Types:
    names: list[str]  # that edits have, of either side
    code: Integers  # (n,) index into `names` for each edit
    known: set[str]  # of all annotators, whoever was chosen


def behind(table: str) -> dict[str, tuple[int, ...]]:
    """Return which kinds of a table of types its counts add up."""
    return {name: (kind,) for kind, name in enumerate(KINDS)} if table in OF_TYPES else {}


def _grouped(matches: Matches, types: _Types, options: Options, group: Callable[[str], str]) -> Table:
    """Make a row for each group of the gold's types that occurs, and a last one for those that a run invents."""
    groups = {*map(group, types.known)}
    given = [name if (name := group(type_name)) in groups else NOT_IN_GOLD for type_name in types.names]
    shown = [*sorted({*given} - {NOT_IN_GOLD}), *{NOT_IN_GOLD}.intersection(given)]
    place = {name: row for row, name in enumerate(shown)}
    row = np.array([place[name] for name in given], dtype=np.int64)[types.code]
    column = row * len(KINDS) + matches.kind
    counts = np.bincount(column, minlength=len(shown) * len(KINDS)).reshape(-1, len(KINDS))
    entries = (matches.sentence, column, np.ones(len(row), dtype=np.int8))
    own_metrics = partial(_columns, options=options)
    return Table(
        records(type=shown, **own_metrics(counts), **{name: counts[:, kind] for kind, name in enumerate(KINDS)}),
        rows_of_entries((len(matches.chosen), *counts.shape), [entries]),
        own_metrics,
        gold_items=counts[:, 0] + counts[:, 2],
        proportions=partial(_proportions, options=options),
    )


def _columns(counts: Array, *, options: Options) -> dict[str, Floats]:
    return metrics(counts, options)


def _proportions(counts: Array, *, options: Options) -> dict[str, Proportion]:
    tp, fp, fn = np.moveaxis(counts, -1, 0)
    proportions = prf_proportions(tp, gold=tp + fn, system=tp + fp, beta=options["beta"])
    return {name: proportions[name] for name in ("fbeta", "precision", "recall")}
