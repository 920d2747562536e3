"""The scores of a plain program, on random small corpora: its loops are the rules, written out."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.families.spacy.spacy_corpus import CATS, make_corpus, our_scores
from tests.scoring.plain import spacy as plain
from tests.thoroughness import n_inputs

ITEMS = [
    {"name": "tokenization"},
    {"name": "token_attr", "attr": "tag"},
    {"name": "token_attr", "attr": "morph"},
    {"name": "morph_per_feat"},
    {"name": "ner"},
    {"name": "spans", "attr": "sents", "has_annotation": True},
    {"name": "spans", "attr": "ents", "labeled": False},
    {"name": "spans", "attr": "sc"},
    {"name": "spancat"},
    {"name": "deps"},
    {"name": "deps", "lowercase": True, "ignore_labels": ["p", "punct"]},
    {"name": "deps", "missing_values": ["det"]},
    {"name": "cats", **CATS},
    {"name": "cats", **CATS, "multi_label": False},
    {"name": "links"},
    {"name": "nervaluate", "min_overlap": 60},
    {"name": "seqeval"},
]


@settings(max_examples=n_inputs(100), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_scores_are_those_of_the_plain_program(seed):
    gold, system = make_corpus(random.Random(seed))
    for item in ITEMS:
        result = our_scores(gold, system, item)
        (written_out,) = result.options["scores"]
        expected = plain.scores(written_out, gold, system)
        assert {key: result.scores[key] for key in expected} == {
            key: value if value is None else pytest.approx(value, abs=1e-9) for key, value in expected.items()
        }
