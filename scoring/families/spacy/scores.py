"""Turns counts into scores, item by item: the register of what each item counts and how that becomes scores."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Array
from scoring.families.spacy.items import (
    categories,
    confusion,
    dependencies,
    entities,
    links,
    nervaluate,
    seqeval,
    spans,
    tokens,
    universal,
)
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import KINDS, Scores
from scoring.families.spacy.score_config import Item, score_keys, with_beta
from scoring.families.spacy.sides import Sides
from scoring.family import Options


@dataclass(frozen=True)
class ItemRules:
    """Holds how an item is scored; an item with other arguments may have more counts, or other scores."""

    count: Callable[[Sides, Item], ItemCounts]
    n_kinds: Callable[[Item], int]  # the number of columns of its rows
    scores: Callable[[Array, Item], Scores]  # from counts (..., n_kinds) to {score: (...)}


def _always(number: int) -> Callable[[Item], int]:
    return lambda item: number


# Most items count tp, fp and fn once, or several times over: `deps` for heads and for heads with labels, `cats` for
# each label, `ud` for each metric, and there aligned words with content, too. `tokenization` has two more for
# token_acc, `links` three for nel_strict, `seqeval` three for its accuracy; `nervaluate` counts five outcomes in each
# of four schemes. Names and arguments of the items: score_config.py.
RULES: dict[str, ItemRules] = {
    "tokenization": ItemRules(tokens.tokenization, _always(5), tokens.tokenization_scores),
    "token_attr": ItemRules(tokens.token_attr, _always(3), tokens.token_attr_scores),
    "morph_per_feat": ItemRules(tokens.morph_per_feat, _always(3), tokens.morph_per_feat_scores),
    "ner": ItemRules(entities.ner, _always(3), entities.ner_scores),
    "spans": ItemRules(spans.spans, _always(3), spans.spans_scores),
    "deps": ItemRules(dependencies.deps, _always(6), dependencies.deps_scores),
    "cats": ItemRules(categories.cats, lambda item: 3 * len(item["labels"]), categories.cats_scores),
    "links": ItemRules(links.links, _always(6), links.links_scores),
    "nervaluate": ItemRules(nervaluate.nervaluate, _always(20), nervaluate.nervaluate_scores),
    "seqeval": ItemRules(seqeval.seqeval, _always(6), seqeval.seqeval_scores),
    "confusion": ItemRules(confusion.confusion, _always(0), confusion.confusion_scores),
    "ud": ItemRules(universal.ud, _always(universal.N_KINDS), universal.ud_scores),
}


def metrics(counts: Array, options: Options) -> Scores:
    """Compute {score: (...)} from counts (..., kinds).

    Scores that are no functions of sums come from `Counted.weighted`.
    """
    scores: Scores = {}
    for item, columns in _by_item(counts, options):
        scores |= RULES[item["name"]].scores(columns, item)
    return scores


def totals(options: Options) -> dict[str, tuple[int, ...]]:
    """Return the places among the kinds of true and false positives and false negatives, as `ents_tp`, item by item.

    The places are those of an evaluation's options. Before the gold has told the labels of categories, the names alone
    are right.
    """
    places: dict[str, tuple[int, ...]] = {}
    start = 0
    for item in options["scores"]:
        has_labels = item.get("labels", True) is not None
        n_kinds = RULES[item["name"]].n_kinds(item) if has_labels else 0
        for number, prefix in enumerate(_counted_as(item, n_kinds)):
            first = start + len(KINDS) * number
            places |= {f"{prefix}_{kind}": (first + place,) for place, kind in enumerate(KINDS)}
        start += n_kinds
    return places


def _counted_as(item: Item, n_kinds: int) -> list[str]:
    """Return what the totals of an item are called that counts nothing else, for each three columns of its counts."""
    if item["name"] == "deps":
        return ["dep_uas", "dep_las"]
    if item["name"] == "ud":
        return score_keys(item)
    if n_kinds != len(KINDS):
        return []
    names = RULES[item["name"]].scores(np.zeros(n_kinds), item)
    return [name.removesuffix(end) for end in ("_f", "_acc") for name in names if name.endswith(end)]


def _by_item(counts: Array, options: Options) -> Iterator[tuple[Item, Array]]:
    """Yield each item and its columns: these stand one after the other, in the order of the items."""
    start = 0
    for item in with_beta(options["scores"], options):
        stop = start + RULES[item["name"]].n_kinds(item)
        yield item, counts[..., start:stop]
        start = stop
