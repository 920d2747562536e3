"""Tables by label, by sentence, and of every single phrase and relation."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers
from scoring.families.ehealthkd.counting import Matches
from scoring.families.ehealthkd.phrases import CORRECT, INCORRECT, MISSING, PARTIAL, SPURIOUS
from scoring.families.ehealthkd.relations import SAME_AS, pair_relations
from scoring.families.ehealthkd.scores import KINDS, metrics, precision_recall_f1
from scoring.family import Array, Options, Record, Table
from scoring.prf import harmonic_mean, ratio
from scoring.readers.ehealthkd import Gold, Phrases, System

_ENTITY_KINDS = (
    "correct",
    "incorrect_gold",
    "incorrect_system",
    "partial_gold",
    "partial_system",
    "missing",
    "spurious",
)
_RELATION_KINDS = ("correct", "missing", "spurious")
_MOST_COUNTS = 2**24
_SCORES = ("precision", "recall", "f1")
_NAMES = {
    CORRECT: "correct",
    INCORRECT: "incorrect",
    PARTIAL: "partial",
    MISSING: "missing",
    SPURIOUS: "spurious",
}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """All tables, those of single items with the option `details` only."""
    found = {
        "entity_labels": _entity_labels(matches),
        "relation_labels": _relation_labels(matches),
        "label_confusion": Table(_label_confusion(matches)),
        "sentences": Table(_sentences(matches, options)),
    }
    if options["details"]:
        found["phrases"] = Table(_phrases(matches))
        found["relations"] = Table(_relations(matches))
    return found


def _entity_labels(matches: Matches) -> Table:
    gold, system, pairs = matches.gold_phrases, matches.system_phrases, matches.phrases
    own = np.flatnonzero(gold.scored)
    met = own[pairs.partner[own] >= 0]
    left = pairs.spurious(system)
    gold_kind = np.array([0, 1, 3, 5])[pairs.kind[own]]
    partners = pairs.partner[met]
    half = pairs.kind[met] != CORRECT
    system_kind = np.array([0, 2, 4])[pairs.kind[met]]
    sums, rows, present = _by_label(
        np.concatenate([gold.unit[own], system.unit[partners[half]], system.unit[left]]),
        np.concatenate([gold.label[own], system.label[partners[half]], system.label[left]]),
        np.concatenate([gold_kind, system_kind[half], np.full(len(left), 6)]),
        np.ones(len(own) + int(half.sum()) + len(left)),
        (len(matches.lines), len(matches.labels), len(_ENTITY_KINDS)),
    )
    in_gold, in_system = _entity_sizes(sums)
    return Table(
        _records(
            label=[matches.labels[code] for code in present],
            gold=in_gold,
            system=in_system,
            **dict(zip(_ENTITY_KINDS, sums.T, strict=True)),
            **_entity_metrics(sums),
        ),
        rows,
        _entity_metrics,
        in_gold,
    )


def _entity_sizes(counts: Array) -> tuple[Array, Array]:
    """Phrases of the gold and of the system with a label."""
    correct, incorrect_gold, incorrect_system, partial_gold, partial_system, missing, spurious = np.moveaxis(
        counts, -1, 0
    )
    return (
        correct + incorrect_gold + partial_gold + missing,
        correct + incorrect_system + partial_system + spurious,
    )


def _entity_metrics(counts: Array) -> dict[str, NDArray[np.float64]]:
    in_gold, in_system = _entity_sizes(counts)
    precision = ratio(counts[..., 0] + counts[..., 4] / 2, in_system)
    recall = ratio(counts[..., 0] + counts[..., 3] / 2, in_gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def _relation_labels(matches: Matches) -> Table:
    counts = matches.relations
    sums, rows, present = _by_label(
        matches.unit[counts.sentence],
        counts.label,
        np.array([0, -1, -1, 1, 2])[counts.kind],
        counts.number,
        (len(matches.lines), len(matches.relation_labels), len(_RELATION_KINDS)),
    )
    in_gold = sums[:, 0] + sums[:, 1]
    return Table(
        _records(
            label=[matches.relation_labels[code] for code in present],
            gold=in_gold,
            system=sums[:, 0] + sums[:, 2],
            **dict(zip(_RELATION_KINDS, sums.T, strict=True)),
            **_relation_metrics(sums),
        ),
        rows,
        _relation_metrics,
        in_gold,
    )


def _relation_metrics(counts: Array) -> dict[str, NDArray[np.float64]]:
    correct, missing, spurious = np.moveaxis(counts, -1, 0)
    return dict(zip(_SCORES, precision_recall_f1(correct, 0, 0, missing, spurious), strict=True))


def _by_label(
    unit: Integers, label: Integers, kind: Integers, number: Array, shape: tuple[int, int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None, Integers]:
    """Counts by label (groups, kinds), by unit and label, and the labels that occur.

    Thousands of invented labels would fill the memory by unit; then there is no such array.
    """
    _, n_labels, n_kinds = shape
    sums = _summed(label * n_kinds + kind, number, (n_labels, n_kinds))
    present = np.flatnonzero(sums.any(axis=1))
    group = np.full(n_labels, -1)
    group[present] = np.arange(len(present))
    shape = (shape[0], len(present), n_kinds)
    if math.prod(shape) > _MOST_COUNTS:
        return sums[present], None, present
    cell = (unit * len(present) + group[label]) * n_kinds + kind
    # A label whose counts cancel out in all is gone with them in each unit.
    kept = group[label] >= 0
    return sums[present], _summed(cell[kept], number[kept], shape), present


def _summed(cell: Integers, number: Array, shape: tuple[int, ...]) -> NDArray[np.int64]:
    sums = np.bincount(cell, weights=number, minlength=math.prod(shape))
    return sums.astype(np.int64).reshape(shape)


def _label_confusion(matches: Matches) -> list[Record]:
    gold, system, pairs = matches.gold_phrases, matches.system_phrases, matches.phrases
    own, left = np.flatnonzero(gold.scored), pairs.spurious(system)
    nobody = len(matches.labels)
    partner = pairs.partner[own]
    theirs = np.where(partner >= 0, np.append(system.label, nobody)[partner], nobody)
    column = np.array([0, 0, 1, 2])[pairs.kind[own]]
    pair = np.concatenate([gold.label[own] * (nobody + 1) + theirs, nobody * (nobody + 1) + system.label[left]])
    kind = np.concatenate([column, np.full(len(left), 2)])
    found, place = np.unique(pair, return_inverse=True)
    sums = _summed(place * 3 + kind, np.ones(len(pair)), (len(found), 3))
    names = [*matches.labels, None]
    return _records(
        gold=[names[code] for code in (found // (nobody + 1)).tolist()],
        system=[names[code] for code in (found % (nobody + 1)).tolist()],
        exact=sums[:, 0],
        partial=sums[:, 1],
        unmatched=sums[:, 2],
    )


def _sentences(matches: Matches, options: Options) -> list[Record]:
    scores = metrics(matches.rows, options)
    return _records(
        sentence=matches.lines + 1,
        text=[matches.gold.sentences.texts[line] for line in matches.lines.tolist()],
        **dict(zip(KINDS, matches.rows.T, strict=True)),
        **{name: scores[name] for name in _SCORES},
    )


def _phrases(matches: Matches) -> list[Record]:
    """By sentence: the gold's phrases with what they met, then the spurious ones."""
    gold, system, pairs = matches.gold_phrases, matches.system_phrases, matches.phrases
    own = [(g, int(pairs.partner[g])) for g in np.flatnonzero(gold.scored).tolist()]
    left = [(-1, s) for s in pairs.spurious(system).tolist()]
    found = [
        {
            "sentence": _line(matches, g, s),
            "match": _NAMES[SPURIOUS if g < 0 else int(pairs.kind[g])],
            **_phrase("gold", matches.gold.phrases, matches.gold.sentences.texts, g),
            **_phrase("system", matches.system.phrases, matches.system.sentences.texts, s),
        }
        for g, s in own + left
    ]
    return sorted(found, key=lambda record: record["sentence"])


