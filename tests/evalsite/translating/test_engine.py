"""Titles, words and layouts of families in Spanish."""

import json

import pytest
from django.utils import translation

import scoring
from evalsite.translating.engine import from_engine
from scoring.families import FAMILIES
from scoring.messages import Message
from scoring.repairs import Totals


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


# Runs with mistakes of all kinds that a family's repairs know.
REPAIRED = ("coreference", "edits", "ehealthkd", "labels", "mat", "qac", "spacy", "transcripts")


@pytest.mark.parametrize("name", REPAIRED)
def test_what_could_be_gained_is_named_in_spanish(name, tmp_path):
    family = FAMILIES[name]
    options = family.configure({"content_annotations": "PER"} if name == "mat" else {})
    specimen = family.offer.specimen(options)
    for side, files in (("gold", specimen.gold), ("system", specimen.run)):
        for path, content in files.items():
            (tmp_path / side / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / side / path).write_bytes(content)
    own = scoring.evaluate(name, gold=tmp_path / "gold", system=tmp_path / "system", options=options)
    repairs = family.views.repairs(Totals(own.headline, own.scores, own.counts, own.tables), own.options)
    named = {repair.group for repair in repairs} | {each.name for each in repairs if isinstance(each.name, Message)}
    assert named
    assert {title for title in named if from_engine(title) == title} <= {"MUC", "B³"}  # which are names


@pytest.mark.parametrize(
    ("family", "count", "options", "spanish"),
    [
        ("spacy", "ents_tp", {}, "Entidades, aciertos"),
        ("spacy", "nervaluate_strict_missed", {}, "Entidades, coincidencia estricta, omisiones"),
        ("spacy", "spans_own_fp", {}, "Segmentos own, errores"),
        ("mat", "token_refonly", {"content_annotations": "PER"}, "Tokens del gold sin coincidencia"),
        ("mat", "strict_correct", {"content_annotations": "PER"}, "Coincidencia estricta: pares correctos"),
    ],
)
def test_titles_of_counts_are_put_together_in_the_language(family, count, options, spanish):
    record = FAMILIES[family]
    title = record.counts.count_titles([count], record.configure(options))[count]
    assert from_engine(title) == spanish


@pytest.mark.parametrize("text", ["something that the engine never said", "id 'a' is missing", ""])
def test_a_text_that_is_no_message_of_the_catalogue_stays_as_it_is(text):
    assert from_engine(text) == text
