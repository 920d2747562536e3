"""Item `ud`: the metrics of Universal Dependencies, as the program of the shared task of CoNLL 2018 counts them.

Tokens and sentences are right where they are the same piece of the text. Words are aligned first
(scoring/readers/spacy/conllu/words.py); all other metrics compare what both sides say of aligned words, and divide by
all words: those of the system for precision, those of the gold for recall. CLAS, MLAS and BLEX do so for words with
content alone, by the relation that each side gives. For example, a gold "1-2 du: de le", "3 pain" against a system
"1 du", "2 pain" has one aligned word of three and of two: precision 1/2, recall 1/3.

A unit is a document of the gold. What the gold lacks, a false positive, is in the document in which it begins.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Integers
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import KINDS, Outcomes, Scores
from scoring.families.spacy.score_config import UD_METRICS, UD_NAMES, Item
from scoring.families.spacy.sides import Sides
from scoring.family import Record, Table
from scoring.prf import ratio
from scoring.readers.spacy.documents import Treebank

# The columns: tp, fp and fn of each metric, then aligned words with content.
N_KINDS = len(KINDS) * len(UD_METRICS) + 1
_NOT_OF_WORDS = ("tokens", "sentences", "words")  # which have no accuracy on aligned words
_OF_CONTENT = ("clas", "mlas", "blex")
_NO_HEAD, _HEAD_NOT_ALIGNED = -2, -1


def ud(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of all metrics: (documents, N_KINDS)."""
    gold, system, words = sides.gold.treebank, sides.system.treebank, sides.words
    assert gold is not None
    assert system is not None
    assert words is not None
    aligned = np.flatnonzero(words >= 0)
    pairs = words[aligned], aligned
    right = _right(gold, system, words, pairs)
    document = gold.document_of(gold.token_start[gold.token]), gold.document_of(system.token_start[system.token])
    rows = _rows(gold, system, pairs, right, document)
    las = _outcomes(gold, system, pairs, right["las"], document, sides.names)
    totals = {
        f"ud_{metric}_{kind}": int(rows[:, len(KINDS) * k + j].sum())
        for k, metric in enumerate(UD_METRICS)
        for j, kind in enumerate(KINDS)
    }
    return ItemCounts(
        rows,
        totals,
        {"ud_metrics": partial(_table, rows), "ud_las_per_type": partial(las.table, len(sides))},
        invented=las.invented_names,
    )


def ud_scores(counts: Array, item: Item) -> Scores:
    """Compute the F of each metric, 0 where there is nothing to divide by."""
    by_metric = _by_metric(counts)
    return {f"ud_{metric}": _f(by_metric[..., k, :]) for k, metric in enumerate(UD_METRICS)}


def _by_metric(counts: Array) -> Array:
    """Return counts (..., N_KINDS) by metric: (..., metrics, 3)."""
    return counts[..., :-1].reshape(*counts.shape[:-1], len(UD_METRICS), len(KINDS))


def _f(counts: Array) -> Array:
    tp, fp, fn = np.moveaxis(counts, -1, 0)
    return ratio(2 * tp, 2 * tp + fp + fn)


def _right(gold: Treebank, system: Treebank, words: Integers, pairs: tuple[Integers, Integers]) -> dict[str, Flags]:
    """Return for each metric of words which pairs of aligned words (of the gold, of the system) are right."""
    g, s = pairs
    heads = np.where(system.head >= 0, words[system.head], _NO_HEAD)
    gold_heads = np.where(gold.head >= 0, gold.head, _NO_HEAD)
    upos, xpos, feats = (getattr(gold, name)[g] == getattr(system, name)[s] for name in ("upos", "xpos", "feats"))
    # Where the gold has no lemma, every lemma is right.
    lemmas = gold.lacks_lemma[g] | (gold.lemma[g] == system.lemma[s])
    uas = gold_heads[g] == heads[s]
    las = uas & (gold.deprel[g] == system.deprel[s])
    return {
        "words": np.ones(len(g), dtype=bool),
        "upos": upos,
        "xpos": xpos,
        "ufeats": feats,
        "alltags": upos & xpos & feats,
        "lemmas": lemmas,
        "uas": uas,
        "las": las,
        "clas": las,
        "mlas": las & upos & feats & _same_function_words(gold, system, words, pairs),
        "blex": las & lemmas,
    }


def _same_function_words(gold: Treebank, system: Treebank, words: Integers, pairs: tuple[Integers, Integers]) -> Flags:
    """Return whether both words have the same function words under them, with the same relations, tags and features.

    Alignment keeps the order of words, so it is enough that all of the system's are among the gold's, and as many.
    """
    functional = np.flatnonzero(system.is_functional & (system.head >= 0))
    counterpart, head = words[functional], words[system.head[functional]]
    is_same = (counterpart >= 0) & (head >= 0)
    is_same &= gold.is_functional[counterpart] & (gold.head[counterpart] == head)
    for name in ("deprel", "upos", "feats"):
        is_same &= getattr(gold, name)[counterpart] == getattr(system, name)[functional]
    n_own = np.bincount(system.head[functional], minlength=len(words))
    n_same = np.bincount(system.head[functional[is_same]], minlength=len(words))
    n_gold = np.bincount(gold.head[gold.is_functional & (gold.head >= 0)], minlength=len(gold.head))
    g, s = pairs
    return np.asarray((n_own[s] == n_same[s]) & (n_gold[g] == n_own[s]))


