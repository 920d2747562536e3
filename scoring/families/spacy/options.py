"""Options that only the gold can tell: what it annotates is what is scored."""

from collections.abc import Iterator

import numpy as np

from scoring.errors import ConfigurationError, SubmissionError
from scoring.families.spacy.score_config import PARSER, SENTER, Item, main_score, once, score_keys, spancat, with_labels
from scoring.family import Options
from scoring.readers.spacy.documents import Documents, sentence_starts

_BY_DEFAULT = ("dep_las", "cats_score", "tag_acc", "pos_acc", "morph_acc", "lemma_acc", "sents_f", "token_f")


def resolve_options(gold: Documents, options: Options) -> Options:
    """The options with all items and arguments written out, and the headline."""
    items = items_of(gold, options)
    if not items:
        raise SubmissionError("nothing that could be scored is annotated")
    keys = [key for item in items for key in score_keys(item)]
    headline = options["headline"]
    if headline is None:
        headline = _default_headline(keys) if options["scores"] is None else first_main_score(items)
    if headline not in keys:
        known = ", ".join(keys) or "none"
        raise ConfigurationError(f"option headline: {headline!r} is not among the scores; there are: {known}")
    return options | {"scores": items, "headline": headline}


def items_of(gold: Documents, options: Options) -> list[Item]:
    """What is asked for, or all that is annotated; none, if that is nothing."""
    labels = category_labels(gold)
    chosen = once(_annotated(gold, labels)) if options["scores"] is None else options["scores"]
    return [with_labels(item, labels) for item in chosen]


def first_main_score(items: list[Item]) -> str | None:
    return next((main for item in items if (main := main_score(item)) is not None), None)


def category_labels(gold: Documents) -> list[str]:
    """All category labels of the gold, sorted."""
    return sorted(gold.strings.texts[code] for code in np.unique(gold.cats.label).tolist())


def starts_of(documents: Documents) -> "np.ndarray[tuple[int], np.dtype[np.int8]]":
    """1, -1 or 0 for each token: as given, or as the trees have it where nothing is given."""
    derived = documents.has_heads & ~documents.has_sents
    if not derived.any():
        return documents.sent_start
    from_trees = sentence_starts(documents.head, documents.dep, documents.first)
    return np.where(derived[documents.document], from_trees, documents.sent_start)


def _annotated(gold: Documents, labels: list[str]) -> Iterator[Item]:
    """Everything that is annotated in at least one document, in spaCy's order."""
    if gold.knows_spaces.any():
        yield {"name": "tokenization"}
    if starts_of(gold)[gold.place > 0].any():
        yield SENTER
    for attr in ("tag", "pos", "morph", "lemma"):
        if getattr(gold, attr).any():
            yield {"name": "token_attr", "attr": attr}
            if attr == "morph":
                yield {"name": "morph_per_feat"}
    if gold.dep.any():
        yield from PARSER
    if _annotates_ents(gold):
        yield {"name": "ner"}
    if gold.ents.kb.any():
        yield {"name": "links", "negative_labels": ["NIL"]}
    for key in sorted(gold.strings.texts[code] for code in np.unique(gold.groups[:, 1]).tolist()):
        yield spancat(key)
    if labels:
        yield {
            "name": "cats",
            "labels": labels,
            "multi_label": not _is_exclusive(gold),
            "positive_label": None,
            "threshold": 0.5,
        }


def _annotates_ents(gold: Documents) -> bool:
    n_missing = np.bincount(gold.document[gold.missing], minlength=len(gold))
    return bool((gold.has_ents & ((n_missing < gold.lengths) | (gold.lengths == 0))).any())


def _is_exclusive(gold: Documents) -> bool:
    """Whether each document with categories has exactly one value above 0, and that is 1."""
    cats = gold.cats
    positive = cats.value > 0
    per_document = np.bincount(cats.document[positive], minlength=len(gold))
    return bool((per_document[np.unique(cats.document)] == 1).all() and (cats.value[positive] == 1).all())


def _default_headline(keys: list[str]) -> str | None:
    spans = next((key for key in keys if key.startswith("spans_") and key.endswith("_f")), None)
    wanted = ["ents_f", *([spans] if spans else []), *_BY_DEFAULT]
    return next((key for key in wanted if key in keys), None)
