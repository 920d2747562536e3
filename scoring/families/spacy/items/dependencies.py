"""Item `deps`: the heads of tokens (UAS), and heads with their labels (LAS), as F scores.

A token of the system answers for the gold token that it lies on alone, with the gold token that its head lies on
alone. If either lies on none or on several, the answer is wrong (fp) for UAS and LAS, but has no row of the table by
label. Tokens whose label is ignored do not answer; each side decides that by its own labels. Gold tokens without a
label are not asked for (see `_missing` for a surprise). For example, of a gold 1 -> 0 "det" and a system 1 -> 0 "amod"
the pair (1, 0) is a tp of UAS, and the triples are an fp ("amod") and an fn ("det") of LAS.
"""

from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Integers, coded
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import KINDS, Outcomes, Scores, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, flags_of, says_nothing
from scoring.family import about_gold
from scoring.messages import Message


def deps(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of heads, then of heads with labels: (documents, 6)."""
    gold, single = sides.gold, sides.alignment.single
    gold_label, system_label = _labels(sides, lowercase=item["lowercase"])
    # Whether each label, by its code, is ignored. Labels are compared with these after they are lower-cased.
    ignored = flags_of(sides, item["ignore_labels"])
    unset = says_nothing(sides, item)[gold_label]
    missing, leaked = _missing(sides, unset)
    # Gold tokens (all of the gold's,) whose head is asked for.
    is_asked = ~unset & ~ignored[gold_label]
    # From here on one entry for each token of the system that answers: itself, its gold token, that of its head.
    answering = np.flatnonzero(~sides.system.blank & ~ignored[system_label])
    token = single[answering]
    n_leaked = int(leaked[token].sum())
    # A token without a gold token of its own has -1 here, and so the last entry of `missing`, which is False.
    answering = answering[~missing[token]]
    token, head = single[answering], _gold_heads(sides)[answering]
    is_aligned = (token >= 0) & (head >= 0)
    unaligned = sides.system.document[answering[~is_aligned]]
    token, head, label = token[is_aligned], head[is_aligned], system_label[answering[is_aligned]]
    if not sides.are_identical:
        token, head, label = _different(token, head, label)
    has_head = is_asked[token] & (gold.head[token] == head)
    has_both = has_head & (gold_label[token] == label)
    las = _labelled(sides, token, label, has_both, is_asked, gold_label)
    las_rows, uas_rows = las.rows(len(sides)), _unlabelled_rows(sides, token, head, has_head, is_asked)
    n_unaligned = np.bincount(unaligned, minlength=len(sides))
    uas_rows[:, 1] += n_unaligned
    las_rows[:, 1] += n_unaligned
    totals = totals_of("dep_uas", uas_rows) | totals_of("dep_las", las_rows)
    has_table = any(totals[f"dep_uas_{kind}"] for kind in KINDS)
    return ItemCounts(
        np.hstack([uas_rows, las_rows]),
        totals,
        {"dep_las_per_type": partial(las.table, len(sides))} if has_table else {},
        invented=las.invented_names if has_table else list,
        warnings=_leak_warning(n_leaked),
        # Sorted by gold token: those that stand twice have two different answers.
        hedged=np.unique(token[1:][token[1:] == token[:-1]]),
    )


def deps_scores(counts: Array, item: Item) -> Scores:
    uas, las = counts[..., :3], counts[..., 3:]
    # spaCy decides by UAS whether there are scores at all.
    is_empty = uas.sum(axis=-1) == 0
    scores = {
        "dep_uas": prf("", uas, none_if_empty=False)["_f"],
        "dep_las": prf("", las, none_if_empty=False)["_f"],
    }
    return {name: np.where(is_empty, np.nan, values) for name, values in scores.items()}


def _labels(sides: Sides, *, lowercase: bool) -> tuple[Array, Array]:
    """Return the label of each token of both sides; in lower case as the codes of other texts."""
    if not lowercase:
        return sides.gold.dep, sides.system.dep
    strings = sides.system.strings
    lowered = np.arange(len(strings.texts), dtype=np.int32)
    for code in np.unique(np.concatenate([sides.gold.dep, sides.system.dep])).tolist():
        lowered[code] = strings[strings.texts[code].lower()]
    return lowered[sides.gold.dep], lowered[sides.system.dep]


def _gold_heads(sides: Sides) -> Array:
    """Return for each system token the gold token of its head, as an index in the document; -1 if it is not one."""
    system, single = sides.system, sides.alignment.single
    if sides.are_identical:
        return system.head
    head = single[system.first[system.document] + system.head]
    return np.where(head >= 0, head - sides.gold.first[system.document], -1)


def _missing(sides: Sides, is_unset: Flags) -> tuple[Flags, Flags]:
    """Return gold tokens that are not asked for, and those of them that have a label nevertheless, not being unset.

    Each is (gold tokens + 1,).

    spaCy collects the indices of tokens without a label in one set for the whole file, and does not empty it between
    documents. Once token 3 of a document has no label, token 3 of every later document is left out of the scores. That
    is kept, because the figures have to be spaCy's; the second array is for a warning. The last entry of both is
    False; it stands for no token.

    Of three documents of two tokens with the labels [a, b], [a, unset] and [a, b], the tokens missing are 3 and 5.
    """
    gold = sides.gold
    index, document = gold.index, gold.document
    unset = np.flatnonzero(is_unset)
    missing = np.zeros(len(index) + 1, dtype=bool)
    if len(unset):
        # For each index inside a document, the first document in which that token has no label.
        since = np.full(int(index.max()) + 1, len(gold))
        indices, first = np.unique(index[unset], return_index=True)
        since[indices] = document[unset[first]]
        missing[:-1] = since[index] <= document
    leaked = missing.copy()
    leaked[unset] = False
    return missing, leaked


def _different(token: Integers, head: Array, label: Array) -> tuple[Integers, Array, Array]:
    """Return the different answers, by gold token: several tokens of the system in one of the gold may agree."""
    rows = np.unique(coded(token, head, label), return_index=True)[1]
    return token[rows], head[rows], label[rows]


def _labelled(
    sides: Sides, token: Integers, label: Array, is_right: Flags, is_asked: Flags, gold_label: Array
) -> Outcomes:
    """Return the outcomes of heads with labels; `token` and `label` are the different answers."""
    document = sides.gold.document
    is_found = np.zeros(len(is_asked), dtype=bool)
    is_found[token[is_right]] = True
    missed = np.flatnonzero(is_asked & ~is_found)
    return Outcomes(
        (document[token[is_right]], document[token[~is_right]], document[missed]),
        (label[is_right], label[~is_right], gold_label[missed]),
        sides.names,
    )


def _unlabelled_rows(sides: Sides, token: Integers, head: Array, has_head: Flags, is_asked: Flags) -> Integers:
    """Count heads alone, (documents, 3); of answers that differ only in their labels, one counts."""
    document, n = sides.gold.document, len(sides)
    if sides.are_identical:
        right, wrong = token[has_head], token[~has_head]
    else:
        rows = np.unique(coded(token, head), return_index=True)[1]
        right, wrong = token[rows[has_head[rows]]], token[rows[~has_head[rows]]]
    n_right = np.bincount(document[right], minlength=n)
    n_gold = np.bincount(document[is_asked], minlength=n)
    return np.stack([n_right, np.bincount(document[wrong], minlength=n), n_gold - n_right], axis=1)


def _leak_warning(number: int) -> list[str]:
    if not number:
        return []
    return about_gold(
        [
            Message(
                "labelled-tokens-left-out",
                "{n} labelled tokens are left out of {uas} and {las}, because a token at the same place "
                "of an earlier document has no label (as in spaCy)",
                n=number,
                uas="dep_uas",
                las="dep_las",
            )
        ]
    )
