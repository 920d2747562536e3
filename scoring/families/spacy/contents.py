"""Describes what was read of a run: the layers that are scored, and those beside them."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from scoring.columns import Floats, Integers, coded
from scoring.describing.beside import odd_labels_of_spans, odd_parts, odd_sizes, of_labels, of_numbers
from scoring.describing.contents import Beside, Contents, Layer, Name, Numbers
from scoring.describing.contents import Spans as Places
from scoring.describing.edges import word_at
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import absolute, character_spans
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message, some_of
from scoring.readers.spacy.documents import UNSET, Categories, Codes, Documents, Spans, text_of
from scoring.readers.spacy.sides import System

_OF_ENTITIES = {"ner", "nervaluate", "seqeval", "confusion"}
_ATTRIBUTES: dict[str, Name] = {
    "tag": Message.noun("tag", "tags"),
    "pos": Message.noun("part of speech", "parts of speech"),
    "morph": Message.noun("set of features", "sets of features"),
    "lemma": Message.noun("lemma", "lemmas"),
}
_VALUES = Message.noun("value of a category", "values of categories")
_LABELLED = ("tag", "pos")  # whose values come from a small set
_KEPT_TEXTS = 2_000
_NAMED = 5  # categories
_FEWEST_OFF = 3  # spans inside words that tell tokens from characters


def contents(files: Files, gold: Documents, system: System, options: Options) -> Contents:
    side = system.documents
    items: list[Item] = options["scores"]
    layers = [*_of_tokens(gold, side, items), *_of_spans(gold, side, items), *_of_categories(side, items)]
    file = next(iter(files)) if len(files) == 1 else None
    return Contents(
        unit=Message.noun("document", "documents"),
        n_units=len(gold),
        layers=layers,
        numbers=_values(side, items),
        texts=_Texts(gold),
        more={"tokens": len(side.blank), "spans_off_tokens": len(side.off_boundary)},
        file=file,
        beside=_of_values(gold, side, items),
        further_beside=lambda: [
            *_single_tokens(gold, side, items, file),
            *_exchanged(gold, side, items, file),
            *_tags_elsewhere(gold, side, items, file),
        ],
        further=[
            *_without_words(files, layers),
            *_in_tokens(side),
            *_categories_without_values(side, items),
            *_complements(side.cats),
            *_one_head(side, layers),
        ],
    )


# Keys of JSON Lines that say something of words, and so need these beside them.
_OF_WORDS = ("tags", "pos", "lemmas", "morphs", "sent_starts", "heads", "deps")


def _without_words(files: Files, layers: Sequence[Layer]) -> Iterator[Finding]:
    """Yield `unread` where lists of what words are stand in documents that do not say which words these are."""
    is_missing = any(layer.is_scored and not len(layer) for layer in layers)
    contents = [files[path] for path in files] if is_missing else []
    given = [key for key in _OF_WORDS if any(f'"{key}"'.encode() in content for content in contents)]
    if not given or any(b'"words"' in content or b'"tokens"' in content for content in contents):
        return
    things = Message.listed(given)
    yield Finding.odd(
        "unread",
        Message("layers-without-words", "{things} stand in documents without words, and are not read.", things=things),
        n=len(given),
        of=len(given),
        file=next(iter(files)),
        suggestion=Message("give-words-beside", 'give "words" beside them, and "spaces"'),
    )


def _categories_without_values(side: Documents, items: list[Item]) -> Iterator[Finding]:
    """Yield `labels` where categories of several that do not exclude each other have a value in no document."""
    item = next((item for item in items if item["name"] == "cats" and item["multi_label"]), None)
    given = {side.strings.texts[code] for code in np.unique(side.cats.label).tolist()}
    absent = [label for label in item["labels"] if label not in given] if item and given else []
    if item and absent and given.issubset(item["labels"]):  # others are told to be respelt
        yield Finding.odd(
            "labels",
            Message(
                "categories-without-values",
                "{n:,} of {of:,} categories have a value in no document: {labels}.",
                n=len(absent),
                of=len(item["labels"]),
                labels=some_of(absent, _NAMED),
            ),
            n=len(absent),
            of=len(absent) + len(given),
            suggestion=Message("value-for-each-category", "give each document a value for each category"),
        )


_FEWEST_DOCUMENTS, _FEWEST_CATEGORIES = 10, 3
_ROUNDING = 0.02  # of a sum of values


def _complements(cats: Categories) -> Iterator[Finding]:
    """Yield `range` where the values of nearly all documents sum up to one less than they are, as 1 minus shares do."""
    sizes, sums = np.bincount(cats.document), np.bincount(cats.document, cats.value)
    is_looked_at = sizes >= _FEWEST_CATEGORIES
    n = int(np.count_nonzero(is_looked_at & (np.abs(sums - (sizes - 1)) <= _ROUNDING)))
    of = int(np.count_nonzero(is_looked_at))
    if n >= max(_FEWEST_DOCUMENTS, _NEARLY_ALL * of):
        message = Message(
            "values-of-complements",
            "The values of {n:,} of {of:,} documents sum up to the number of their categories less 1, as 1 minus"
            " probabilities do.",
            n=n,
            of=of,
        )
        yield Finding.odd("range", message, n, of, suggestion=Message("take-from-one", "take each from 1?"))


_FEWEST_WORDS, _NEARLY_ALL = 50, 0.9


def _one_head(side: Documents, layers: Sequence[Layer]) -> Iterator[Finding]:
    """Yield `constant` where nearly all words are their own heads, or have one head in each document."""
    if not any(layer.is_scored and len(layer) and layer.name[1] == "heads" for layer in layers):
        return
    in_trees = side.has_heads[side.document]
    place = np.arange(len(side.head)) - side.first[:-1][side.document]
    n, of = int(np.count_nonzero(in_trees & (side.head == place))), int(np.count_nonzero(in_trees))
    suggestion = Message("heads-lost", "were the heads lost on the way?")
    if n >= max(_FEWEST_WORDS, _NEARLY_ALL * of):
        message = Message("roots-alone", "{n:,} of {of:,} words are their own heads, as roots are.", n=n, of=of)
        yield Finding.odd("constant", message, n, of, suggestion=suggestion)
        return
    width = int(np.diff(side.first).max(initial=0)) + 1
    heads, sizes = np.unique(side.document[in_trees].astype(np.int64) * width + side.head[in_trees], return_counts=True)
    largest = np.zeros(len(side), dtype=np.int64)
    np.maximum.at(largest, heads // width, sizes)
    n = int(largest.sum())
    if n >= max(_FEWEST_WORDS, _NEARLY_ALL * of):
        message = Message(
            "one-head", "{n:,} of {of:,} words have the one head of nearly all words in their document.", n=n, of=of
        )
        yield Finding.odd("constant", message, n, of, suggestion=suggestion)


_MOST_CELLS = 10  # of documents and categories, for each value that there is


def _of_values(gold: Documents, side: Documents, items: list[Item]) -> Beside | None:
    """Compare the values of categories, where all documents have them."""
    item = next((item for item in items if item["name"] == "cats"), None)
    if item is None or len(gold) * len(item["labels"]) > _MOST_CELLS * len(side.cats.value):
        return None
    in_gold, in_run = (_cells(documents, item["labels"]) for documents in (gold, side))
    return of_numbers(in_gold, in_run, item["labels"])


def _cells(side: Documents, labels: Sequence[str]) -> Floats:
    """Return the value of each category in each document (documents, labels), 0 where there is none."""
    column_of = np.full(len(side.strings.texts), -1)
    for column, label in enumerate(labels):
        if label in side.strings:
            column_of[side.strings[label]] = column
    columns = column_of[side.cats.label]
    cells = np.zeros((len(side), len(labels)))
    cells[side.cats.document[columns >= 0], columns[columns >= 0]] = side.cats.value[columns >= 0]
    return cells


def _single_tokens(gold: Documents, side: Documents, items: list[Item], file: str | None) -> Iterator[Finding]:
    """Yield `offsets` where entities that are scored have one token each, and many of the gold's have more."""
    if not _OF_ENTITIES.isdisjoint(item["name"] for item in items) and not len(side.off_boundary):
        in_run, in_gold = ((documents.ents.end - documents.ents.start).astype(np.int64) for documents in (side, gold))
        yield from odd_sizes(Message.noun("entity", "entities"), in_run, in_gold, file)


