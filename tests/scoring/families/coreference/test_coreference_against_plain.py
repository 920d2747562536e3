"""Random small documents, on which the engine has to find what a plain program finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.readers.coreference.documents import Document, entity_of
from scoring.readers.coreference.sides import Side, System
from tests.scoring.plain import coreference as plain

FAMILY = scoring.FAMILIES["coreference"]
PROTOCOLS = ("reference", "scorch", "scorch-functions")
MENTIONS = "abcdefghi"


@st.composite
def entities(draw):
    """Disjoint entities over a few mentions, so that both sides share many."""
    labels = draw(st.lists(st.sampled_from([None, *"wxyz"]), min_size=len(MENTIONS), max_size=len(MENTIONS)))
    kept = {label: [] for label in labels if label}
    for mention, label in zip(MENTIONS, labels, strict=True):
        if label:
            kept[label].append(mention)
    return [frozenset(mentions) for mentions in kept.values()]


DOCUMENTS = st.lists(st.tuples(entities(), entities()), min_size=1, max_size=3)


@settings(deadline=None)
@given(DOCUMENTS, st.sampled_from(PROTOCOLS))
def test_counts_and_scores_of_folders_are_those_of_the_plain_program(documents, protocol):
    counted, scores = evaluated(documents, protocol)
    expected = {kind: float(value) for kind, value in plain.totals(documents).items()}
    assert {kind: counted.totals[kind] for kind in expected} == pytest.approx(expected, abs=1e-12)
    assert scores == pytest.approx(as_floats(plain.evaluate(documents, protocol)), abs=1e-12)


@settings(deadline=None)
@given(entities(), entities(), st.sampled_from(PROTOCOLS))
def test_scores_of_a_file_are_those_of_the_plain_program(gold, system, protocol):
    _, scores = evaluated([(gold, system)], protocol, is_file=True)
    expected = plain.evaluate([(gold, system)], protocol, is_file=True)
    assert scores == pytest.approx(as_floats(expected), abs=1e-12)


def evaluated(documents, protocol, *, is_file=False):
    sides = [(document(f"d{k}", gold), document(f"d{k}", system)) for k, (gold, system) in enumerate(documents)]
    gold = Side("json", {one.name: one for one, _ in sides}, [], [], is_file)
    options = FAMILY.configure({"protocol": protocol})
    counted = FAMILY.count(gold, System(sides, 0, [], is_file), options)
    scores = FAMILY.metrics(counted.rows.sum(axis=0), options)
    return counted, {name: float(value) for name, value in scores.items()}


def document(name, own):
    mentions = [sorted(entity) for entity in own]
    return Document(name, f"{name}.json", None, [str(k) for k in range(len(own))], mentions, entity_of(mentions))


def as_floats(scores):
    return {name: float(value) for name, value in scores.items()}
