"""Tables by the rules of 2018: by label of a relation, by pair of labels, by line of the input, and of single items."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from scoring.columns import Integers, coded, records, sums_by_cell
from scoring.families.ehealthkd.matching.relations import relation_metrics, relation_proportions
from scoring.families.ehealthkd.rules_2018.counting import KINDS_2018, Matches2018, metrics_2018
from scoring.family import Folded, Options, Record, Table
from scoring.labels import Labels, all_labels, gold_labels
from scoring.readers.ehealthkd.tables_2018 import Annotations2018

_CORRECT, _MISSING, _SPURIOUS = range(3)
_EXACT, _PARTIAL, _UNMATCHED = range(3)
_SCORES = ("precision", "recall", "f1")


def tables_2018(matches: Matches2018, options: Options) -> dict[str, Table]:
    """All tables; those of single items with the option `details` only."""
    made = {
        "relation_labels": _relation_labels(matches),
        "label_confusion": _label_confusion(matches),
        "sentences": Table(_sentences(matches, options)),
    }
    if options["details"]:
        made["phrases"] = Table(_phrases(matches))
        made["relations"] = Table(_relations(matches))
    return made


def fold_labels_2018(matches: Matches2018) -> Folded:
    """The same with one row of the tables for all labels that the gold lacks."""
    folded = replace(matches, gold_labels_only=True)
    invented = [*_phrase_rows(folded)[1].invented, *_relation_rows(folded)[1].invented]
    return Folded(folded, list(dict.fromkeys(invented)))


def _phrase_rows(matches: Matches2018) -> tuple[dict[str, int], Labels]:
    return _rows(matches, *(side.labels.values() for side in (matches.gold.said, matches.system.said)))


def _relation_rows(matches: Matches2018) -> tuple[dict[str, int], Labels]:
    return _rows(matches, *([label for label, _, _ in side.relations] for side in _sides(matches)))


def _rows(matches: Matches2018, gold: Iterable[str], system: Iterable[str]) -> tuple[dict[str, int], Labels]:
    """{label: its row} and the rows."""
    own = set(gold)
    names = sorted(own.union(system))
    labels = gold_labels(names, own) if matches.gold_labels_only else all_labels(names)
    return dict(zip(names, labels.row.tolist(), strict=True)), labels


def _sides(matches: Matches2018) -> tuple[Annotations2018, Annotations2018]:
    return matches.gold.said, matches.system.said


def _relation_labels(matches: Matches2018) -> Table:
    row, labels = _relation_rows(matches)
    gold, system = _sides(matches)
    left = np.flatnonzero(~matches.system_found)
    shape = len(matches.rows), len(labels), 3
    label = [row[name] for name, _, _ in gold.relations] + [row[system.relations[k][0]] for k in left.tolist()]
    counts = sums_by_cell(
        shape,
        np.concatenate([matches.gold_relation_unit, matches.system_relation_unit[left]]),
        np.array(label, dtype=np.int64),
        np.concatenate([np.where(matches.gold_found, _CORRECT, _MISSING), np.full(len(left), _SPURIOUS)]),
    )
    present = np.flatnonzero(counts.sum(axis=0).any(axis=1))
    counts = counts[:, present]
    correct, missing, spurious = counts.sum(axis=0).T
    return Table(
        records(
            label=[labels.names[k] for k in present],
            gold=correct + missing,
            system=correct + spurious,
            correct=correct,
            missing=missing,
            spurious=spurious,
            **relation_metrics(counts.sum(axis=0)),
        ),
        counts,
        relation_metrics,
        correct + missing,
        proportions=relation_proportions,
    )


def _label_confusion(matches: Matches2018) -> Table:
    """One row for each pair of labels that occurs; None stands for no phrase, or for one without a label."""
    row, labels = _phrase_rows(matches)
    none = len(labels)
    gold, system = _sides(matches)
    of_gold, of_system = (
        np.array([row[side.labels[k]] if k in side.labels else none for k in side.ids], dtype=np.int64)
        for side in (gold, system)
    )
    left = _left(matches)
    met = np.where(matches.partner >= 0, np.append(of_system, none)[matches.partner], none)
    pair = np.concatenate([of_gold, np.full(len(left), none)]), np.concatenate([met, of_system[left]])
    column = np.where(matches.partner < 0, _UNMATCHED, np.where(matches.is_exact, _EXACT, _PARTIAL))
    column = np.concatenate([column, np.full(len(left), _UNMATCHED)])
    _, example, group = np.unique(coded(*pair), return_index=True, return_inverse=True)
    sums = sums_by_cell((len(example), 3), group, column)
    names = [*labels.names, None]
    rows = records(
        gold=[names[code] for code in pair[0][example]],
        system=[names[code] for code in pair[1][example]],
        exact=sums[:, _EXACT],
        partial=sums[:, _PARTIAL],
        unmatched=sums[:, _UNMATCHED],
    )
    unit = np.concatenate([matches.gold_unit, matches.system_unit[left]])
    return Table(rows, placed=lambda: (unit, group))


def _sentences(matches: Matches2018, options: Options) -> list[Record]:
    """One row for each line of the input; none where the gold comes without it."""
    if not matches.gold.texts:
        return []
    scores = metrics_2018(matches.rows, options)
    return records(
        sentence=np.arange(len(matches.rows)) + 1,
        text=matches.gold.texts,
        **dict(zip(KINDS_2018, matches.rows.T, strict=True)),
        **{name: scores[name] for name in _SCORES},
    )


def _phrases(matches: Matches2018) -> list[Record]:
    """List line by line the gold's phrases with their partners, then the spurious ones."""
    pairs = [(g, int(s)) for g, s in enumerate(matches.partner)] + [(-1, int(s)) for s in _left(matches)]
    gold, system = _sides(matches)
    whole = None if matches.gold.texts is None else "\n".join(matches.gold.texts)
    rows = [
        {
            "sentence": int(matches.gold_unit[g] if g >= 0 else matches.system_unit[s]) + 1,
            "match": kind_of(matches, g, s),
            **_phrase("gold", gold, g, whole),
            **_phrase("system", system, s, whole),
        }
        for g, s in pairs
    ]
    return sorted(rows, key=lambda row: row["sentence"])


