"""A row of counts for each line of the input by the rules of 2018 (TASS 2018, task 3), which are another task's.

1. Phrases (A). Each phrase of the gold, in the order of the file, looks for the first phrase of the system on the same
   span, or else for the first that it overlaps, where touching is overlapping. If that is still free, the pair is
   correct or partial; if not, the gold's phrase is missing. System phrases that are left are spurious.
2. Labels (B) are judged on pairs alone, correct or incorrect: a label that is absent costs nothing.
3. Relations (C) are compared by the phrases that their ends are paired with. Each line counts, also one that repeats
   another: the gold's as correct or missing, the system's as spurious where the gold has none such.

Scenario 1 is scored by all three, with half a point for a partial phrase, scenario 2 by labels and relations, and
scenario 3 by relations. The program takes the ID 0 of a system's phrase for "none", so that it is never found.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, coded_together, is_first, sums_by_cell
from scoring.families.ehealthkd.rules_2018.intervals import first_touching
from scoring.families.ehealthkd.scores import precision_recall_f1
from scoring.family import Counted, Options, about_gold
from scoring.messages import Message
from scoring.prf import ratio
from scoring.readers.ehealthkd.tables_2018 import Annotations2018, Gold2018, System2018

KINDS_2018 = (
    "correct_A",
    "partial_A",
    "missing_A",
    "spurious_A",
    "correct_B",
    "incorrect_B",
    "correct_C",
    "missing_C",
    "spurious_C",
)
_CORRECT_A, _PARTIAL_A, _MISSING_A, _SPURIOUS_A, _CORRECT_B, _INCORRECT_B, _CORRECT_C, _MISSING_C, _SPURIOUS_C = range(
    9
)


@dataclass(frozen=True)
class Matches2018:
    """Everything that the tables are made from; phrases and relations are those of the two sides by their indices."""

    gold: Gold2018
    system: System2018
    rows: Integers  # (units, kinds)
    gold_unit: Integers  # (phrases of the gold,) the row of each
    system_unit: Integers  # (phrases of the system,)
    partner: Integers  # (phrases of the gold,) index of a system phrase, -1 without
    is_exact: Flags  # (phrases of the gold,)
    gold_found: Flags  # (relations of the gold,)
    system_found: Flags  # (relations of the system,)
    gold_relation_unit: Integers  # (relations of the gold,)
    system_relation_unit: Integers  # (relations of the system,)
    gold_labels_only: bool = False  # whether tables have one row for all labels that the gold lacks


def count_2018(gold: Gold2018, system: System2018, options: Options) -> Counted:
    """Phrases, labels and relations matched, and counted by lines of the input."""
    matches = match_2018(gold, system)
    totals = dict(zip(KINDS_2018, matches.rows.sum(axis=0).tolist(), strict=True))
    totals["sentences"] = len(gold.texts or ())
    warnings = about_gold(gold.warnings) + [problem.placed for problem in system.warnings]
    if not metrics_2018(matches.rows.sum(axis=0), options)["f1"]:
        warnings.append(Message("nothing-found", "nothing of the gold was found: F1 is 0"))
    units = [f"sentence {line + 1}" for line in range(len(matches.rows))] if gold.texts else ["all"]
    return Counted(units=units, rows=matches.rows, totals=totals, warnings=warnings, matches=matches)


def match_2018(gold: Gold2018, system: System2018) -> Matches2018:
    g, s = gold.said, system.said
    partner, is_exact = _pairs(g, s)
    gold_unit, system_unit = units_of(gold.texts, g.starts), units_of(gold.texts, s.starts)
    gold_found, system_found = _found(g, s, partner)
    related = [relation_units(side, unit) for side, unit in ((g, gold_unit), (s, system_unit))]
    n_units = len(gold.texts) if gold.texts else 1
    rows = np.zeros((n_units, len(KINDS_2018)), dtype=np.int64)
    paired = np.flatnonzero(partner >= 0)
    kind = np.full(len(g.ids), _MISSING_A)
    kind[paired] = np.where(is_exact[paired], _CORRECT_A, _PARTIAL_A)
    is_left = np.ones(len(s.ids), dtype=bool)
    is_left[partner[paired]] = False
    label_unit, label_kind = _labels(g, s, paired, partner, gold_unit)
    rows += sums_by_cell(
        rows.shape,
        np.concatenate([gold_unit, system_unit[is_left], label_unit, related[0], related[1][~system_found]]),
        np.concatenate(
            [
                kind,
                np.full(int(is_left.sum()), _SPURIOUS_A),
                label_kind,
                np.where(gold_found, _CORRECT_C, _MISSING_C),
                np.full(int((~system_found).sum()), _SPURIOUS_C),
            ]
        ),
    )
    return Matches2018(
        gold, system, rows, gold_unit, system_unit, partner, is_exact, gold_found, system_found, related[0], related[1]
    )


def metrics_2018(counts: Array, options: Options) -> dict[str, Floats]:
    """Precision, recall and F1 from counts (..., kinds), of the scenario and of its parts; NaN for what is given."""
    (
        correct_a,
        partial,
        missing_a,
        spurious_a,
        correct_b,
        incorrect_b,
        correct_c,
        missing_c,
        spurious_c,
    ) = np.moveaxis(np.asarray(counts), -1, 0)
    of_phrases = correct_a + partial / 2, correct_a + partial, missing_a, spurious_a
    of_labels = correct_b, correct_b + incorrect_b, 0, 0
    of_relations = correct_c, correct_c, missing_c, spurious_c
    parts = (of_phrases, of_labels, of_relations)[options["scenario"] - 1 :]
    credit, paired, missing, spurious = (sum(columns) for columns in zip(*parts, strict=True))
    absent = np.full(correct_a.shape, np.nan)
    scores = {
        "": precision_recall_f1(credit, paired, missing, spurious),
        "_a": precision_recall_f1(*of_phrases) if options["scenario"] == 1 else (absent,) * 3,
        "_c": precision_recall_f1(*of_relations),
    }
    labels = ratio(correct_b, correct_b + incorrect_b) if options["scenario"] < 3 else absent
    return {
        f"{name}{part}": values
        for part, triple in scores.items()
        for name, values in zip(("precision", "recall", "f1"), triple, strict=True)
    } | {"accuracy_b": labels}


def _pairs(gold: Annotations2018, system: Annotations2018) -> tuple[Integers, Flags]:
    """Return each gold phrase's partner or -1, and whether the one that it looked for has the same span."""
    wanted, is_exact = _wanted(gold, system)
    has = np.flatnonzero(wanted >= 0)
    partner = np.full(len(gold.ids), -1)
    taken = has[is_first(wanted[has])]
    partner[taken] = wanted[taken]
    return partner, is_exact


