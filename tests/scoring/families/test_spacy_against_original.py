"""The scores of spaCy's own Scorer, on documents that Hypothesis makes up."""

import json
import random
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from tests.thoroughness import n_inputs

with warnings.catch_warnings():
    # What spaCy and its libraries have to say to each other is not ours to mend.
    warnings.simplefilter("ignore")
    spacy = pytest.importorskip("spacy")
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.tokens import Doc, Span
    from spacy.training import Example

pytestmark = pytest.mark.filterwarnings("ignore")

VOCAB = spacy.blank("xx").vocab
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


def doc_of(document):
    n = len(document["words"])
    doc = Doc(
        VOCAB,
        words=document["words"],
        spaces=document["spaces"],
        tags=document["tags"],
        pos=document["pos"],
        lemmas=document["lemmas"],
        heads=document.get("heads"),
        deps=document.get("deps"),
        sent_starts=document.get("sent_starts"),
    )
    doc.has_unknown_spaces = document["spaces"] is None
    for token, morph in zip(doc, document["morphs"], strict=True):
        if morph is not None:
            token.set_morph("" if morph == "_" else morph)
    if document["ents"] is not None and n:
        entities = [Span(doc, s, e, label=label, kb_id=kb) for s, e, label, kb in document["ents"]]
        missing = [Span(doc, s, e) for s, e in document["ents_missing"]]
        doc.set_ents(entities, missing=missing, default="outside")
    for key, spans in document.get("spans", {}).items():
        doc.spans[key] = [Span(doc, start, end, label=label) for start, end, label in spans]
    doc.cats = document["cats"]
    return doc


def dep_of(token, attr):
    return token.vocab.strings[getattr(token, attr)].lower()


def with_group(doc, attr):
    return doc.spans.get(attr.removeprefix("spans_"), [])


def has_group(doc):
    return "sc" in doc.spans


CATS = {"labels": ["A", "B", "C", "D"]}
CHECKS = [
    ({"name": "tokenization"}, lambda eg: Scorer.score_tokenization(eg)),
    ({"name": "token_attr", "attr": "tag"}, lambda eg: Scorer.score_token_attr(eg, "tag")),
    ({"name": "token_attr", "attr": "pos"}, lambda eg: Scorer.score_token_attr(eg, "pos")),
    ({"name": "token_attr", "attr": "lemma"}, lambda eg: Scorer.score_token_attr(eg, "lemma")),
    ({"name": "token_attr", "attr": "morph"}, lambda eg: Scorer.score_token_attr(eg, "morph", getter=morph_of)),
    ({"name": "morph_per_feat"}, lambda eg: Scorer.score_token_attr_per_feat(eg, "morph", getter=morph_of)),
    ({"name": "ner"}, lambda eg: get_ner_prf(eg)),
    ({"name": "spans", "attr": "ents"}, lambda eg: Scorer.score_spans(eg, "ents")),
    (
        {"name": "spans", "attr": "ents", "has_annotation": True, "labeled": False},
        lambda eg: Scorer.score_spans(eg, "ents", has_annotation=has_ents, labeled=False),
    ),
    (
        {"name": "spancat", "key": "sc"},
        lambda eg: Scorer.score_spans(eg, "spans_sc", getter=with_group, has_annotation=has_group, allow_overlap=True),
    ),
    (
        {"name": "spans", "attr": "sc"},
        lambda eg: Scorer.score_spans(eg, "spans_sc", getter=with_group),
    ),
    ({"name": "senter"}, lambda eg: Scorer.score_spans(eg, "sents", has_annotation=has_sents)),
    ({"name": "deps"}, lambda eg: Scorer.score_deps(eg, "dep", getter=plain_dep)),
    (
        {"name": "deps", "lowercase": True, "ignore_labels": ["p", "punct"]},
        lambda eg: Scorer.score_deps(eg, "dep", getter=dep_of, ignore_labels=("p", "punct")),
    ),
    ({"name": "cats", **CATS}, lambda eg: Scorer.score_cats(eg, "cats", **CATS)),
    (
        {"name": "cats", **CATS, "multi_label": False},
        lambda eg: Scorer.score_cats(eg, "cats", **CATS, multi_label=False),
    ),
    ({"name": "links"}, lambda eg: Scorer.score_links(eg, negative_labels=["NIL"])),
]


def plain_dep(token, attr):
    return token.vocab.strings[getattr(token, attr)]


def morph_of(token, attr):
    return getattr(token, attr).key


def has_ents(doc):
    return doc.has_annotation("ENT_IOB")


def has_sents(doc):
    return doc.has_annotation("SENT_START")


def expected_scores(gold, system, score):
    examples = [Example(doc_of(other), doc_of(own)) for own, other in zip(gold, system, strict=True)]
    return score(examples)


def our_scores(gold, system, item):
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, side in (("gold", gold), ("system", system)):
            paths[name] = Path(folder) / f"{name}.jsonl"
            paths[name].write_text("".join(json.dumps(document) + "\n" for document in side), encoding="utf-8")
        return scoring.evaluate("spacy", gold=paths["gold"], system=paths["system"], options={"scores": [item]})


def close(value):
    return value if value is None or isinstance(value, str) else pytest.approx(value, abs=1e-9, nan_ok=True)


def assert_same(result, expected):
    for key, value in expected.items():
        if key == "sents_per_type":
            continue  # left out by spaCy's components
        if isinstance(value, dict):
            table = {row["type"]: row.get("auc") if "auc" in row else row for row in result.tables.get(key, [])}
            assert table.keys() == value.keys()
            for name, scores in value.items():
                if isinstance(scores, dict):
                    assert {part: table[name][part] for part in scores} == {p: close(v) for p, v in scores.items()}
                elif scores is None or scores != scores:
                    assert table[name] is None
                else:
                    assert table[name] == close(scores)
        elif key.endswith("_desc"):
            assert {row["score"] + "_desc": row["description"] for row in result.tables["descriptions"]}[key] == value
        elif key.endswith(("_per_type", "_per_feat")):
            assert not result.tables.get(key)
        else:
            wanted = None if value is not None and value != value else value
            assert result.scores[key] == close(wanted), key


@settings(max_examples=n_inputs(150))
@given(seed=st.integers(0, 2**32))
def test_scores_are_those_of_spacy(seed):
    gold, system = make_corpus(random.Random(seed))
    for item, score in CHECKS:
        assert_same(our_scores(gold, system, item), expected_scores(gold, system, score))
