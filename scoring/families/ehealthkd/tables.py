"""Tables by label, by pair of labels and by sentence; those of single items are in `item_tables.py`."""

import math

import numpy as np

from scoring.columns import Array, Floats, Integers, coded, records, sums_by_cell
from scoring.families.ehealthkd.counting import Matches
from scoring.families.ehealthkd.item_tables import phrase_records, relation_records
from scoring.families.ehealthkd.matching.phrases import CORRECT
from scoring.families.ehealthkd.matching.relations import RELATION_KINDS, relation_metrics, relation_proportions
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.family import Evidence, Options, Record, RowEvidence, Table
from scoring.prf import harmonic_mean, ratio
from scoring.significance.proportions import Proportion, prf_proportions
from scoring.table_columns import Column, Columns, unshown

# The counts of a label of phrases. The two phrases of an incorrect pair have different labels, those of a partial one
# may have: such a pair counts under the label of either side, in a column of its own for each.
_ENTITY_KINDS = (
    "correct",
    "incorrect_gold",
    "incorrect_system",
    "partial_gold",
    "partial_system",
    "missing",
    "spurious",
)
# The column of _ENTITY_KINDS in which a phrase of each kind counts, CORRECT to MISSING: for a gold phrase under its
# own label, and for the system phrase of a pair under its own (MISSING has none; of a correct pair only the gold's
# is counted, because both have one label).
_GOLD_COLUMN = np.array([0, 1, 3, 5])
_SYSTEM_COLUMN = np.array([0, 2, 4])
_SPURIOUS_COLUMN = 6

# Of each kind, CORRECT to SPURIOUS, the column among exact, partial and unmatched. An incorrect pair is an exact one
# here: its spans are equal, and its cell tells both labels.
_CONFUSION_COLUMN = np.array([0, 0, 1, 2, 2])
_EXACT, _PARTIAL, _UNMATCHED = range(3)

_OF_PHRASES: dict[str, tuple[int, ...]] = {kind: (place,) for place, kind in enumerate(_ENTITY_KINDS)}
_OF_RELATIONS: dict[str, tuple[int, ...]] = {kind: (place,) for place, kind in enumerate(RELATION_KINDS)}
# The columns of the tables by label that count items, and the kinds of their rows that each adds up.
BEHIND = {
    "entity_labels": _OF_PHRASES | {"gold": (0, 1, 3, 5), "system": (0, 2, 4, 6)},
    "relation_labels": _OF_RELATIONS | {"gold": (0, 1), "system": (0, 2)},
}

# Phrases that are partly right, or wrong, count on the run's side under the label that the run gave them.
_BY_RUN = ("incorrect_system", "partial_system", "spurious", "precision", "f1")
_EVIDENCE = {
    "entity_labels": RowEvidence(("gold",), numbers=3, run=("system",), by_run=_BY_RUN),
    "relation_labels": RowEvidence(("gold",), run=("system",)),
}
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["correct_A"] + counts["correct_B"]),
    bits=lambda tables: 2.0,  # whether there is a phrase or relation, and under which label
    rows=_EVIDENCE.get,
    gold_counts=frozenset({"sentences", "scored_sentences"}),
    count_behind=lambda score: score.rpartition("_")[2] if score.endswith(("_a", "_b")) else "credit",
)

_F1 = Column("f1", "F1", is_share=True, is_main=True)
_PRF = (Column("precision", is_share=True), Column("recall", is_share=True), _F1)
_SIZES = (Column("gold"), Column("system"))
COLUMNS: Columns = {
    "entity_labels": (
        Column("label"),
        *_PRF,
        *_SIZES,
        Column("correct"),
        Column("incorrect_gold", "other label (gold)"),
        Column("incorrect_system", "other label (system)"),
        Column("partial_gold", "other extent (gold)"),
        Column("partial_system", "other extent (system)"),
        Column("missing"),
        Column("spurious"),
    ),
    "relation_labels": (Column("label"), *_PRF, *_SIZES, Column("correct"), Column("missing"), Column("spurious")),
    "sentences": (
        Column("sentence", "place"),
        Column("text", "sentence"),
        Column("correct_A", "phrases correct", of="f1_a"),
        Column("incorrect_A", "other label", of="f1_a"),
        Column("partial_A", "other extent", of="f1_a"),
        Column("missing_A", "phrases missing", of="f1_a"),
        Column("spurious_A", "phrases spurious", of="f1_a"),
        Column("correct_B", "relations correct", of="f1_b"),
        Column("missing_B", "relations missing", of="f1_b"),
        Column("spurious_B", "relations spurious", of="f1_b"),
        _F1,
        *unshown("precision", "recall"),
    ),
}

