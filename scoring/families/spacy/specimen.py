"""A whole evaluation in small: made-up sentences with everything that the options may score, and a run that errs."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.families.spacy.score_config import file_format
from scoring.family import Options, Specimen

Item = dict[str, Any]
# A document in each paragraph, a word in each line: word, tag, part of speech, lemma, head from 1 or 0, relation, and
# entities as columns have them, of single words with the id of the entry that they mean.
_DOCUMENTS = """\
Mara NNP PROPN Mara 2 nsubj B-PER=Q1
visits VBZ VERB visit 0 ROOT O
Gorloin NNP PROPN Gorloin 2 dobj B-LOC=Q2
. . PUNCT . 2 punct O

The DT DET the 2 det O
harbour NN NOUN harbour 3 nsubj O
opened VBD VERB open 0 ROOT O
Monday NNP PROPN Monday 3 npadvmod B-DATE=Q3
. . PUNCT . 3 punct O

Osk NNP PROPN Osk 2 nsubj B-PER=Q4
sells VBZ VERB sell 0 ROOT O
maps NNS NOUN map 2 dobj O
in IN ADP in 2 prep O
Quen NNP PROPN Quen 4 pobj B-LOC=Q5
. . PUNCT . 2 punct O

Snow NN NOUN snow 2 nsubj O
closed VBD VERB close 0 ROOT O
Port NNP PROPN Port 4 compound B-LOC=Q5
Quen NNP PROPN Quen 2 dobj I-LOC
. . PUNCT . 2 punct O

Quen NNP PROPN Quen 2 nsubj B-LOC=Q5
beat VBD VERB beat 0 ROOT O
Gorloin NNP PROPN Gorloin 2 dobj B-LOC=Q2
twice RB ADV twice 2 advmod O
. . PUNCT . 2 punct O

