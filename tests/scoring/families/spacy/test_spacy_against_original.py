"""The scores of spaCy's own Scorer, on documents that Hypothesis makes up."""

import random
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.families.spacy.spacy_corpus import CATS, make_corpus, our_scores
from tests.thoroughness import n_inputs

with warnings.catch_warnings():
    # What spaCy and its libraries have to say to each other is not ours to mend.
    warnings.simplefilter("ignore")
    spacy = pytest.importorskip("spacy")
    from spacy.scorer import MISSING_VALUES, Scorer, get_ner_prf
    from spacy.tokens import Doc, Span
    from spacy.training import Example

pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]

VOCAB = spacy.blank("xx").vocab


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


CHECKS = [
    ({"name": "tokenization"}, lambda eg: Scorer.score_tokenization(eg)),
    ({"name": "token_attr", "attr": "tag"}, lambda eg: Scorer.score_token_attr(eg, "tag")),
    ({"name": "token_attr", "attr": "pos"}, lambda eg: Scorer.score_token_attr(eg, "pos")),
    ({"name": "token_attr", "attr": "lemma"}, lambda eg: Scorer.score_token_attr(eg, "lemma")),
    ({"name": "token_attr", "attr": "morph"}, lambda eg: Scorer.score_token_attr(eg, "morph", getter=morph_of)),
    ({"name": "morph_per_feat"}, lambda eg: Scorer.score_token_attr_per_feat(eg, "morph", getter=morph_of)),
    (
        {"name": "token_attr", "attr": "tag", "missing_values": ["V"]},
        lambda eg: renamed(Scorer.score_token_attr(eg, "tag_", missing_values={"V", *MISSING_VALUES})),
    ),
    (
        {"name": "token_attr", "attr": "morph", "missing_values": ["_", "Case=Acc"]},
        lambda eg: Scorer.score_token_attr(eg, "morph", getter=morph_of, missing_values=keys("_", "Case=Acc")),
    ),
    (
        {"name": "morph_per_feat", "missing_values": ["Case=Acc", "Case=Nom"]},
        lambda eg: Scorer.score_token_attr_per_feat(
            eg, "morph", getter=morph_of, missing_values=keys("Case=Acc", "Case=Nom")
        ),
    ),
    (
        {"name": "deps", "lowercase": True, "ignore_labels": ["punct"], "missing_values": ["obj"]},
        lambda eg: Scorer.score_deps(
            eg, "dep", getter=dep_of, ignore_labels=("punct",), missing_values={"obj", *MISSING_VALUES}
        ),
    ),
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


def keys(*morphs):
    return {
        VOCAB.strings.add(VOCAB.morphology.normalize_features("" if morph == "_" else morph)) for morph in morphs
    } | {*MISSING_VALUES}


def renamed(scores):
    """Return scores of an attribute of texts, as tag_, by the name of the attribute."""
    return {key.replace("__", "_"): value for key, value in scores.items()}


def has_ents(doc):
    return doc.has_annotation("ENT_IOB")


def has_sents(doc):
    return doc.has_annotation("SENT_START")


def expected_scores(gold, system, score):
    examples = [Example(doc_of(other), doc_of(own)) for own, other in zip(gold, system, strict=True)]
    return score(examples)


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