def _rows(
    gold: Treebank,
    system: Treebank,
    pairs: tuple[Integers, Integers],
    right: dict[str, Flags],
    document: tuple[Integers, Integers],
) -> Integers:
    """Count all metrics: (documents, N_KINDS); `document` is that of each word of both sides."""
    n = len(gold.document_start)
    g = pairs[0]
    is_content = gold.is_content[g]
    counts: list[Integers] = []
    for metric in UD_METRICS:
        if metric in ("tokens", "sentences"):
            tp, of_gold, of_system = _same_pieces(gold, system, f"{metric.removesuffix('s')}_start")
        elif metric in _OF_CONTENT:
            tp = document[0][g[right[metric] & is_content]]
            of_gold, of_system = document[0][gold.is_content], document[1][system.is_content]
        else:
            tp, (of_gold, of_system) = document[0][g[right[metric]]], document
        n_right, n_gold, n_system = (np.bincount(documents, minlength=n) for documents in (tp, of_gold, of_system))
        counts += [n_right, n_system - n_right, n_gold - n_right]
    counts.append(np.bincount(document[0][g[is_content]], minlength=n))
    return np.stack(counts, axis=1)


def _same_pieces(gold: Treebank, system: Treebank, name: str) -> tuple[Integers, Integers, Integers]:
    """Return the documents of tokens or sentences that both sides have, of all of the gold's, and of the system's."""
    bounds = getattr(gold, name), getattr(system, name)
    both = [start[:-1] * (len(gold.text) + 1) + start[1:] for start in bounds]
    of_gold, of_system = (gold.document_of(start[:-1]) for start in bounds)
    return of_gold[np.isin(both[0], both[1], assume_unique=True)], of_gold, of_system


def _outcomes(
    gold: Treebank,
    system: Treebank,
    pairs: tuple[Integers, Integers],
    is_right: Flags,
    document: tuple[Integers, Integers],
    names: Sequence[str],
) -> Outcomes:
    """Return the outcomes of heads with relations, by relation."""
    g, s = pairs[0][is_right], pairs[1][is_right]
    missed, wrong = np.ones(len(gold.head), dtype=bool), np.ones(len(system.head), dtype=bool)
    missed[g], wrong[s] = False, False
    return Outcomes(
        (document[0][g], document[1][wrong], document[0][missed]),
        (gold.deprel[g], system.deprel[wrong], gold.deprel[missed]),
        names,
    )


def _table(rows: Integers, gold_labels_only: bool) -> Table:
    """Make a row for each metric, in the order and by the names of the program, with all that it prints."""
    aligned = [_aligned(rows, metric) for metric in UD_METRICS]
    by_metric = np.concatenate([_by_metric(rows), np.stack(aligned, axis=1)[..., None]], axis=-1)
    totals = by_metric.sum(axis=0)
    scores = _table_scores(totals)
    records: list[Record] = []
    for k, metric in enumerate(UD_METRICS):
        tp, fp, fn, n_aligned = totals[k].tolist()
        shares = {name: None if np.isnan(values[k]) else float(values[k]) for name, values in scores.items()}
        counts = {"correct": tp, "gold": tp + fn, "system": tp + fp}
        aligned_words = None if metric in ("tokens", "sentences") else n_aligned
        records.append({"metric": UD_NAMES[metric], **shares, **counts, "aligned": aligned_words})
    return Table(
        records, by_metric, metrics=_table_scores, gold_items=totals[:, 0] + totals[:, 2], n_own_kinds=len(KINDS)
    )


def _aligned(rows: Integers, metric: str) -> Integers:
    """Count the words that the accuracy of a metric divides by: (documents,)."""
    if metric in _OF_CONTENT:
        return rows[:, -1]
    return rows[:, len(KINDS) * UD_METRICS.index("words")]


def _table_scores(counts: Array) -> Scores:
    """Make scores of counts (..., metrics, 4): tp, fp, fn and aligned words."""
    tp, fp, fn, aligned = np.moveaxis(np.asarray(counts), -1, 0)
    accuracy = ratio(tp, aligned)
    accuracy[..., [UD_METRICS.index(metric) for metric in _NOT_OF_WORDS]] = np.nan
    return {"p": ratio(tp, tp + fp), "r": ratio(tp, tp + fn), "f": _f(counts[..., :3]), "accuracy": accuracy}