def _exchanged(gold: Documents, side: Documents, items: list[Item], file: str | None) -> Iterator[Finding]:
    """Yield `labels` where entities at the gold's places have labels that were exchanged."""
    if _OF_ENTITIES.isdisjoint(item["name"] for item in items):
        return
    spans = [(documents.ents.document, documents.ents.start, documents.ents.end) for documents in (gold, side)]
    places = coded(*(np.concatenate(columns) for columns in zip(*spans, strict=True)))
    n = len(gold.ents)
    yield from odd_labels_of_spans(
        (places[:n], gold.ents.label), (places[n:], side.ents.label), side.strings.texts, file
    )


def _tags_elsewhere(gold: Documents, side: Documents, items: list[Item], file: str | None) -> Iterator[Finding]:
    """Yield what is odd in the order and the names of tags that are scored, where both sides have the same words."""
    scored = {item.get("attr") for item in items if item["name"] == "token_attr"}
    for attr in _LABELLED:
        of_gold, of_run = getattr(gold, attr), getattr(side, attr)
        if attr in scored and len(of_gold) == len(of_run) and (of_gold != UNSET).any() and (of_run != UNSET).any():
            beside = of_labels(of_gold.astype(np.int64), of_run.astype(np.int64), side.strings.texts)
            yield from odd_parts(beside, Message.noun("word", "words"), file)