def _line(matches: Matches, g: int, s: int) -> int:
    side, k = (matches.gold, g) if g >= 0 else (matches.system, s)
    return int(side.phrases.sentence[k]) + 1


def _phrase(side: str, phrases: Phrases, texts: list[str], k: int) -> Record:
    if k < 0:
        return {f"{side}_id": None, f"{side}_label": None, f"{side}_text": None}
    text = texts[phrases.sentence[k]]
    words = [text[max(0, start) : max(0, end)] for start, end in phrases.spans(k)]
    return {
        f"{side}_id": int(phrases.ids[k]),
        f"{side}_label": phrases.labels[phrases.label[k]],
        f"{side}_text": " ".join(words),
    }


def _relations(matches: Matches) -> list[Record]:
    gold, system = matches.gold_relations, matches.system_relations
    same_as = matches.relation_labels.index(SAME_AS) if SAME_AS in matches.relation_labels else -1
    partner = pair_relations(gold, system, matches.classes, same_as)
    met = set(partner.tolist())
    rows = [(int(g), s) for s, g in enumerate(partner)]
    rows += [(g, -1) for g in range(len(gold.label)) if g not in met]
    found = []
    for g, s in rows:
        triples, k = (gold, g) if g >= 0 else (system, s)
        found.append(
            {
                "sentence": int(triples.sentence[k]) + 1,
                "match": "spurious" if g < 0 else "missing" if s < 0 else "correct",
                "label": matches.relation_labels[triples.label[k]],
                **_ends("gold", matches.gold, gold.index, g),
                **_ends("system", matches.system, system.index, s),
            }
        )
    return sorted(found, key=lambda record: record["sentence"])


def _ends(name: str, side: Gold | System, index: Integers, k: int) -> Record:
    if k < 0:
        return {f"{name}_source_id": None, f"{name}_target_id": None}
    relation = index[k]
    return {
        f"{name}_source_id": int(side.phrases.ids[side.relations.source[relation]]),
        f"{name}_target_id": int(side.phrases.ids[side.relations.target[relation]]),
    }


def _records(**columns: Any) -> list[Record]:
    """Columns turned into rows of plain Python values."""
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]