Mara NNP PROPN Mara 2 nsubj B-PER=Q1
sings VBZ VERB sing 0 ROOT O
Sunday NNP PROPN Sunday 2 npadvmod B-DATE=Q6
. . PUNCT . 2 punct O
"""
_COLUMNS = ("word", "tag", "pos", "lemma", "head", "dep", "entity")
_ATTRIBUTES = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs"}
_WRONG = 5  # every how many words the run errs
_SURE, _UNSURE = 0.9, 0.4

Word = dict[str, str]
Document = list[Word]


def specimen(options: Options) -> Specimen:
    items = options["scores"] or []
    documents = [
        [dict(zip(_COLUMNS, line.split(), strict=True)) for line in paragraph.splitlines()]
        for paragraph in _DOCUMENTS.strip().split("\n\n")
    ]
    mistaken = list(_mistaken(documents))
    if file_format(options) == "conllu":
        return Specimen(gold={"gold.conllu": _conllu(documents)}, run={"run.conllu": _conllu(mistaken)})
    if options["format"] == "columns":
        return Specimen(gold={"gold.conll": _columns(documents)}, run={"run.conll": _columns(mistaken)})
    gold = _jsonl(_record(k, each, items) for k, each in enumerate(documents))
    run = _jsonl(_record(k, each, items, of_run=True) for k, each in enumerate(mistaken))
    return Specimen(gold={"gold.jsonl": gold}, run={"run.jsonl": run})


def _mistaken(documents: list[Document]) -> Iterator[Document]:
    """Now and then another tag, head and lemma, and no entity."""
    number = 0
    for document in documents:
        words = []
        # Whatever hangs on the root makes no cycle.
        root = next(str(place) for place, word in enumerate(document, start=1) if word["head"] == "0")
        for word in document:
            number += 1
            is_wrong = number % _WRONG == 0 and word["head"] != "0"
            wrong = {"tag": "NN", "pos": "NOUN", "lemma": word["word"], "head": root, "dep": "dep"}
            wrong["entity"] = word["entity"].partition("=")[0] + ("=Q9" if "=" in word["entity"] else "")
            words.append(word | wrong if is_wrong else word)
        yield words
        first = next((word for word in words if word["entity"].startswith("B-LOC")), None)
        if first is words[0]:
            words[0] = first | {"entity": first["entity"].replace("LOC", "PER")}


def _record(k: int, document: Document, items: Iterable[Item], *, of_run: bool = False) -> dict[str, Any]:
    words = [word["word"] for word in document]
    spans = list(_entities(document))
    layers = {
        "tags": [word["tag"] for word in document],
        "pos": [word["pos"] for word in document],
        "morphs": ["Number=Sing" if word["pos"] in ("PROPN", "NOUN") else "_" for word in document],
        "lemmas": [word["lemma"] for word in document],
        "heads": [int(word["head"]) - 1 if word["head"] != "0" else place for place, word in enumerate(document)],
        "deps": [word["dep"] for word in document],
        "ents": spans,
        "spans": {key: [span[:3] for span in spans] for key in _span_keys(items)},
        "cats": _cats(k, _categories(items), of_run=of_run),
    }
    wanted = {layer for item in items for layer in _layers(item)} or layers.keys()
    spaces = [place < len(words) - 2 for place in range(len(words))]
    known = {layer: value for layer, value in layers.items() if layer in wanted}
    return {"id": f"d{k + 1}", "words": words, "spaces": spaces, **known}


def _layers(item: Item) -> tuple[str, ...]:
    """What of a document the item is scored by."""
    attr = str(item.get("attr", ""))
    if item["name"] == "spans" and attr.startswith("spans_"):
        return ("spans",)
    if item["name"] == "deps" or attr == "sents":
        return ("heads", "deps")
    if item["name"] == "token_attr":
        return (_ATTRIBUTES[attr],)
    return {"tokenization": (), "morph_per_feat": ("morphs",), "cats": ("cats",)}.get(item["name"], ("ents",))


def _entities(document: Document) -> Iterator[list[Any]]:
    """Start, end, label and entry of each."""
    for start, word in enumerate(document):
        if word["entity"].startswith("B-"):
            label, _, entry = word["entity"][2:].partition("=")
            rest = (place for place in range(start + 1, len(document)) if document[place]["entity"] != f"I-{label}")
            yield [start, next(rest, len(document)), label, entry]


def _cats(k: int, labels: list[str], *, of_run: bool) -> dict[str, float]:
    """One category for each document; the run takes every third one for another."""
    own = k % len(labels)
    if not of_run:
        return {label: float(place == own) for place, label in enumerate(labels)}
    said = (own + 1) % len(labels) if k % 3 == 2 else own
    return {label: _SURE if place == said else _UNSURE / 2 for place, label in enumerate(labels)}


def _span_keys(items: Iterable[Item]) -> list[str]:
    keys = [str(item["attr"]).removeprefix("spans_") for item in items if item["name"] == "spans"]
    return [key for key in dict.fromkeys(keys) if key not in ("ents", "sents")] or ["sc"]


def _categories(items: Iterable[Item]) -> list[str]:
    cats = next((item for item in items if item["name"] == "cats"), {})
    return cats.get("labels") or list(dict.fromkeys([cats.get("positive_label") or "TRAVEL", "WEATHER", "SPORT"]))


def _jsonl(records: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _columns(documents: Iterable[Document]) -> bytes:
    """The word, and its entity."""
    lines = ("".join(f"{word['word']} {_tag(word)}\n" for word in document) for document in documents)
    return "\n".join(lines).encode()


def _conllu(documents: Iterable[Document]) -> bytes:
    lines = []
    for k, document in enumerate(documents, start=1):
        lines.append(f"# newdoc id = d{k}")
        lines += [_conllu_line(number, word) for number, word in enumerate(document, start=1)] + [""]
    return ("\n".join(lines) + "\n").encode()


def _conllu_line(number: int, word: Word) -> str:
    relation = "root" if word["dep"] == "ROOT" else word["dep"]
    cells = (number, word["word"], word["lemma"], word["pos"], word["tag"], "_", word["head"], relation, "_")
    return "\t".join(map(str, cells)) + f"\tEntity={_tag(word)}"


def _tag(word: Word) -> str:
    return word["entity"].partition("=")[0]