def _in_tokens(side: Documents) -> Iterator[Finding]:
    """Yield `offsets` where spans of documents without words, which count characters, all end before as many tokens."""
    off = side.off_boundary
    inside = side.ents.where(np.isin(side.ents.document, off.document))
    n, of = len(off), len(off) + len(inside)
    if n < _FEWEST_OFF or n < of / 2:
        return
    document = np.concatenate([off.document, inside.document])
    ends = np.concatenate([off.end, _characters(inside, side)[1]])
    if (ends > np.diff(side.first)[document]).any():
        return
    yield Finding.odd(
        "offsets",
        Message(
            "spans-like-tokens",
            "{n:,} of {of:,} spans begin or end inside words, and none lies behind as many characters as its document"
            " has tokens.",
            n=n,
            of=of,
        ),
        n=n,
        of=of,
        suggestion=Message("tokens-need-words", 'do they count tokens? give "words" beside them, or count characters'),
    )


class _Texts(Sequence[str]):
    """The text of each document, made when it is asked for."""

    def __init__(self, side: Documents) -> None:
        self._side = side
        self._made = lru_cache(_KEPT_TEXTS)(lambda k: text_of(side.words(k), side.spaces(k)))

    def __len__(self) -> int:
        return len(self._side)

    def __getitem__(self, k: Any) -> Any:
        if not 0 <= k < len(self):
            raise IndexError(k)
        return self._made(k)


def _of_tokens(gold: Documents, side: Documents, items: list[Item]) -> Iterator[Layer]:
    """Yield tags, parts of speech, features, lemmas, sentences and heads."""
    scored = {item.get("attr") for item in items if item["name"] in ("token_attr", "spans")}
    scored |= {"morph" for item in items if item["name"] == "morph_per_feat"}
    has_treebank = any(item["name"] == "ud" for item in items)
    scored |= {"tag", "pos", "morph", "lemma", "sents"} if has_treebank else set()
    for attr, name in _ATTRIBUTES.items():
        column = getattr(side, attr)
        has = np.flatnonzero(column != UNSET)
        values = column[has]
        is_labelled = attr in _LABELLED
        yield Layer(
            name=name,
            unit=side.document[has],
            is_scored=attr in scored,
            labels=side.strings.texts if is_labelled else (),
            label=values if is_labelled else None,
            inventory=_inventory(gold, getattr(gold, attr)) if is_labelled else None,
            answers=_texts_of(side, values) if attr == "lemma" else None,
            place=partial(_place, side, side.document[has]),
        )
    yield Layer(
        name=Message.noun("sentence", "sentences"),
        unit=side.document[(side.has_heads | side.has_sents)[side.document] & (side.starts == 1)],
        is_scored="sents" in scored,
    )
    yield _heads(gold, side, next((item for item in items if item["name"] == "deps"), None), is_scored=has_treebank)


def _heads(gold: Documents, side: Documents, item: Item | None, *, is_scored: bool) -> Layer:
    """Describe heads with their labels; these in lower case where they are compared so."""
    has = np.flatnonzero(side.has_heads[side.document])
    labels = _inventory(gold, gold.dep[gold.has_heads[gold.document]])
    lowercase = item is not None and item["lowercase"]
    used, label = np.unique(side.dep[has], return_inverse=True)
    texts = [side.strings.texts[code] for code in used.tolist()]
    return Layer(
        name=Message.noun("head", "heads"),
        unit=side.document[has],
        is_scored=is_scored or item is not None,
        labels=[text.lower() for text in texts] if lowercase else texts,
        label=label,
        inventory=frozenset(text.lower() for text in labels) if lowercase else labels,
        place=partial(_place, side, side.document[has]),
    )


