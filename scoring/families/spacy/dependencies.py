"""Heads and labels of dependency trees."""

from functools import partial

import numpy as np

from scoring.families.spacy.parts import Part, Sides
from scoring.families.spacy.prf_counts import Outcomes, Scores, codes_alike, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.family import Array
from scoring.readers.spacy.documents import Strings
from scoring.readers.spacy.documents.columns import Flags, Integers


def deps(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of heads, then of heads with labels."""
    gold_label, system_label = _labels(sides, lowercase=item["lowercase"])
    ignored = _ignored(sides, item["ignore_labels"])
    missing, leaked = _missing(sides)
    counts_in_gold = (sides.gold.dep != 0) & ~ignored[gold_label]
    single, gold = sides.alignment.single, sides.gold
    answering = np.flatnonzero(~sides.system.blank & ~ignored[system_label])
    token = single[answering]
    n_leaked = int(leaked[token].sum())
    # A token without a gold token of its own comes last in `missing`, where nothing is missing.
    answering = answering[~missing[token]]
    token, heads = single[answering], _gold_heads(sides)[answering]
    placed = (token >= 0) & (heads >= 0)
    lost = sides.system.document[answering[~placed]]
    token, heads, label = token[placed], heads[placed], system_label[answering[placed]]
    if not sides.are_identical:
        token, heads, label = _once(token, heads, label)
    has_head = counts_in_gold[token] & (gold.head[token] == heads)
    labelled = has_head & (gold_label[token] == label)
    las = _labelled(sides, token, label, labelled, counts_in_gold, gold_label)
    las_rows, uas_rows = las.rows(len(sides)), _unlabelled_rows(sides, token, heads, has_head, counts_in_gold)
    n_lost = np.bincount(lost, minlength=len(sides))
    uas_rows[:, 1] += n_lost
    las_rows[:, 1] += n_lost
    totals = totals_of("dep_uas", uas_rows) | totals_of("dep_las", las_rows)
    has_table = any(totals[f"dep_uas_{kind}"] for kind in ("tp", "fp", "fn"))
    return Part(
        np.hstack([uas_rows, las_rows]),
        totals,
        {"dep_las_per_type": partial(las.table, len(sides))} if has_table else {},
        warnings=_leak_warning(n_leaked),
        hedged=np.unique(token[1:][token[1:] == token[:-1]]),
    )


def deps_scores(counts: Array, item: Item) -> Scores:
    uas, las = counts[..., :3], counts[..., 3:]
    nothing = uas.sum(axis=-1) == 0
    scores = {
        "dep_uas": prf("", uas, none_if_empty=False)["_f"],
        "dep_las": prf("", las, none_if_empty=False)["_f"],
    }
    return {name: np.where(nothing, np.nan, values) for name, values in scores.items()}


def _labels(sides: Sides, *, lowercase: bool) -> tuple[Array, Array]:
    if not lowercase:
        return sides.gold.dep, sides.system.dep
    strings: Strings = sides.system.strings
    table = np.arange(len(strings.texts), dtype=np.int32)
    for code in np.unique(np.concatenate([sides.gold.dep, sides.system.dep])).tolist():
        table[code] = strings[strings.texts[code].lower()]
    return table[sides.gold.dep], table[sides.system.dep]


def _gold_heads(sides: Sides) -> Integers:
    """The head of each token of the system, as a place in the gold's document; -1 if it is no single gold token."""
    system, single = sides.system, sides.alignment.single
    if sides.are_identical:
        return system.head
    heads = single[system.first[system.document] + system.head]
    return np.where(heads >= 0, heads - sides.gold.first[system.document], -1)


def _ignored(sides: Sides, labels: list[str]) -> Flags:
    strings: Strings = sides.system.strings
    codes = [strings[label] for label in labels]
    ignored = np.zeros(len(strings.texts), dtype=bool)
    ignored[codes] = True
    return ignored


def _missing(sides: Sides) -> tuple[Flags, Flags]:
    """Gold tokens at a place of the document that has no label, here or in any document before.

    spaCy keeps one set of places for the whole file; every place that was once without a label takes the
    tokens of all later documents out of the scores. The second array marks those that have a label themselves.
    One more entry, False, stands for no token.
    """
    gold = sides.gold
    place, document = gold.place, gold.document
    unset = np.flatnonzero(gold.dep == 0)
    missing = np.zeros(len(place) + 1, dtype=bool)
    if len(unset):
        since = np.full(int(place.max()) + 1, len(gold))
        places, first = np.unique(place[unset], return_index=True)
        since[places] = document[unset[first]]
        missing[:-1] = since[place] <= document
    leaked = missing.copy()
    leaked[unset] = False
    return missing, leaked


def _once(token: Integers, heads: Integers, label: Array) -> tuple[Integers, Integers, Array]:
    """Several tokens of the system in one of the gold may say the same."""
    keys, _ = codes_alike((token, heads, label), (token[:0], heads[:0], label[:0]))
    _, rows = np.unique(keys, return_index=True)
    rows = rows[np.argsort(token[rows], kind="stable")]
    return token[rows], heads[rows], label[rows]


def _labelled(
    sides: Sides, token: Integers, label: Array, is_right: Flags, counts: Flags, gold_label: Array
) -> Outcomes:
    document = sides.gold.document
    found = np.zeros(len(counts), dtype=bool)
    found[token[is_right]] = True
    missed = np.flatnonzero(counts & ~found)
    return Outcomes(
        (document[token[is_right]], document[token[~is_right]], document[missed]),
        (label[is_right], label[~is_right], gold_label[missed]),
        sides.names,
    )


def _unlabelled_rows(sides: Sides, token: Integers, heads: Integers, has_head: Flags, counts: Flags) -> Integers:
    document, n = sides.gold.document, len(sides)
    if sides.are_identical:
        right, wrong = token[has_head], token[~has_head]
    else:
        keys, _ = codes_alike((token, heads), (token[:0], heads[:0]))
        rows = np.unique(keys, return_index=True)[1]
        right, wrong = token[rows[has_head[rows]]], token[rows[~has_head[rows]]]
    n_right = np.bincount(document[right], minlength=n)
    n_gold = np.bincount(document[counts], minlength=n)
    return np.stack([n_right, np.bincount(document[wrong], minlength=n), n_gold - n_right], axis=1)


def _leak_warning(number: int) -> list[str]:
    if not number:
        return []
    return [
        f"gold: {number} labelled tokens are left out of dep_uas and dep_las, because a token at the same place "
        "of an earlier document has no label (as in spaCy)"
    ]
