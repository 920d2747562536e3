"""From counts to scores, item by item."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoring.families.spacy import categories, dependencies, entities, links, nervaluate, seqeval, spans, tokens
from scoring.families.spacy.parts import Part, Sides
from scoring.families.spacy.prf_counts import Scores
from scoring.families.spacy.score_config import Item
from scoring.family import Array, Options


@dataclass(frozen=True)
class Scored:
    """How an item counts, how many counts it has, and how they become scores."""

    count: Callable[[Sides, Item], Part]
    n_kinds: Callable[[Item], int]
    scores: Callable[[Array, Item], Scores]


def _always(number: int) -> Callable[[Item], int]:
    return lambda item: number


SCORED: dict[str, Scored] = {
    "tokenization": Scored(tokens.tokenization, _always(5), tokens.tokenization_scores),
    "token_attr": Scored(tokens.token_attr, _always(3), tokens.token_attr_scores),
    "morph_per_feat": Scored(tokens.morph_per_feat, _always(3), tokens.morph_per_feat_scores),
    "ner": Scored(entities.ner, _always(3), entities.ner_scores),
    "spans": Scored(spans.spans, _always(3), spans.spans_scores),
    "deps": Scored(dependencies.deps, _always(6), dependencies.deps_scores),
    "cats": Scored(categories.cats, lambda item: 3 * len(item["labels"]), categories.cats_scores),
    "links": Scored(links.links, _always(6), links.links_scores),
    "nervaluate": Scored(nervaluate.nervaluate, _always(20), nervaluate.nervaluate_scores),
    "seqeval": Scored(seqeval.seqeval, _always(6), seqeval.seqeval_scores),
    "confusion": Scored(seqeval.confusion, _always(0), seqeval.confusion_scores),
}


def metrics(counts: Array, options: Options) -> Scores:
    """Scores of counts (..., kinds): the counts of each item stand one after the other."""
    found: Scores = {}
    for item, own in _by_item(counts, options):
        found |= SCORED[item["name"]].scores(own, item)
    return found


def _by_item(counts: Array, options: Options) -> Iterator[tuple[Item, Array]]:
    start = 0
    for item in options["scores"]:
        stop = start + SCORED[item["name"]].n_kinds(item)
        yield item, counts[..., start:stop]
        start = stop