def _wanted(gold: Annotations2018, system: Annotations2018) -> tuple[Integers, Flags]:
    """The first system phrase on the same span as each of the gold, or else the first that touches it, or -1."""
    if not len(gold.ids) or not len(system.ids):
        return np.full(len(gold.ids), -1), np.zeros(len(gold.ids), dtype=bool)
    gold_code, system_code = coded_together((gold.starts, gold.ends), (system.starts, system.ends))
    codes, first = np.unique(system_code, return_index=True)
    rank = np.minimum(np.searchsorted(codes, gold_code), len(codes) - 1)
    equal = np.where(codes[rank] == gold_code, first[rank], -1)
    is_zero = np.array([number == 0 for number in system.ids])
    equal = np.where((equal >= 0) & ~is_zero[equal], equal, -1)
    touching = first_touching(gold.starts, gold.ends, system.starts, system.ends)
    touching = np.where((touching >= 0) & ~is_zero[touching], touching, -1)
    return np.where(equal >= 0, equal, touching), equal >= 0


def _labels(
    gold: Annotations2018, system: Annotations2018, paired: Integers, partner: Integers, unit: Integers
) -> tuple[Integers, Integers]:
    """Row and kind of each pair of phrases with a label on either side."""
    rows, kinds = [], []
    for k in paired.tolist():
        own, other = gold.labels.get(gold.ids[k]), system.labels.get(system.ids[int(partner[k])])
        if own is not None and other is not None:
            rows.append(int(unit[k]))
            kinds.append(_CORRECT_B if own == other else _INCORRECT_B)
    return np.array(rows, dtype=np.int64), np.array(kinds, dtype=np.int64)


def _found(gold: Annotations2018, system: Annotations2018, partner: Integers) -> tuple[Flags, Flags]:
    """Return which relations of the gold the system has, and which of the system the gold has."""
    name_of = {  # {ID of a paired phrase of the gold: ID of its partner}
        gold.ids[k]: system.ids[int(partner[k])] for k in np.flatnonzero(partner >= 0).tolist()
    }
    mapped = [
        (label, name_of[a], name_of[b]) if a in name_of and b in name_of else None for label, a, b in gold.relations
    ]
    of_system, of_gold = set(system.relations), {relation for relation in mapped if relation}
    return (
        np.array([relation in of_system for relation in mapped], dtype=bool),
        np.array([relation in of_gold for relation in system.relations], dtype=bool),
    )


def units_of(texts: list[str] | None, starts: Integers) -> Integers:
    """The line of the input in which each phrase begins; one beyond the last line is counted there."""
    if not texts:
        return np.zeros(len(starts), dtype=np.int64)
    ends = np.cumsum([len(text) + 1 for text in texts])
    return np.minimum(np.searchsorted(ends, starts, side="right"), len(texts) - 1)


def relation_units(side: Annotations2018, unit: Integers) -> Integers:
    """The line of the phrase at the source of each relation, or the first line where there is none."""
    of_id = dict(zip(side.ids, unit.tolist(), strict=True))
    return np.array([of_id.get(source, 0) for _, source, _ in side.relations], dtype=np.int64)