def _of_spans(gold: Documents, side: Documents, items: list[Item]) -> Iterator[Layer]:
    """Yield entities, the links of entities, and each group of spans."""
    names = {item["name"] for item in items}
    attrs = {item.get("attr") for item in items if item["name"] == "spans"}
    is_scored = bool(names & _OF_ENTITIES) or "ents" in attrs
    yield _spans(Message.noun("entity", "entities"), gold.ents, side.ents, UNSET, gold, side, is_scored=is_scored)
    linked = side.ents.document[side.ents.kb != UNSET]
    yield Layer(Message.noun("linked entity", "linked entities"), linked, is_scored="links" in names)
    scored = {attr.removeprefix("spans_") for attr in attrs if attr and attr.startswith("spans_")}
    for key in sorted(scored.union(side.strings.texts[code] for code in np.unique(side.groups[:, 1]).tolist())):
        code = side.strings[key]
        in_gold, in_system = (documents.spans.where(documents.spans.key == code) for documents in (gold, side))
        name = (Message("span-of", "span of {key}", key=key), Message("spans-of", "spans of {key}", key=key))
        yield _spans(name, in_gold, in_system, code, gold, side, is_scored=key in scored)


def _spans(
    name: Name, of_gold: Spans, of_system: Spans, key: int, gold: Documents, side: Documents, *, is_scored: bool
) -> Layer:
    """Describe the spans of one group, those that fit no tokens behind the others."""
    off = side.off_boundary.where(side.off_boundary.key == key)
    document, label = (
        np.concatenate([getattr(of_system, column), getattr(off, column)]).astype(np.int64)
        for column in ("document", "label")
    )
    starts, ends = (
        _characters(of_system, side) if len(off) else (of_system.start.astype(np.int64), of_system.end.astype(np.int64))
    )
    starts, ends = np.concatenate([starts, off.start]), np.concatenate([ends, off.end])
    content = coded(starts, ends, label)
    return Layer(
        name=name,
        unit=document,
        is_scored=is_scored,
        labels=side.strings.texts,
        label=label,
        inventory=_inventory(gold, of_gold.label),
        place=partial(_place, side, document),
        content=content,
        identity=coded(content, document),
        is_placed=True,
        edges=None if len(off) else partial(_edges, of_system, side),
        # Spans that all fit tokens begin and end with words.
        spans=Places(_Texts(side), document, np.arange(len(document) + 1), starts, ends) if len(off) else None,
    )


def _edges(spans: Spans, side: Documents, chosen: Integers, first: int, last: int) -> list[tuple[str, str]]:
    """Return the words so many tokens behind the first and the last one of some spans."""
    documents = spans.document[chosen].tolist()
    texts = {k: side.words(k) for k in dict.fromkeys(documents)}
    starts, ends = (spans.start[chosen] + first).tolist(), (spans.end[chosen] - 1 + last).tolist()
    return [
        (word_at(texts[k], start), word_at(texts[k], end))
        for k, start, end in zip(documents, starts, ends, strict=True)
    ]


def _characters(spans: Spans, side: Documents) -> tuple[Integers, Integers]:
    """Start and end (n,) of spans in characters of their documents."""
    starts, ends = character_spans(side, np.arange(len(side)))
    first, last = absolute(spans, side)
    return starts[first], ends[last - 1]


def _of_categories(side: Documents, items: list[Item]) -> Iterator[Layer]:
    """Yield a value for each label; where two documents have the same values, they say the same."""
    item = next((item for item in items if item["name"] == "cats"), None)
    cats = side.cats
    _, value = np.unique(cats.value, return_inverse=True)
    yield Layer(
        name=_VALUES,
        unit=cats.document,
        is_scored=item is not None,
        labels=side.strings.texts,
        label=cats.label,
        inventory=frozenset(item["labels"]) if item else None,
        is_declared=True,
        public=frozenset(item["labels"]) if item else None,
        place=partial(_place, side, cats.document),
        content=coded(cats.label, value),
    )


def _values(side: Documents, items: list[Item]) -> list[Numbers]:
    """Return the values of categories, where they are scored: probabilities."""
    if not any(item["name"] == "cats" for item in items):
        return []
    return [Numbers(_VALUES, np.asarray(side.cats.value, dtype=np.float64), side.cats.document, 0.0, 1.0)]


def _place(side: Documents, document: Codes, k: int) -> tuple[str | None, int | None]:
    """Return file and line where the document of annotation k begins."""
    return side.files[document[k]], int(side.lines[document[k]])


def _inventory(gold: Documents, codes: Codes) -> frozenset[str]:
    """Return the texts behind the codes that occur."""
    return frozenset(gold.strings.texts[code] for code in np.unique(codes).tolist())


def _texts_of(side: Documents, codes: Codes) -> Callable[[Integers], list[str]]:
    return lambda chosen: [side.strings.texts[code] for code in codes[chosen].tolist()]