_SCORES = ("precision", "recall", "f1")
_MOST_COUNTS = 2**24


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables, those of single items with the option `details` only."""
    made = {
        "entity_labels": _entity_labels(matches),
        "relation_labels": _relation_labels(matches),
        "label_confusion": _label_confusion(matches),
        "sentences": Table(_sentences(matches, options)),
    }
    if options["details"]:
        made["phrases"] = Table(phrase_records(matches))
        made["relations"] = Table(relation_records(matches))
    return made


def _entity_labels(matches: Matches) -> Table:
    """Count phrases by label, those of the two sides each under its own."""
    gold, system, pairs, labels = matches.gold_phrases, matches.system_phrases, matches.phrases, matches.label_rows
    # Three kinds of entries, one behind the other: all gold phrases, the system phrases of pairs that are not correct,
    # and the spurious ones. Scored sentences only.
    golds = np.flatnonzero(gold.scored)
    of_pairs = golds[(pairs.partner[golds] >= 0) & (pairs.kind[golds] != CORRECT)]
    systems, spurious = pairs.partner[of_pairs], pairs.spurious(system)
    sums, rows, present = _by_label(
        np.concatenate([gold.unit[golds], system.unit[systems], system.unit[spurious]]),
        labels.row[np.concatenate([gold.label[golds], system.label[systems], system.label[spurious]])],
        np.concatenate(
            [
                _GOLD_COLUMN[pairs.kind[golds]],
                _SYSTEM_COLUMN[pairs.kind[of_pairs]],
                np.full(len(spurious), _SPURIOUS_COLUMN),
            ]
        ),
        np.ones(len(golds) + len(systems) + len(spurious)),
        (len(matches.lines), len(labels), len(_ENTITY_KINDS)),
    )
    n_gold, n_system = _entity_sizes(sums)
    return Table(
        records(
            label=[labels.names[row] for row in present],
            gold=n_gold,
            system=n_system,
            **dict(zip(_ENTITY_KINDS, sums.T, strict=True)),
            **_entity_metrics(sums),
        ),
        rows,
        _entity_metrics,
        n_gold,
        proportions=_entity_proportions,
    )


def _entity_sizes(counts: Array) -> tuple[Array, Array]:
    """Return the phrases with a label in the gold and in the system, of counts (..., 7) as in _ENTITY_KINDS."""
    correct, incorrect_gold, incorrect_system, partial_gold, partial_system, missing, spurious = np.moveaxis(
        counts, -1, 0
    )
    return (
        correct + incorrect_gold + partial_gold + missing,
        correct + incorrect_system + partial_system + spurious,
    )


def _entity_metrics(counts: Array) -> dict[str, Floats]:
    """Give half a point for a partial match: in recall under the gold's label, in precision under the system's."""
    n_gold, n_system = _entity_sizes(counts)
    correct, partial_gold, partial_system = (
        counts[..., _ENTITY_KINDS.index(kind)] for kind in ("correct", "partial_gold", "partial_system")
    )
    # A label that one side lacks altogether has 0 there.
    precision = ratio(correct + partial_system / 2, n_system)
    recall = ratio(correct + partial_gold / 2, n_gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def _entity_proportions(counts: Array) -> dict[str, Proportion]:
    """Return the same scores as shares of decisions; the credit of F1 is the mean of both sides' credits."""
    n_gold, n_system = _entity_sizes(counts)
    correct, partial_gold, partial_system = (
        counts[..., _ENTITY_KINDS.index(kind)] for kind in ("correct", "partial_gold", "partial_system")
    )
    both = correct + (partial_gold + partial_system) / 4
    return prf_proportions(both, n_gold, n_system) | {
        "precision": Proportion(correct + partial_system / 2, n_system),
        "recall": Proportion(correct + partial_gold / 2, n_gold),
    }


