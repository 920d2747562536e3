"""The options of the family, and those that only the gold can tell: by default, what it annotates is scored."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from scoring.errors import SubmissionError
from scoring.families.f_beta import BETA, beta_of, refuse_beta
from scoring.families.option_types import one_of, parsed
from scoring.families.spacy.score_config import (
    PARSER,
    SENTER,
    Item,
    f_beta_beside,
    main_score,
    once,
    parse_items,
    score_keys,
    spancat,
    with_beta,
    with_labels,
)
from scoring.families.spacy.score_rows import KINDS
from scoring.families.spacy.sides import annotates_ents
from scoring.families.spacy.wording import OPTION_WORDS
from scoring.family import Options, check_score, choose, with_words
from scoring.messages import Message
from scoring.readers.spacy.documents import Categories, Codes, Documents

# `format`, `invalid_tags` and `tag_form` are for the readers, `tokens` for the pairing of both sides
# (readers/spacy/sides.py).
OPTIONS = with_words(
    OPTION_WORDS,
    # The items: score_config.py.
    parsed(parse_items, 'a list of items, such as [{"name": "ner"}]', "rows").option(
        "scores", "what to score, and how; without it, all that the gold annotates", "What is scored", kinds=KINDS
    ),
    parsed(lambda given: None if given is None else str(given), "the key of a score", "score").advanced(
        "headline", "the score that ranks; without it, the main score of the first item", "The score that ranks"
    ),
    one_of("any", "gold").option(
        "tokens", "gold: the system's tokens must be the gold's; any: they are aligned", "Tokens of runs"
    ),
    one_of("auto", "jsonl", "conllu", "columns").option(
        "format", "of the files; auto: recognised by name and content", "Format of the files"
    ),
    one_of("repair", "refuse").advanced(
        "invalid_tags", "what to do with tags that continue no entity", "Tags that continue no entity"
    ),
    # No value, so that signatures of results from before this option stay as they are.
    one_of("prefix", "suffix").advanced(
        "tag_form",
        "of tags of entities in columns and CoNLL-U; prefix, or without it: B-PER; suffix: PER-B",
        "Where tags have their letter",
        default=None,
    ),
    BETA,
)


def configure(given: Mapping[str, object]) -> Options:
    options = choose(OPTIONS, given)
    if options["scores"]:
        _check_beta(_keys(options["scores"], options), options)
    return options


# Without option `scores`, the first of these that is scored ranks. Entities come first, then the first group of
# spans, whose name is known from the gold only. token_acc is never among them: splitting tokens does not lower it.
_HEADLINES = ("dep_las", "cats_score", "tag_acc", "pos_acc", "morph_acc", "lemma_acc", "sents_f", "token_f")


def unit(options: Options) -> tuple[str, str]:
    """Return the singular and the plural of what is resampled."""
    return Message.noun("document", "documents")


def headline(options: Options) -> str:
    """Return the score that ranks as far as it can be told before the gold is read.

    That is entities, if nothing else is asked for.
    """
    if options["headline"]:
        return str(options["headline"])
    entities = "ents_fbeta" if beta_of(options) else "ents_f"
    return _first_main_score(with_beta(options["scores"] or [], options)) or entities


def resolve_options(gold: Documents, options: Options) -> Options:
    """Return the options with all items and arguments written out, and the headline.

    A headline that is asked for has to be among the scores, which can be told only now.
    """
    items = items_of(gold, options)
    if not items:
        raise SubmissionError(Message("nothing-annotated", "nothing that could be scored is annotated"))
    keys = _keys(items, options)
    _check_beta(keys, options)
    chosen = options["headline"]
    if chosen is None:
        is_default = options["scores"] is None
        chosen = _default_headline(keys) if is_default else _first_main_score(with_beta(items, options))
    check_score("headline", chosen, keys)
    return options | {"scores": items, "headline": chosen}


def hide_labels(gold: Documents, given: Options, resolved: Options) -> tuple[Documents, Options]:
    """Return the gold without categories, and their item without labels, unless the options name these."""
    named = [item for item in given["scores"] or () if item["name"] == "cats" and item["labels"] is not None]
    if named or not any(item["name"] == "cats" for item in resolved["scores"]):
        return gold, resolved
    none = Categories(gold.cats.document[:0], gold.cats.label[:0], gold.cats.value[:0])
    items = [item | {"labels": []} if item["name"] == "cats" else item for item in resolved["scores"]]
    return replace(gold, cats=none), resolved | {"scores": items}


def _keys(items: list[Item], options: Options) -> list[str]:
    return [key for item in with_beta(items, options) for key in score_keys(item)]


def _check_beta(keys: list[str], options: Options) -> None:
    """Raise ConfigurationError where none of the scores has a precision and a recall that a beta could weigh."""
    if not any(key.endswith("_fbeta") for key in keys):
        refuse_beta(options)


def items_of(gold: Documents, options: Options) -> list[Item]:
    """Return the items that are asked for, or else one for all that the gold annotates.

    Empty if it annotates nothing.
    """
    labels = _category_labels(gold)
    items = once(_annotated(gold, labels)) if options["scores"] is None else options["scores"]
    return [with_labels(item, labels) for item in items]


def _annotated(gold: Documents, labels: list[str]) -> Iterator[Item]:
    """Yield an item for everything that is annotated in at least one document of the gold.

    The order is that of the pages and of the default headline. It follows from the gold alone, so that every system
    is scored by the same items.
    """
    if gold.knows_spaces.any():
        yield {"name": "tokenization"}
    # The first token of a document begins a sentence in any case: only later tokens tell whether sentences are known.
    if gold.starts[gold.index > 0].any():
        yield SENTER
    for attr in ("tag", "pos", "morph", "lemma"):
        if getattr(gold, attr).any():
            yield {"name": "token_attr", "attr": attr}
            if attr == "morph":
                yield {"name": "morph_per_feat"}
    if gold.dep.any():
        yield from PARSER
    if (gold.has_ents & annotates_ents(gold)).any():
        yield {"name": "ner"}
    if gold.ents.kb.any():
        yield {"name": "links", "negative_labels": ["NIL"]}
    for key in _texts(gold, gold.groups[:, 1]):
        yield spancat(key)
    if labels:
        yield {
            "name": "cats",
            "labels": labels,
            "multi_label": not _is_exclusive(gold),
            "positive_label": None,
            "threshold": 0.5,
        }


def _category_labels(gold: Documents) -> list[str]:
    return _texts(gold, gold.cats.label)


def _texts(gold: Documents, codes: Codes) -> list[str]:
    """Return the different texts behind some codes, sorted."""
    return sorted(gold.strings.texts[code] for code in np.unique(codes).tolist())


def _is_exclusive(gold: Documents) -> bool:
    """Return whether each document with categories has exactly one value above 0, and that is 1."""
    cats = gold.cats
    is_positive = cats.value > 0
    n_positive = np.bincount(cats.document[is_positive], minlength=len(gold))
    return bool((n_positive[np.unique(cats.document)] == 1).all() and (cats.value[is_positive] == 1).all())


def _first_main_score(items: list[Item]) -> str | None:
    return next((main for item in items if (main := main_score(item)) is not None), None)


def _default_headline(keys: list[str]) -> str | None:
    spans = [key for key in keys if key.startswith("spans_") and key.endswith("_f")]
    return f_beta_beside(next((key for key in ("ents_f", *spans[:1], *_HEADLINES) if key in keys), None), keys)
