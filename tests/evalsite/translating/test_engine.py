"""What the engine says, in Spanish: its real messages about bad files of every family."""

import ast
import json
import re

import pytest
from django.conf import settings
from django.utils import translation

import scoring
from evalsite.translating.engine import from_engine
from scoring.families import FAMILIES
from scoring.repairs import IN_WORDS

ENGLISH = re.compile(r"(?<![\w'\"-])(?:the|is|are|must|of|and|with|not|there|has|have|which|where|should)(?![\w'\"-])")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|«[^»]*»")
SEEDS = range(30)


@pytest.fixture(autouse=True)
def _spanish():
    with translation.override("es"):
        yield


@pytest.mark.parametrize("name", FAMILIES)
def test_titles_and_layouts_of_families_are_translated(name):
    family = FAMILIES[name]
    assert from_engine(family.layout) != family.layout
    left = [title for title in family.score_titles.values() if "ecall" in from_engine(title)]
    assert left == []


# Of the families whose counts hang on what was scored: so much that all of them are there.
OPTIONS = {
    "labels": {},
    "mat": {"content_annotations": "PER"},
    "spacy": {
        "scores": json.dumps(
            [
                *({"name": "token_attr", "attr": attr} for attr in ("tag", "pos", "lemma", "morph")),
                *({"name": name} for name in ("tokenization", "ner", "deps", "links", "nervaluate", "seqeval")),
                {"name": "spans", "attr": "spans_own"},
                {"name": "cats", "labels": ["POSITIVE"]},
            ]
        )
    },
}


def counts_of_example(name, folder):
    for path, content in FAMILIES[name].example(FAMILIES[name].configure(OPTIONS[name])).items():
        (folder / path).write_bytes(content)
    return scoring.evaluate(name, gold=folder, system=folder, options=OPTIONS[name]).counts


@pytest.mark.parametrize("name", FAMILIES)
def test_titles_of_counts_are_translated(name, tmp_path):
    family = FAMILIES[name]
    options = family.configure(OPTIONS.get(name, {}))
    counts = counts_of_example(name, tmp_path) if name in OPTIONS else ()
    titles = family.counts.count_titles(counts, options).values()
    assert titles
    assert [title for title in titles if from_engine(title) == title and title != "Tokens"] == []


# How many repairs, and groups of them, each family calls in words; a label stands for itself.
MENDED = {"coreference": 2, "ehealthkd": 8, "mat": 4, "qac": 6, "spacy": 7}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_mended_is_named_in_spanish(name):
    tree = ast.parse((settings.BASE_DIR / f"scoring/families/{name}/repairs.py").read_text())
    named = {
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and re.fullmatch("[A-Z][a-z]+ [^.\n]*", each.value)
    }
    assert len(named) == MENDED[name]
    assert [title for title in named | {*IN_WORDS} if from_engine(title) == title] == []


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Entities, right", "Entidades, aciertos"),
        ("Entities, strict match, missed", "Entidades, coincidencia estricta, omisiones"),
        ("Spans own, wrong", "Segmentos own, errores"),
        ("Tokens of the gold without match", "Tokens del gold sin coincidencia"),
        ("Strict: correct", "Coincidencia estricta: pares correctos"),
        ("Recall, relations", "Cobertura, relaciones"),
        ("something that the engine never said", "something that the engine never said"),
        ("", ""),
    ],
)
def test_a_message_is_told_by_its_pattern(english, spanish):
    assert from_engine(english) == spanish


def test_in_english_nothing_is_touched():
    with translation.override("en"):
        assert from_engine("id 'a' is missing") == "id 'a' is missing"


@pytest.mark.parametrize("text", [": " * 9_000, " and " * 3_000, "x of y " * 2_500, "“" * 19_999, "from 1 to " * 1_900])
def test_a_stranger_s_long_text_is_left_alone(text):
    assert isinstance(from_engine(text), str)