def _relation_labels(matches: Matches) -> Table:
    """Count relations by label in lower case; a correct relation has one label on both sides."""
    counts, labels = matches.relations, matches.relation_label_rows
    sums, rows, present = _by_label(
        matches.unit[counts.sentence],
        labels.row[counts.label],
        counts.kind,
        counts.number,
        (len(matches.lines), len(labels), len(RELATION_KINDS)),
    )
    correct, missing, spurious = sums.T
    return Table(
        records(
            label=[labels.names[row] for row in present],
            gold=correct + missing,
            system=correct + spurious,
            **dict(zip(RELATION_KINDS, sums.T, strict=True)),
            **relation_metrics(sums),
        ),
        rows,
        relation_metrics,
        correct + missing,
        proportions=relation_proportions,
    )


def _by_label(
    unit: Integers, label: Integers, kind: Integers, number: Array, shape: tuple[int, int, int]
) -> tuple[Integers, Integers | None, Integers]:
    """Count by label (groups, kinds), by unit and label (units, groups, kinds); and return the labels that occur.

    The first four arguments (n,) say what is to be added where; `shape` is (units, labels, kinds). Thousands of
    invented labels would fill the memory by unit; then there is no such array, and the table has no intervals.
    """
    n_units, n_labels, n_kinds = shape
    sums = sums_by_cell((n_labels, n_kinds), label, kind, number=number)
    present = np.flatnonzero(sums.any(axis=1))
    group = np.full(n_labels, -1)  # the index of each label among those that occur
    group[present] = np.arange(len(present))
    shape = (n_units, len(present), n_kinds)
    if math.prod(shape) > _MOST_COUNTS:
        return sums[present], None, present
    # A label whose counts cancel out in all is gone with them in each unit.
    kept = group[label] >= 0
    rows = sums_by_cell(shape, unit[kept], group[label[kept]], kind[kept], number=number[kept])
    return sums[present], rows, present


def _label_confusion(matches: Matches) -> Table:
    """Make one row for each pair of labels that occurs; None stands for no phrase, and comes last.

    With None as the gold's label the phrases are spurious, as the system's missing.
    """
    gold, system, pairs, labels = matches.gold_phrases, matches.system_phrases, matches.phrases, matches.label_rows
    golds, spurious = np.flatnonzero(gold.scored), pairs.spurious(system)
    absent = len(labels)  # the row behind all labels, for a missing or spurious phrase's other side
    partner = pairs.partner[golds]
    # A partner of -1 takes the last label of the extended array, which is replaced.
    met = np.where(partner >= 0, np.append(labels.row[system.label], absent)[partner], absent)
    gold_label = np.concatenate([labels.row[gold.label[golds]], np.full(len(spurious), absent)])
    system_label = np.concatenate([met, labels.row[system.label[spurious]]])
    column = np.concatenate([_CONFUSION_COLUMN[pairs.kind[golds]], np.full(len(spurious), _UNMATCHED)])
    # One group for each pair of labels that occurs, in the order of the gold's label and then the system's.
    _, example, group = np.unique(coded(gold_label, system_label), return_index=True, return_inverse=True)
    sums = sums_by_cell((len(example), 3), group, column)
    names = [*labels.names, None]
    rows = records(
        gold=[names[code] for code in gold_label[example]],
        system=[names[code] for code in system_label[example]],
        exact=sums[:, _EXACT],
        partial=sums[:, _PARTIAL],
        unmatched=sums[:, _UNMATCHED],
    )
    unit = np.concatenate([gold.unit[golds], system.unit[spurious]])
    return Table(rows, placed=lambda: (unit, group))


def _sentences(matches: Matches, options: Options) -> list[Record]:
    """Make one row for each scored sentence, named by its line, with the text of the gold."""
    scores = metrics(matches.rows, options)
    return records(
        sentence=matches.lines + 1,
        text=[matches.gold.sentences.texts[line] for line in matches.lines.tolist()],
        **dict(zip(KINDS, matches.rows.T, strict=True)),
        **{name: scores[name] for name in _SCORES},
    )