def _phrase(name: str, side: Annotations2018, k: int, whole: str | None) -> Record:
    if k < 0:
        return {f"{name}_id": None, f"{name}_label": None, f"{name}_text": None}
    text = None if whole is None else whole[max(0, int(side.starts[k])) : max(0, int(side.ends[k]))]
    return {f"{name}_id": side.ids[k], f"{name}_label": side.labels.get(side.ids[k]), f"{name}_text": text}


def kind_of(matches: Matches2018, g: int, s: int) -> str:
    """Tell what became of a pair of gold and system phrase, one of which may be -1: correct, incorrect, partial, …"""
    if g < 0 or s < 0:
        return "spurious" if g < 0 else "missing"
    if not matches.is_exact[g]:
        return "partial"
    gold, system = _sides(matches)
    one, other = gold.labels.get(gold.ids[g]), system.labels.get(system.ids[s])
    return "incorrect" if one is not None and other is not None and one != other else "correct"


def _relations(matches: Matches2018) -> list[Record]:
    """List line by line the gold's relations, then the system's that the gold has not."""
    gold, system = _sides(matches)
    rows = [
        {
            "sentence": int(unit) + 1,
            "match": kind,
            "label": label,
            "gold_source_id": source if kind != "spurious" else None,
            "gold_target_id": target if kind != "spurious" else None,
            "system_source_id": source if kind == "spurious" else None,
            "system_target_id": target if kind == "spurious" else None,
        }
        for side, units, kinds in (
            (gold, matches.gold_relation_unit, np.where(matches.gold_found, "correct", "missing")),
            (system, matches.system_relation_unit, np.where(matches.system_found, "", "spurious")),
        )
        for (label, source, target), unit, kind in zip(side.relations, units.tolist(), kinds.tolist(), strict=True)
        if kind
    ]
    return sorted(rows, key=lambda row: row["sentence"])


def _left(matches: Matches2018) -> Integers:
    """The system phrases without a partner."""
    is_left = np.ones(len(matches.system.said.ids), dtype=bool)
    is_left[matches.partner[matches.partner >= 0]] = False
    return np.flatnonzero(is_left)
