"""Small random corpora of annotated documents, and the engine's scores of them."""

import json
import tempfile
from pathlib import Path

import scoring

PIECES = ("a", "B", "ß", "x", "中")
BLANKS = ("\n", " ", "\t")
TAGS = ("N", "V", "")
POS = ("NOUN", "VERB", "")
LABELS = ("nsubj", "OBJ", "punct", "det", "")
MORPHS = (None, "_", "Case=Nom", "Case=Nom|Gender=Fem,Masc", "Gender=Masc,Fem|Case=Nom", "Case=Acc")
TYPES = ("PER", "LOC")
CATEGORIES = ("A", "B", "C")
VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)


def make_tokens(rng, text):
    """The text cut into tokens, with white space between some of them."""
    words = []
    for piece in text:
        if words and rng.random() < 0.3 and not words[-1].isspace():
            words[-1] += rng.choice((piece, piece.lower()))
        else:
            words.append(piece)
        if rng.random() < 0.1:
            words.append(rng.choice(BLANKS))
    return words


def make_heads(rng, length):
    """Heads without cycles: each token's head comes before it in some order."""
    order = rng.sample(range(length), length)
    heads = list(range(length))
    for place, token in enumerate(order):
        if place and rng.random() < 0.8:
            heads[token] = order[rng.randrange(place)]
    return heads


def make_spans(rng, length, *, overlapping):
    found, end = [], 0
    for _ in range(rng.randint(0, 4)):
        start = rng.randint(0 if overlapping else end, length)
        if start < length:
            end = rng.randint(start + 1, min(length, start + 3))
            found.append([start, end, rng.choice(TYPES), rng.choice(("", "Q1", "Q2", "NIL"))])
    return found


def make_document(rng, identifier, words):
    n = len(words)
    document = {
        "id": identifier,
        "words": words,
        "spaces": None if rng.random() < 0.2 else [rng.random() < 0.8 for _ in words],
        "tags": rng.choices(TAGS, k=n),
        "pos": rng.choices(POS, k=n),
        "lemmas": rng.choices(("l", "m", ""), k=n),
        "morphs": rng.choices(MORPHS, k=n),
        "ents": None if rng.random() < 0.2 else make_spans(rng, n, overlapping=False),
        "cats": {label: rng.choice(VALUES) for label in rng.sample(CATEGORIES, rng.randint(0, 3))},
    }
    if rng.random() < 0.5:
        document["heads"] = make_heads(rng, n)
        document["deps"] = rng.choices(LABELS, weights=(9, 9, 5, 9, 1), k=n)
        # To spaCy, a token without a label is its own head, whatever its head is, and no labels are no tree.
        document["deps"][:1] = ["det"] * min(n, 1)
        heads = zip(document["heads"], document["deps"], strict=True)
        document["heads"] = [head if label else i for i, (head, label) in enumerate(heads)]
    else:
        document["sent_starts"] = rng.choices((1, 0, -1), k=n)
    if document["ents"] is not None:
        free = [i for i in range(n) if not any(start <= i < end for start, end, *_ in document["ents"])]
        document["ents_missing"] = [[i, i + 1] for i in free if rng.random() < 0.15]
    if rng.random() < 0.7:
        document["spans"] = {"sc": [row[:3] for row in make_spans(rng, n, overlapping=True)]}
    return document


def make_corpus(rng):
    """Gold and system; where exclusive categories need one, the system has one."""
    gold, system = [], []
    has_same_tokens = rng.random() < 0.5
    for k in range(rng.randint(1, 4)):
        text = rng.choices(PIECES, k=rng.randint(0, 8))
        words = make_tokens(rng, text)
        others = words if has_same_tokens or rng.random() < 0.3 else make_tokens(rng, text)
        gold.append(make_document(rng, f"d{k}", words))
        system.append(make_document(rng, f"d{k}", others))
        if gold[-1]["cats"] and not system[-1]["cats"]:
            system[-1]["cats"] = {"A": 0.5}
    return gold, system


# An item's labels, one of which no document has.
CATS = {"labels": ["A", "B", "C", "D"]}


def our_scores(gold, system, item):
    """The evaluation of one item."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, side in (("gold", gold), ("system", system)):
            paths[name] = Path(folder) / f"{name}.jsonl"
            paths[name].write_text("".join(json.dumps(document) + "\n" for document in side), encoding="utf-8")
        return scoring.evaluate("spacy", gold=paths["gold"], system=paths["system"], options={"scores": [item]})
